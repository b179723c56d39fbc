/** Calls of a console session that ends while they wait for a lock: none changes anything. */
import assert from "node:assert/strict";
import test from "node:test";
import { endOtherOperatorSessions, lockOperators } from "../../domain/operator/operator-rows.ts";
import { demoBrands } from "../../providers/sandbox/demo.ts";
import { signedInStaff } from "../harness/console-staff.ts";
import type { Answer } from "../harness/dashboard-member.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const [{ uuid: brand = "" } = {}] = demoBrands;
type Staff = Awaited<ReturnType<typeof signedInStaff>>;

/** Starts calls that wait for the lock of a colleague who may end the session. */
async function meanwhile(calls: readonly (() => Promise<Answer>)[], ending: Staff | null): Promise<number[]> {
  const running: Promise<Answer>[] = [];
  await it.store.home.inTransaction(async (trx) => {
    await lockOperators(trx);
    for (const call of calls) running.push(call());
    await untilLockWaits(it, { count: calls.length });
    // As the deletion of the person's passkey does it.
    const except = it.deps.random.uuid();
    if (ending !== null) await endOtherOperatorSessions(trx, { operatorUuid: ending.uuid, except });
  });
  return (await Promise.all(running)).map(({ status }) => status);
}

async function entriesBy({ uuid }: Staff): Promise<string[]> {
  const entries = it.store.db.selectFrom("account_audit").select("action").where("operator_uuid", "=", uuid);
  return (await entries.orderBy("id").execute()).map(({ action }) => action);
}

test("a call that waits while a colleague ends its session is refused and changes nothing", async () => {
  const staff = await signedInStaff(it);
  const stop = () =>
    staff.call("POST", `/api/console/brands/${brand}/mode`, {
      environment: "sandbox",
      mode: "stopped",
      reason: "A leaked key",
    });
  assert.deepEqual(await meanwhile([stop], staff), [401]);
  assert.deepEqual(await it.store.db.selectFrom("brand_mode").select("mode").execute(), []);
  assert.deepEqual(await entriesBy(staff), ["operator.signedIn"]);
});

test("of two sign-outs of one session at once, one is recorded, and there is no deadlock", async () => {
  const staff = await signedInStaff(it);
  const leave = () => staff.call("DELETE", "/api/console/session");
  assert.deepEqual((await meanwhile([leave, leave], null)).sort(), [200, 401]);
  assert.equal((await staff.call("GET", "/api/console/me")).status, 401);
  assert.deepEqual(await entriesBy(staff), ["operator.signedIn", "session.ended"]);
});
