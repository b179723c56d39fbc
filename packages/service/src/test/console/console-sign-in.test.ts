/** Sign-in to the console where a link is not enough: as in every installation that is not a demo. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inviteOperator } from "../../domain/operator/operators.ts";
import { callsAsStaff, signedInStaff } from "../harness/console-staff.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { sandbox } from "../harness/sandbox.ts";
import { sampleOf } from "../harness/wrong-values.ts";

const it = await sandbox({}, { DEMO: "off", OPERATOR_PORT: "4003" });
const unknown = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";

test("a session that began with a link may only add a passkey", async () => {
  const invited = await signedInStaff(it);
  const { status, body } = await invited.call("GET", "/api/console/me");
  assert.deepEqual([status, body.needsPasskey], [200, true]);
  const allowed = ["readConsoleMe", "beginOperatorPasskey", "finishOperatorPasskey", "signOperatorOut"];
  for (const { id, method, path, body: schema, auth } of declaredEndpoints) {
    if (auth !== "operator" || allowed.includes(id)) continue;
    const sent = schema === undefined ? undefined : sampleOf(JSON.parse(JSON.stringify(schema)));
    const answer = await invited.call(method, path.replace(/:\w+/g, unknown), sent);
    assert.equal(answer.status, 403, id);
    assert.match(String(answer.body.message), /Add a passkey first/, id);
  }
  assert.equal((await invited.call("GET", `/api/console/logos/${unknown}`)).status, 403);
  const begun = await invited.call("POST", "/api/console/me/passkeys", {});
  assert.equal(begun.status, 201);
});

test("only a session that began with a link adds a passkey", async () => {
  const stolen = await signedInStaff(it);
  await it.store.db.updateTable("operator_session").set({ method: "passkey" }).execute();
  const answer = await stolen.call("POST", "/api/console/me/passkeys", {});
  assert.equal(answer.status, 403);
  assert.match(String(answer.body.message), /operators invite/);
  assert.equal((await stolen.call("GET", "/api/console/approvals")).status, 200);
});

test("a link works once, until it expires, and not after a newer one", async () => {
  const person = { email: "monica@operator.example", name: "Monica", role: "support" as const };
  const use = async (link: string) => {
    const body = { link: link.split("#")[1] };
    const { body: answer, headers } = await callsAsStaff(it, null)("POST", "/api/console/sign-in-link", body);
    return [answer.outcome, headers["set-cookie"] !== undefined];
  };
  const first = await inviteOperator(it.accounts, person);
  const second = await inviteOperator(it.accounts, person);
  assert.equal(first.uuid, second.uuid);
  assert.deepEqual(await use(first.link), ["over", false]);
  assert.deepEqual(await use(second.link), ["signedIn", true]);
  assert.deepEqual(await use(second.link), ["over", false]);
  const third = await inviteOperator(it.accounts, person);
  it.accountClock.setOffset(24 * 3_600_000);
  assert.deepEqual(await use(third.link), ["over", false]);
  it.accountClock.setOffset(0);
  assert.match(third.link, /^http:\/\/localhost:4003\/sign-in#[0-9A-Za-z]{43}$/);
});

test("the session's cookie is no script's and no other site's", async () => {
  const { link } = await inviteOperator(it.accounts, { email: "a@operator.example", name: "A", role: "operator" });
  const body = { link: link.split("#")[1] };
  const { headers } = await callsAsStaff(it, null)("POST", "/api/console/sign-in-link", body);
  assert.match(String(headers["set-cookie"]), /^countersign-operator=\w{43}; .*HttpOnly.*SameSite=Strict/);
});

test("signing in opens a new session and ends the browser's previous one", async () => {
  const before = await signedInStaff(it);
  const { link } = await inviteOperator(it.accounts, { email: "b@operator.example", name: "B", role: "operator" });
  const { headers } = await before.call("POST", "/api/console/sign-in-link", { link: link.split("#")[1] });
  assert.ok(!String(headers["set-cookie"]).includes(before.token));
  assert.equal((await before.call("GET", "/api/console/me")).status, 401);
});

test("refused sign-ins are logged without what was tried", async () => {
  const link = "A".repeat(43);
  await callsAsStaff(it, null)("POST", "/api/console/sign-in-link", { link });
  const line = it.log.find(({ message }) => message === "operator's sign-in rejected");
  assert.equal(line?.fields?.outcome, "over");
  assert.ok(!JSON.stringify(it.log).includes(link));
});

test("the console is off unless its port is set", async () => {
  const without = await sandbox({}, { DEMO: "off" });
  assert.equal(without.operatorConsole, null);
  await assert.rejects(
    inviteOperator(without.accounts, { email: "a@operator.example", name: "A", role: "operator" }),
    /The console is off/,
  );
});

test("a forwarded address does not change whose sign-ins are counted, although the brands' proxy is on this machine", async () => {
  const behind = await sandbox({}, { DEMO: "off", OPERATOR_PORT: "4003", TRUSTED_PROXIES: "127.0.0.1" });
  const statuses = new Set<number>();
  for (let index = 0; index < 31; index += 1) {
    const call = callsAsStaff(behind, null);
    const { status } = await call("POST", "/api/console/sign-in-passkey", {}, { "x-forwarded-for": `8.8.${index}.1` });
    statuses.add(status);
  }
  assert.deepEqual([...statuses], [201, 429]);
});
