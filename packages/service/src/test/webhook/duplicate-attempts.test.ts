/** Two workers can attempt the same delivery: the first one's lease ended, or its process seemed dead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptDelivery, retryDelaysMs } from "../../domain/webhook/deliver.ts";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { claim, releaseClaims } from "../../store/queue.ts";
import { sandbox } from "../harness/sandbox.ts";
import { noWorker } from "../harness/test-jobs.ts";

/** This sandbox runs no worker, so that only the test claims jobs. */
const it = await sandbox({}, { ROLES: "api,wallet,dashboard" });
const { db } = it.store;
const answers: PromiseWithResolvers<number>[] = [];
const outbound = {
  ...it.deps.vendors.outbound,
  async post() {
    const answer = Promise.withResolvers<number>();
    answers.push(answer);
    return { kind: "answered" as const, status: await answer.promise, durationMs: 1 };
  },
};
const deps = { ...it.deps, worker: noWorker, vendors: { ...it.deps.vendors, outbound } };

/** Claims the delivery's job and begins the attempt. The returned function ends it with the receiver's status. */
async function begin(deliveryUuid: string, realNow: number) {
  const jobs = await claim(db, "sandbox", { now: deps.clock.now(), realNow });
  const job = jobs.find(({ payload }) => payload.deliveryUuid === deliveryUuid) ?? assert.fail("no job");
  const begun = answers.length + 1;
  const attempt = attemptDelivery(deps, { deliveryUuid }, job);
  while (answers.length < begun) await new Promise(setImmediate);
  return async (status: number) => {
    answers[begun - 1]?.resolve(status);
    await attempt;
  };
}

async function newDelivery() {
  const { uuid: brandUuid } = await it.brand();
  const { uuid } = await defineEndpoint(deps, brandUuid, {
    url: "http://127.0.0.1:2/hook",
    authentication: { type: "none" },
  });
  return await sendTest(deps, { uuid });
}

test("two attempts at a delivery that end at the same time are recorded as one", async () => {
  const delivery = await newDelivery();
  const endFirst = await begin(delivery, 1);
  await releaseClaims(db);
  const endSecond = await begin(delivery, 2);
  await Promise.all([endFirst(500), endSecond(500)]);
  const recorded = await db.selectFrom("webhook_attempt").select("at").where("delivery_uuid", "=", delivery).execute();
  const row = await db.selectFrom("webhook_delivery").select("attempts").where("uuid", "=", delivery).execute();
  assert.deepEqual([recorded.length, row], [1, [{ attempts: 1 }]]);
});

for (const [first, second] of [
  [500, 500],
  [500, 200],
] as const)
  test(`after a duplicate attempt (${first}, then ${second}), the delivery keeps the job of its next attempt`, async () => {
    const delivery = await newDelivery();
    const endFirst = await begin(delivery, 1);
    await releaseClaims(db);
    const endSecond = await begin(delivery, 2);
    await endFirst(first);
    await endSecond(second);
    const due = deps.clock.now() + retryDelaysMs[0];
    const jobs = await db
      .selectFrom("job")
      .select(["due_at", "leased_until"])
      .where("subject", "=", delivery)
      .execute();
    assert.deepEqual(jobs, [{ due_at: due, leased_until: 0 }]);
    const row = await db.selectFrom("webhook_delivery").selectAll().where("uuid", "=", delivery).executeTakeFirst();
    assert.deepEqual([row?.status, row?.attempts, row?.next_attempt_at], ["pending", 1, due]);
  });
