/** Sign-in to the console with a real OpenID provider: only invited people get in, with the role they were invited with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inviteOperator, removeOperator } from "../../domain/operator/operators.ts";
import { callsAsStaff } from "../harness/console-staff.ts";
import { openIdServer } from "../harness/openid-provider.ts";
import { sandbox } from "../harness/sandbox.ts";

const provider = await openIdServer();
const it = await sandbox({}, { ...provider.environment, DEMO: "off", OPERATOR_PORT: "4003" });
const consoleUrl = "http://localhost:4003";
it.accounts.addresses.operatorUrl = consoleUrl;
provider.open(consoleUrl);
const stranger = callsAsStaff(it, null);
const person = { email: "monica@example.com", isVerified: true };

async function begin(account: typeof provider.someone.account) {
  provider.someone.account = account;
  const { status, body } = await stranger("POST", "/api/console/sign-in-openid", {});
  assert.equal(status, 201, JSON.stringify(body));
  return { uuid: String(body.uuid), query: await provider.follow(String(body.url), consoleUrl) };
}
const finish = async ({ uuid, query }: { uuid: string; query: string }) => {
  const { body, headers } = await stranger("POST", `/api/console/sign-in-openid/${uuid}`, { query });
  const [, token = null] = /countersign-operator=([^;]+)/.exec(String(headers["set-cookie"] ?? "")) ?? [];
  return { outcome: body.outcome, token };
};
const outcomeOf = async (account: typeof provider.someone.account) => (await finish(await begin(account))).outcome;

const { uuid } = await inviteOperator(it.accounts, { email: person.email, name: "Monica", role: "support" });

test("an invited person with a verified address gets a session with their role, which the audit log names", async () => {
  const { outcome, token } = await finish(await begin(person));
  assert.equal(outcome, "signedIn");
  const call = callsAsStaff(it, token);
  const { body } = await call("GET", "/api/console/me");
  assert.deepEqual([(body.operator as { role: string }).role, body.needsPasskey], ["support", false]);
  assert.equal((await call("GET", "/api/console/vendors")).status, 403);
  const { data } = (await call("GET", "/api/console/audit?action=operator.signedIn")).body as {
    data: { who: string; subject: string }[];
  };
  assert.equal(data[0]?.who, "Monica");
  assert.match(data[0]?.subject ?? "", /^openid, /);
  assert.equal((await call("POST", "/api/console/me/passkeys", {})).status, 403, "only a link adds a passkey");
});

test("others are refused: not invited, not verified, not allowed, a member of a brand, or canceled", async () => {
  assert.equal(await outcomeOf({ email: "nobody@example.com", isVerified: true }), "notMember");
  assert.equal(await outcomeOf({ email: "demo@example.com", isVerified: true }), "notMember");
  assert.equal(await outcomeOf({ ...person, isVerified: false }), "notVerified");
  assert.equal(await outcomeOf({ email: "monica@foreign.example", isVerified: true }), "notAllowed");
  assert.equal(await outcomeOf(null), "denied");
});

test("an answer of the provider works once, and opens no session of the dashboard", async () => {
  const begun = await begin(person);
  const atDashboard = await it.dashboard.inject({
    method: "POST",
    url: `/api/sign-in-openid/${begun.uuid}`,
    headers: { "sec-fetch-site": "same-origin" },
    payload: { query: begun.query },
  });
  assert.notEqual(atDashboard.json<{ outcome?: string }>().outcome, "signedIn");
  const again = await begin(person);
  assert.equal((await finish(again)).outcome, "signedIn");
  assert.deepEqual(await finish(again), { outcome: "over", token: null });
});

test("a removed person does not get in again", async () => {
  const { token } = await finish(await begin(person));
  await removeOperator(it.accounts, uuid);
  assert.equal((await callsAsStaff(it, token)("GET", "/api/console/me")).status, 401);
  assert.equal(await outcomeOf(person), "notMember");
});
