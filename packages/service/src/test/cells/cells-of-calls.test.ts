// alone: its harness opens cells that every sandbox of the process would use
/** Calls that name people of two cells, or that prove a phone of another cell than at first. */
import assert from "node:assert/strict";
import test from "node:test";
import { answerSelector } from "../../domain/idempotency/idempotent-answer-rows.ts";
import { chooseOneClick, findSdkSession } from "../../domain/session/session-rows.ts";
import { holdsUuid } from "../../store/held-rows.ts";
import { callerOf } from "../harness/below-http.ts";
import { refusal, sdkKey } from "../harness/sandbox.ts";
import {
  continueFrame,
  it,
  judged,
  openCell,
  openFrame,
  phoneOf,
  relay,
  signup,
  verified,
} from "../harness/second-cell.ts";

await openCell();
const hostedKey = "sk_sandbox_demo_hosted";

test("a session whose first start failed stores the 1-Click in the cell of the phone that it proves later", async () => {
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const sdk = it.as(sdkKey);
    const { sessionKey } = (await sdk.createSession({ body: { phone: phoneOf(first) } })).body;
    const token = await openFrame(sessionKey);
    const session = (await findSdkSession(it.homeDeps, token)) ?? assert.fail("no session");
    // The first start chose a 1-Click, and failed before it was stored.
    const failed = await it.homeDeps.cells.ofPhone(judged(phoneOf(first)));
    await chooseOneClick(session, { former: null, oneClickUuid: failed.random.uuid() });
    const verificationUuid = await verified(phoneOf(second), sdk);
    await session.keyed
      .updateTable("session")
      .set({ verification_uuid: verificationUuid })
      .where("uuid", "=", session.uuid)
      .execute();
    for (const time of ["first", "repeated"]) assert.equal((await continueFrame(token)).status, 201, time);
    const uuid = (await findSdkSession(it.homeDeps, token))?.oneClickUuid ?? assert.fail("no 1-Click");
    assert.ok(await holdsUuid((await it.homeDeps.cells.ofUuid(uuid)).db, uuid), `${first} ${second}`);
  }
});

test("a hosted call is answered and repeated although its identityUuid leads to a cell that is unreachable", async () => {
  const foreign = await signup(phoneOf(1));
  const { brand } = await callerOf(it, hostedKey);
  let at = 0;
  const key = () => ({ brandUuid: brand.uuid, endpoint: "/v2/1-click", idempotencyKey: `hosted-${at}` });
  while (it.deps.keyed(answerSelector(key())) !== it.deps.ownKeyed) at += 1;
  const headers = { "idempotency-key": key().idempotencyKey };
  const body = { phone: phoneOf(0), identityUuid: foreign.uuid };
  relay.close();
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid: foreign.uuid } }))).status, 503);
  const begun = await it.as(hostedKey).beginOneClick({ body, headers });
  const again = await it.as(hostedKey).beginOneClick({ body, headers });
  assert.deepEqual(again.body, begun.body);
  assert.equal(again.headers["idempotent-replayed"], "true");
});
