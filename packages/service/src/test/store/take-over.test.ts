import assert from "node:assert/strict";
import { test } from "node:test";
import { takeOver } from "../../jobs/worker.ts";
import { claim } from "../../store/queue.ts";
import { sandbox, testStart } from "../harness/sandbox.ts";
import { enqueueTestJobs, environment, newJob, realNow } from "../harness/test-jobs.ts";

const it = await sandbox();
const { db } = it.stores.store;
const leaseMs = 60_000;

async function putAndClaim(subject: string, processNumber: number): Promise<void> {
  await db.inTransaction((trx) => enqueueTestJobs(trx, newJob({ subject })));
  assert.equal((await claim(db, environment, { now: testStart, realNow, processNumber })).length, 1);
}
async function leaseOf(subject: string): Promise<number> {
  const of = db.selectFrom("job").select("leased_until").where("environment", "=", environment);
  return (await of.where("subject", "=", subject).executeTakeFirstOrThrow()).leased_until;
}

test("the claims of a dead process are released at the second scan; those of a live process are not", async () => {
  await putAndClaim("dead", 7);
  await putAndClaim("living", it.signals.processNumber);
  let woken = 0;
  const clock = { now: () => testStart };
  const wake = () => {
    woken += 1;
  };
  const watching = takeOver({ ...it.deps, environment, clock }, { realNow: () => realNow, wake });
  await watching.check();
  assert.deepEqual([await leaseOf("dead"), woken], [realNow + leaseMs, 0]);
  await watching.check();
  assert.deepEqual([await leaseOf("dead"), woken], [0, 1]);
  assert.equal(await leaseOf("living"), realNow + leaseMs);
});
