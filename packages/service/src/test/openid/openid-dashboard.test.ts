/** What the dashboard shows of an OpenID sign-in: its steps, and nothing by which the brand learns the phone. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Journey, JourneyLine } from "@countersign/contract/dashboard-journeys";
import type { LogLine } from "@countersign/contract/dashboard-reporting";
import { freshPhone } from "../harness/below-http.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { openidBrand, signIn } from "../harness/openid.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });

async function get<Value>(brand: string, rest: string): Promise<Value> {
  const { status, body } = await viewer.call("GET", `/api/brands/${brand}/sandbox${rest}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as Value;
}

for (const share of [true, false])
  test(`neither the journeys nor the log show the phone of somebody who ${share ? "signed in" : "declined"}`, async () => {
    const client = await openidBrand(it);
    const phone = freshPhone();
    await signIn(it, client, { scope: "openid" }, { phone, share });
    const [signup] = (await get<{ data: JourneyLine[] }>(client.uuid, "/journeys")).data;
    assert.deepEqual([signup?.kind, signup?.phoneLastFour], ["signup", null]);
    const journey = await get<Journey>(client.uuid, `/journeys/${signup?.uuid}`);
    assert.deepEqual([journey.flow, journey.phoneLastFour], ["openid", null]);
    const [proof] = journey.related;
    assert.equal((await get<Journey>(client.uuid, `/journeys/${proof?.uuid}`)).phoneLastFour, null);
    // Calls about them, and a call that guesses the phone.
    await refusal(client.api.readOneClick({ params: { uuid: signup?.uuid ?? "" } }));
    await refusal(client.api.readVerification({ params: { uuid: proof?.uuid ?? "" } }));
    await refusal(client.api.createOneClick({ body: { phone, credentialRequests: [], identityUuid: signup?.uuid } }));
    const linesOf = async (filter: object) => {
      const { status, body } = await viewer.call("POST", `/api/brands/${client.uuid}/sandbox/log`, { filter });
      assert.equal(status, 200, JSON.stringify(body));
      return (body as { data: LogLine[] }).data;
    };
    const lines = await eventually(async () => {
      const data = await linesOf({});
      return data.length >= 3 ? data : undefined;
    });
    assert.deepEqual(new Set(lines.map(({ phoneLastFour }) => phoneLastFour)), new Set([null]));
    assert.deepEqual([await linesOf({ lastFour: phone.slice(-4) }), await linesOf({ phone })], [[], []]);
  });
