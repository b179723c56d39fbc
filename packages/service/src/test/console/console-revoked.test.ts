/** A request for production that was granted does not wait again when the operator revokes the approval. */
import assert from "node:assert/strict";
import test from "node:test";
import type { ConsoleBrandPage } from "@countersign/contract/console-customers";
import { signedInStaff } from "../harness/console-staff.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { requestProduction } from "../harness/production-request.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const operator = await signedInStaff(it);
const customerUuid = it.deps.random.uuid();
await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: "Hooli", created_at: 1 }).execute();
const owner = await signedIn(it, { customerUuid });
const made = await owner.call("POST", "/api/brands", { name: "Hooli", integrationType: "api" });
const brandUuid = String(made.body.uuid);
assert.equal((await owner.call("POST", `/api/brands/${brandUuid}/production`, { sourceVersion: 1 })).status, 201);

/** Where the brand is shown as waiting: the queue, how many wait, the brand's page, and the brand's own dashboard. */
async function waiting() {
  const queue = (await operator.call("GET", "/api/console/approvals")).body as { production: { brand: string }[] };
  const page = (await operator.call("GET", `/api/console/brands/${brandUuid}`)).body as unknown as ConsoleBrandPage;
  const own = await owner.call("GET", `/api/brands/${brandUuid}/production/approvals`);
  return {
    queue: queue.production.filter(({ brand }) => brand === brandUuid).length,
    count: (await operator.call("GET", "/api/console/me")).body.waiting,
    page: page.environments.some(({ askedAt }) => askedAt !== null),
    dashboard: own.body.request !== undefined,
  };
}
const some = { queue: 1, count: 1, page: true, dashboard: true };
const none = { queue: 0, count: 0, page: false, dashboard: false };
/** Asks a second after what happened before, because the clock stands still. */
async function ask(): Promise<void> {
  it.accountClock.setOffset(it.accountClock.offsetMs() + 1_000);
  await requestProduction(it, { brandUuid, memberUuid: owner.uuid, now: it.accountClock.now() });
}
async function change(granted: boolean): Promise<void> {
  const input = { environment: "production", approval: "production", granted, reason: "Case 7" };
  assert.equal((await operator.call("POST", `/api/console/brands/${brandUuid}/approvals`, input)).status, 200);
}

test("a granted request for production does not wait again after a revocation, and a new one waits", async () => {
  assert.deepEqual(await waiting(), none);
  await ask();
  assert.deepEqual(await waiting(), some);
  await change(true);
  assert.deepEqual(await waiting(), none);
  await change(false);
  assert.deepEqual(await waiting(), none);
  await ask();
  assert.deepEqual(await waiting(), some);
  // Nobody can refuse the request that was granted, so the brand's page can still grant and revoke.
  await change(true);
  await change(false);
  await change(true);
  assert.deepEqual(await waiting(), none);
});
