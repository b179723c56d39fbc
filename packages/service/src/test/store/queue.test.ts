import assert from "node:assert/strict";
import { test } from "node:test";
import { claim, finish, type Job, type NewJob, nextDueAt, postpone } from "../../store/queue.ts";
import { eventually } from "../harness/eventually.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { sandbox, testStart } from "../harness/sandbox.ts";
import { enqueueTestJobs, environment, heldJobs, newJob, realNow, testJobs } from "../harness/test-jobs.ts";

const it = await sandbox();
const { db } = it.stores.store;
const leaseMs = 60_000;
const { errors, put, worker } = testJobs(it);
const take = (at: { now?: number; realNow?: number } = {}) =>
  claim(db, environment, { now: testStart, realNow, ...at });
const rowOf = ({ subject }: { subject: string }) =>
  db
    .selectFrom("job")
    .selectAll()
    .where("environment", "=", environment)
    .where("subject", "=", subject)
    .executeTakeFirst();
const one = (jobs: Job[]) => jobs[0] ?? assert.fail("nothing was due");
const clear = () => db.deleteFrom("job").where("environment", "=", environment).execute();

test("a job with an unknown name, or with the payload of another job, does not compile", () => {
  const job = { environment, subject: "any", dueAt: testStart };
  // @ts-expect-error No such name.
  const unknown: NewJob = { ...job, name: "webhook.send", payload: { deliveryUuid: "any" } };
  // @ts-expect-error A delivery has another payload.
  const wrong: NewJob = { ...job, name: "webhook.deliver", payload: { oneClickUuid: "any" } };
  assert.notDeepEqual(unknown, wrong);
});

test("a job is not stored if its transaction is rolled back", async () => {
  const job = newJob();
  const failed = db.inTransaction(async (trx) => {
    await enqueueTestJobs(trx, job);
    throw new Error("no");
  });
  await assert.rejects(failed, /no/);
  assert.equal(await rowOf(job), undefined);
  assert.deepEqual(await take(), []);
});

test("a job is claimed when it is due, not before, and only once", async () => {
  await put(newJob({ dueAt: testStart + 1 }));
  assert.equal(await nextDueAt(db, environment), testStart + 1);
  assert.deepEqual(await take(), []);
  const takers = await Promise.all(Array.from({ length: 8 }, () => take({ now: testStart + 1 })));
  assert.equal(takers.flat().length, 1);
  await clear();
});

test("concurrent workers run every job exactly once", async () => {
  const subjectsDue = Array.from({ length: 100 }, () => newJob());
  for (const job of subjectsDue) await put({ ...job, payload: { subject: job.subject } });
  const ran: string[] = [];
  const workers = Array.from({ length: 4 }, () => worker(async ({ subject }) => void ran.push(subject ?? "")));
  const counts = await Promise.all(workers.map((each) => each.runDue()));
  assert.deepEqual(ran.sort(), subjectsDue.map(({ subject }) => subject).sort());
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    100,
  );
  await Promise.all(workers.map((each) => each.stop()));
  assert.equal(await nextDueAt(db, environment), null);
});

test("a dead worker's claim is taken over when its lease expires, not before", async () => {
  const job = newJob();
  await put(job);
  const dead = one(await take());
  assert.equal(dead.leasedUntil, realNow + leaseMs);
  assert.deepEqual(await take({ realNow: realNow + leaseMs - 1 }), []);
  const successor = one(await take({ realNow: realNow + leaseMs }));
  assert.deepEqual([successor.id, successor.attempts], [dead.id, 2]);
  // The first worker was only slow. Its result no longer counts.
  await finish(db, dead);
  await postpone(db, dead, null, testStart);
  assert.equal((await rowOf(job))?.failed_at, null);
  await finish(db, successor);
  assert.equal(await rowOf(job), undefined);
});

test("moving the sandbox clock does not expire leases, which use real time", async () => {
  await put(newJob());
  one(await take());
  assert.deepEqual(await take({ now: testStart + 365 * 24 * 60 * 60_000 }), []);
  await clear();
});

