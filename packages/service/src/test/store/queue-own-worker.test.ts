/** A due job starts in the process that enqueued it, as soon as its transaction has committed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { enqueue, type NewJob } from "../../store/queue.ts";
import { sandbox, testStart } from "../harness/sandbox.ts";
import { environment, heldJobs, newJob, testJobs } from "../harness/test-jobs.ts";

const it = await sandbox();
const { db } = it.stores.store;
const { worker } = testJobs(it);
const rowOf = ({ subject }: { subject: string }) =>
  db
    .selectFrom("job")
    .selectAll()
    .where("environment", "=", environment)
    .where("subject", "=", subject)
    .executeTakeFirst();
const put = (pool: ReturnType<typeof worker>, job: ReturnType<typeof newJob>) =>
  db.inTransaction((trx) => enqueue({ worker: pool }, trx, job as NewJob));

test("a due job starts when its transaction commits, and runs once", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const job = newJob({ payload: { name: "now" } });
  await put(pool, job);
  assert.deepEqual(held.begun, ["now"]);
  assert.equal((await rowOf(job))?.attempts, 1);
  held.end("now");
  await pool.runDue();
  assert.deepEqual([held.begun, await rowOf(job)], [["now"], undefined]);
  await pool.stop();
});

test("a job that is due later waits in the queue", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const job = newJob({ dueAt: testStart + 1, payload: { name: "later" } });
  await put(pool, job);
  assert.deepEqual([held.begun, (await rowOf(job))?.leased_until], [[], 0]);
  const done = pool.at(testStart + 1);
  await held.until(1);
  held.end("later");
  assert.equal(await done, 1);
  await pool.stop();
});

test("jobs of transactions that are rolled back do not start and leave their slots free", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const group = { concurrencyGroup: "a receiver" };
  for (let tries = 0; tries < 4; tries += 1) {
    const failed = db.inTransaction(async (trx) => {
      await enqueue({ worker: pool }, trx, newJob({ ...group, payload: { name: "never" } }) as NewJob);
      throw new Error("no");
    });
    await assert.rejects(failed, /no/);
  }
  await put(pool, newJob({ ...group, payload: { name: "next" } }));
  assert.deepEqual(held.begun, ["next"]);
  held.end("next");
  await pool.stop();
});

test("a fifth job of a concurrency group waits until one of the four has ended", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const names = ["1", "2", "3", "4", "5"];
  for (const name of names) await put(pool, newJob({ concurrencyGroup: "a receiver", payload: { name } }));
  assert.deepEqual(held.begun, names.slice(0, 4));
  held.end("1");
  await held.until(5);
  for (const name of names.slice(1)) held.end(name);
  await pool.runDue();
  assert.deepEqual(held.begun, names);
  await pool.stop();
});

test("a job that is enqueued again while it runs is run again, and the end of the first run does not end the second", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const job = newJob({ concurrencyGroup: "a receiver" });
  await put(pool, { ...job, payload: { name: "first" } });
  await put(pool, { ...job, payload: { name: "second" } });
  await held.until(2);
  held.end("first");
  held.end("second");
  await pool.runDue();
  assert.deepEqual([held.begun, await rowOf(job)], [["first", "second"], undefined]);
  await pool.stop();
});

test("a stopped worker starts no job", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  await pool.stop();
  const job = newJob({ payload: { name: "left" } });
  await put(pool, job);
  assert.deepEqual([held.begun, (await rowOf(job))?.attempts], [[], 0]);
});
