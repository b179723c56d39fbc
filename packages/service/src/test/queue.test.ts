import assert from "node:assert/strict";
import { test } from "node:test";
import { registry } from "../jobs/registry.ts";
import { startWorker } from "../jobs/worker.ts";
import { claim, enqueue, finish, type Job, type NewJob, nextDueAt, postpone } from "../store/queue.ts";
import { sandbox, testStart } from "./harness.ts";

const it = await sandbox();
const { db } = it.store;
// Jobs of an environment that nobody works for, so that only what a test starts takes them.
const environment = "production";
const leaseMs = 60_000;
const realNow = 1_000_000;
const errors: unknown[] = [];

let subjects = 0;
function newJob(job: Partial<NewJob> = {}): NewJob {
  subjects += 1;
  return { environment, name: "test.job", subject: `subject ${subjects}`, dueAt: testStart, payload: {}, ...job };
}
const put = (job: NewJob) => db.transaction().execute((trx) => enqueue(trx, job));
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

/** A worker for those jobs, whose kinds are made for one test. */
function worker(
  run: (payload: Record<string, string>) => Promise<void>,
  about: Partial<(typeof registry)[string]> = {},
) {
  registry["test.job"] = { run: (_deps, payload) => run(payload), retryDelaysMs: [], ...about };
  const clock = { now: () => now };
  let now = testStart;
  const log = { error: (_message: string, fields: unknown) => void errors.push(fields) };
  const started = startWorker({ ...it.deps, environment, clock }, { isOn: true, realNow: () => realNow, log });
  return {
    ...started,
    at(instant: number) {
      now = instant;
      return started.runDue();
    },
  };
}

test("a job of a transaction that was rolled back does not exist", async () => {
  const job = newJob();
  const failed = db.transaction().execute(async (trx) => {
    await enqueue(trx, job);
    throw new Error("no");
  });
  await assert.rejects(failed, /no/);
  assert.equal(await rowOf(job), undefined);
  assert.deepEqual(await take(), []);
});

test("a job is taken when it is due, not before, and by one only", async () => {
  await put(newJob({ dueAt: testStart + 1 }));
  assert.equal(await nextDueAt(db, environment), testStart + 1);
  assert.deepEqual(await take(), []);
  const takers = await Promise.all(Array.from({ length: 8 }, () => take({ now: testStart + 1 })));
  assert.equal(takers.flat().length, 1);
  await clear();
});

test("many workers that look at once never run one job twice, and run them all", async () => {
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

/** Jobs that are held until they are let go, one by one, and what is known of them meanwhile. */
function heldJobs() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let noticed = () => {};
  const run = ({ name = "" }: Record<string, string>) => {
    begun.push(name);
    noticed();
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return {
    begun,
    run,
    end: (name: string) => ends.get(name)?.(),
    async until(count: number) {
      while (begun.length < count)
        await new Promise<void>((resolve) => {
          noticed = resolve;
        });
    },
  };
}

test("of what is due the earlier one is begun first, and one process runs sixty-four at most", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const names = Array.from({ length: 70 }, (_, index) => `${index}`);
  for (const name of names.toReversed())
    await put(newJob({ dueAt: testStart - 100 + Number(name), payload: { name } }));
  const done = pool.runDue();
  await held.until(64);
  assert.deepEqual(held.begun, names.slice(0, 64));
  held.end("3");
  await held.until(65);
  assert.equal(held.begun.at(-1), "64");
  for (let next = 0; next < 70; next += 1) {
    await held.until(Math.min(70, next + 2));
    held.end(`${next}`);
  }
  assert.equal(await done, 70);
  await pool.stop();
});

test("jobs in lanes never take every slot: a text does not wait for receivers, however many hang", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const slow = Array.from({ length: 80 }, (_, index) => `slow ${index}`);
  for (const [index, name] of slow.entries()) {
    await put(newJob({ dueAt: testStart - 9, lane: `receiver ${index % 20}`, payload: { name } }));
  }
  const done = pool.runDue();
  await held.until(48);
  await put(newJob({ payload: { name: "a text" } }));
  pool.wake();
  await held.until(49);
  assert.equal(held.begun.at(-1), "a text");
  held.end("a text");
  for (let ended = 0; ended < 80; ended += 1) {
    await held.until(Math.min(81, 49 + ended));
    held.end(held.begun.filter((name) => name.startsWith("slow"))[ended] ?? "");
  }
  assert.equal(await done, 81);
  await pool.stop();
});