test("a job that fails is retried after each delay, then given up once and kept as failed", async () => {
  const job = newJob();
  const attempts: number[] = [];
  const givenUp: number[] = [];
  let clock = testStart;
  const failing = worker(
    async () => {
      attempts.push(clock - testStart);
      throw new TypeError("with +12125550010 in its words");
    },
    { retryDelaysMs: [10, 100], giveUp: async () => void givenUp.push(clock - testStart) },
  );
  await put(job);
  for (const instant of [0, 9, 10, 109, 110, 1_000, 1_000_000]) {
    clock = testStart + instant;
    await failing.at(clock);
  }
  assert.deepEqual(attempts, [0, 10, 110]);
  assert.deepEqual(givenUp, [110]);
  assert.equal((await rowOf(job))?.failed_at, testStart + 110);
  assert.equal(await nextDueAt(db, environment), null);
  assert.deepEqual(errors.at(-1), { job: "test.job", attempts: 3, error: "TypeError" });
  await failing.stop();
});

test("a job that is enqueued again gets the new due time and payload, and its attempts are reset", async () => {
  const job = newJob();
  await put(job);
  await postpone(db, one(await take()), testStart + 5, testStart);
  await put({ ...job, dueAt: testStart + 50, payload: { a: "b" } });
  const row = await rowOf(job);
  assert.deepEqual([row?.due_at, row?.attempts, row?.payload], [testStart + 50, 0, { a: "b" }]);
  await postpone(db, one(await take({ now: testStart + 50 })), null, testStart + 50);
  await put({ ...job, dueAt: testStart + 60 });
  assert.equal((await rowOf(job))?.failed_at, null);
  await clear();
});

test("a job that is enqueued again while it runs is run again", async () => {
  const job = newJob();
  let runs = 0;
  const again = worker(async () => {
    runs += 1;
    if (runs === 1) await put({ ...job, dueAt: testStart + 10 });
  });
  await put(job);
  await again.at(testStart);
  assert.equal((await rowOf(job))?.due_at, testStart + 10);
  await again.at(testStart + 10);
  assert.deepEqual([runs, await rowOf(job)], [2, undefined]);
  await again.stop();
});

test("a job of an unknown kind waits for a version that knows it, and blocks no other jobs", async () => {
  const ran: string[] = [];
  const known = worker(async () => void ran.push("known"));
  const unknown = newJob({ name: "test.unknown", dueAt: testStart - 1 });
  await put(unknown);
  await put(newJob());
  assert.equal(await known.runDue(), 2);
  assert.deepEqual(ran, ["known"]);
  const row = await rowOf(unknown);
  assert.deepEqual([row?.failed_at, row?.attempts, row?.due_at], [null, 0, testStart + 60_000]);
  await known.stop();
  await clear();
});

test("a stopped worker claims no more jobs, and stopping waits for running jobs", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let began = () => {};
  const running = new Promise<void>((resolve) => {
    began = resolve;
  });
  const ended: string[] = [];
  const slow = worker(async () => {
    began();
    await held;
    ended.push("job");
  });
  await put(newJob());
  slow.wake();
  await running;
  const stopped = slow.stop().then(() => ended.push("worker"));
  release();
  await stopped;
  assert.deepEqual(ended, ["job", "worker"]);
  await put(newJob());
  slow.wake();
  assert.equal(await slow.runDue(), 0);
  await clear();
});

test("stopping waits for running jobs even if the last poll for jobs fails", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const ended: string[] = [];
  await put(newJob({ payload: { name: "slow" } }));
  pool.wake();
  await held.until(1);
  const client = await it.stores.store.pool.connect();
  await client.query("begin");
  await client.query("lock table job");
  pool.wake();
  await untilLockWaits(it, { words: "with grouped as" });
  const stopped = pool.stop().then(() => ended.push("worker"));
  const failed = errors.length;
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  await client.query("rollback");
  client.release();
  await eventually(async () => (errors.length > failed ? true : undefined));
  ended.push("job");
  held.end("slow");
  await stopped;
  assert.deepEqual(ended, ["job", "worker"]);
  assert.equal(await nextDueAt(db, environment), null);
});

test("jobs contain ids and no personal data", async () => {
  // No worker takes the jobs.
  const idle = await sandbox({}, { ROLES: "api,wallet,dashboard" });
  const { uuid } = (await idle.api.createVerification({ body: { channel: "sms", phone: "+13035550199" } })).body;
  await idle.api.deliverVerification({ params: { uuid } });
  await idle.api.createOneClick({ body: { phone: "+13035550199", email: "ada@example.com" } });
  const rows = await idle.store.db.selectFrom("job").selectAll().where("environment", "=", "sandbox").execute();
  assert.ok(rows.length >= 2);
  for (const row of rows) {
    for (const value of Object.values(row.payload)) assert.match(value, /^([0-9a-f-]{36}|\d{1,12})$/, row.name);
    assert.ok(!/3035550199|ada@/.test(JSON.stringify(row)), row.name);
  }
});
