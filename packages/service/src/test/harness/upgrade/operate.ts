/** What the operator does in a filled database, and rows whose cause is outside the service. */
import assert from "node:assert/strict";
import { setMode } from "../../../domain/brand/manage.ts";
import { replacePayers } from "../../../domain/health/payer-rows.ts";
import { riskHistory } from "../../../domain/signup/risk-history.ts";
import { addAuthorities } from "../../../domain/state-id/authority-rows.ts";
import { readTrustFile } from "../../../domain/state-id/trust-list.ts";
import { bundledPayers } from "../../../providers/payers/directory.ts";
import { keyFrom, makeRoot } from "../../../providers/sandbox/state-id/authority.ts";
import { phoneOnRecord } from "../account-page.ts";
import { freshPhone } from "../below-http.ts";
import { signedInStaff } from "../console-staff.ts";
import { consolePasskey } from "../made-passkey.ts";
import { requestProduction } from "../production-request.ts";
import type { Upgradable } from "./open.ts";

/** What the operator's people do: they answer requests, limit brands, and look at a person. */
export async function operate(it: Upgradable, brandUuid: string) {
  const operator = await signedInStaff(it, "operator", "passkey");
  await consolePasskey(it, operator.uuid);
  await signedInStaff(it, "support", "passkey");
  const owner = await it.store.db.selectFrom("member").select("uuid").limit(1).executeTakeFirstOrThrow();
  await requestProduction(it, { brandUuid, memberUuid: owner.uuid, now: it.accountClock.now() });
  const limited = await it.brand();
  await setMode(it.admin, { brandUuid: limited.uuid, mode: "stopped" });
  const body = { environment: "sandbox", phone: await phoneOnRecord(it), reason: "Case 4711" };
  assert.equal((await operator.call("POST", "/api/console/people", body)).status, 200);
  return { token: operator.token };
}

/** Rows whose cause is outside: a directory of payers, a list of authorities, and traffic that looks like fraud. */
export async function fillBelow(it: Upgradable): Promise<void> {
  const { home } = it.store;
  await replacePayers(home, it.deps.clock, bundledPayers().payers.slice(0, 3));
  const root = await makeRoot("CA", "California", keyFrom(Buffer.alloc(32, 7)));
  const listed = readTrustFile({ bytes: root, at: it.accountClock.now() });
  await addAuthorities(home, listed, { source: "root.der", replaces: false, now: it.accountClock.now() });
  const judged = it.deps.phones.judge(freshPhone());
  assert.ok(judged.kind === "supported");
  await riskHistory(it.deps).of({ brandUuid: crypto.randomUUID(), phone: judged.phone, email: "somebody@example.com" });
  const window = it.deps.clock.now();
  const alarm = { environment: "sandbox", kind: "block" as const, key: Buffer.from("a block"), brand_uuid: null };
  await it.store.db
    .insertInto("conversion_alarm")
    .values({ ...alarm, window_start: window, raised_at: window, sent: 120, verified: 3 })
    .execute();
}