test("of one lane four run at most, and the others do not wait for them", async () => {
  const held = heldJobs();
  const pool = worker(held.run);
  const slow = Array.from({ length: 9 }, (_, index) => `slow ${index}`);
  for (const name of slow) await put(newJob({ dueAt: testStart - 9, lane: "a receiver", payload: { name } }));
  await put(newJob({ payload: { name: "quick" } }));
  const done = pool.runDue();
  await held.until(5);
  assert.deepEqual([...held.begun].sort(), ["quick", ...slow.slice(0, 4)]);
  held.end("quick");
  for (const [index, name] of slow.entries()) {
    await held.until(Math.min(10, 5 + index));
    assert.ok(held.begun.length <= 5 + index, `${held.begun.length} were begun when ${index} of the lane had ended`);
    held.end(name);
  }
  assert.equal(await done, 10);
  await pool.stop();
});

test("the claim of a worker that died is taken over when its lease is over, not before", async () => {
  const job = newJob();
  await put(job);
  const dead = one(await take());
  assert.equal(dead.leasedUntil, realNow + leaseMs);
  assert.deepEqual(await take({ realNow: realNow + leaseMs - 1 }), []);
  const heir = one(await take({ realNow: realNow + leaseMs }));
  assert.deepEqual([heir.id, heir.attempts], [dead.id, 2]);
  // The first one was only slow: what it says now counts no more.
  await finish(db, dead);
  await postpone(db, dead, null, testStart);
  assert.equal((await rowOf(job))?.failed_at, null);
  await finish(db, heir);
  assert.equal(await rowOf(job), undefined);
});

test("the clock of the sandbox moves no lease: those are of real time", async () => {
  await put(newJob());
  one(await take());
  assert.deepEqual(await take({ now: testStart + 365 * 24 * 60 * 60_000 }), []);
  await clear();
});

test("a job that fails is tried again after each of its waits, then given up once, and kept as failed", async () => {
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

test("a job that is asked for again moves, with a new payload and all its attempts", async () => {
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

test("a job that is asked for again while it runs runs again", async () => {
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

test("a kind that nobody knows fails, and holds nobody up", async () => {
  const ran: string[] = [];
  const known = worker(async () => void ran.push("known"));
  await put(newJob({ name: "test.unknown", dueAt: testStart - 1 }));
  await put(newJob());
  assert.equal(await known.runDue(), 2);
  assert.deepEqual(ran, ["known"]);
  await known.stop();
  await clear();
});

test("a worker that was stopped takes nothing more, and its stop waits for what runs", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
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
  letGo();
  await stopped;
  assert.deepEqual(ended, ["job", "worker"]);
  await put(newJob());
  slow.wake();
  assert.equal(await slow.runDue(), 0);
  await clear();
});

test("payloads hold ids, never values: nothing personal stands in the table of jobs", async () => {
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone: "+13035550199" } })).body;
  await it.api.deliverVerification({ params: { uuid } });
  await it.api.createOneClick({ body: { phone: "+13035550199", email: "ada@example.com" } });
  const rows = await db.selectFrom("job").selectAll().where("environment", "=", "sandbox").execute();
  assert.ok(rows.length >= 2);
  for (const row of rows) {
    for (const value of Object.values(row.payload)) assert.match(value, /^([0-9a-f-]{36}|\d{1,12})$/, row.name);
    assert.ok(!/3035550199|ada@/.test(JSON.stringify(row)), row.name);
  }
});
