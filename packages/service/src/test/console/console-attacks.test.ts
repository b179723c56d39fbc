/** Attacks on the console by people who may use it, by their browsers, and by what brands write. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inviteOperator, removeOperator } from "../../domain/operator/operators.ts";
import { phoneOnRecord } from "../harness/account-page.ts";
import { callsAsStaff, signedInStaff } from "../harness/console-staff.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { sandbox } from "../harness/sandbox.ts";
import { sampleOf } from "../harness/wrong-values.ts";

const it = await sandbox();
const operator = await signedInStaff(it);
const phone = await phoneOnRecord(it);
await hostedShare(it, phone);
const record = { environment: "sandbox", phone, reason: "Case 4711" };
type Entries = { data: { action: string; who: string; reason: string; subject: string | null }[] };

test("a session loses the operator's calls as soon as the role changes, and all calls when the person is removed", async () => {
  const demoted = await signedInStaff(it);
  assert.equal((await demoted.call("GET", "/api/console/vendors")).status, 200);
  await inviteOperator(it.accounts, { email: demoted.email, name: demoted.name, role: "support" });
  for (const { id, method, path, body, operatorRole } of declaredEndpoints) {
    if (operatorRole !== "operator") continue;
    const sent = body === undefined ? undefined : sampleOf(JSON.parse(JSON.stringify(body)));
    const url = path.replace(/:\w+/g, operator.uuid);
    assert.equal((await demoted.call(method, url, sent)).status, 403, id);
  }
  assert.equal((await demoted.call("GET", "/api/console/status")).status, 200);
  await removeOperator(it.accounts, demoted.uuid);
  assert.equal((await demoted.call("GET", "/api/console/status")).status, 401);
});

test("an invitation that two browsers use at once opens one session", async () => {
  const { link } = await inviteOperator(it.accounts, { email: "j@operator.example", name: "Jared", role: "support" });
  const stranger = callsAsStaff(it, null);
  const use = async () =>
    (await stranger("POST", "/api/console/sign-in-link", { link: link.split("#")[1] })).body.outcome;
  const outcomes = await Promise.all([use(), use(), use()]);
  assert.deepEqual(outcomes.sort(), ["over", "over", "signedIn"]);
});

test("a reason does not take a phone number, an SSN or an email address in the forms that people write, which the log would keep", async () => {
  const gaps = ["/", "_", ", ", "\u2011", "\u2013", "\u200b"];
  const bad = [
    ...[`Call ${phone}`, "called (650) 253-0000 back", "650.253.0000", "from jared@piedpiper.com"],
    ...gaps.map((gap) => `Call ${["650", "253", "0000"].join(gap)}`),
    ...["\uff16\uff15\uff102530000", "SSN 123-45-6789", "from jared\uff20piedpiper.com"],
  ];
  for (const reason of bad) {
    const { status, body } = await operator.call("POST", "/api/console/people", { ...record, reason });
    assert.deepEqual([status, JSON.stringify(body).includes("body.reason")], [400, true], reason);
  }
  for (const reason of ["Case 4711", "Ticket 20261130-000412", "#1650253", "2026-12-01 18:30"])
    assert.equal((await operator.call("POST", "/api/console/people", { ...record, reason })).status, 200, reason);
  const { rows } = await it.store.pool.query("select reason from account_audit where reason is not null");
  for (const { reason } of rows) assert.ok(!bad.includes(reason), reason);
});

test("a refused deletion is a look, so nobody tries numbers against a person's uuid unseen", async () => {
  const other = "+13035550163";
  const { body } = await operator.call("POST", "/api/console/people", record);
  const { uuid } = body.person as { uuid: string };
  const tried = { ...record, phone: other, person: uuid, reason: "A guess" };
  assert.equal((await operator.call("POST", "/api/console/people/deletion", tried)).status, 404);
  const { data } = (await operator.call("GET", "/api/console/audit?action=person.viewed")).body as Entries;
  assert.deepEqual([data[0]?.who, data[0]?.reason, data[0]?.subject], [operator.name, "A guess", null]);
});

test("the export runs no formula of a reason, and has no phone", async () => {
  const formula = '=HYPERLINK("https://evil.example","x")';
  for (const reason of [formula, "+1+1", "-2+3", "@SUM(A1)", "＝1+1"])
    assert.equal((await operator.call("POST", "/api/console/people", { ...record, reason })).status, 200, reason);
  const { body } = await operator.call("POST", "/api/console/audit-csv", { reason: "=2+5" });
  const csv = String(body.csv);
  assert.ok(csv.includes("'=HYPERLINK("), "the formula is quoted");
  for (const line of csv.split("\r\n").slice(1))
    for (const cell of line.split(/,(?=")/)) assert.ok(!/^"\s*[=+\-@＝＋－＠]/.test(cell), cell);
  assert.ok(!csv.includes(phone.slice(-7)));
});

test("a logo that waits is shown to nobody else's page, and to nobody without a session", async () => {
  const url = `/api/console/logos/${operator.uuid}`;
  assert.equal((await operator.call("GET", url, undefined, { "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await callsAsStaff(it, null)("GET", url)).status, 401);
  assert.equal((await operator.call("GET", url)).status, 404);
});

test("nobody learns from a challenge whether a passkey or a person exists", async () => {
  const begun = await callsAsStaff(it, null)("POST", "/api/console/sign-in-passkey", {});
  assert.equal((begun.body.options as { allowCredentials?: unknown }).allowCredentials, undefined);
  const support = await signedInStaff(it, "support");
  assert.equal((await support.call("GET", "/api/console/operators")).status, 403);
  const answers = await Promise.all(
    [operator.uuid, it.deps.random.uuid()].map((uuid) =>
      support.call("POST", `/api/console/passkeys/${uuid}/proof`, {}),
    ),
  );
  assert.deepEqual(answers[0]?.status, answers[1]?.status);
  assert.equal(answers[0]?.body.message, answers[1]?.body.message);
});

test("support gets 403 from the operator's pages", async () => {
  const support = await signedInStaff(it, "support");
  for (const path of ["vendors", "retention", "operators"])
    assert.equal((await support.call("GET", `/api/console/${path}`)).status, 403, path);
  const texts = "/api/console/texts?environment=sandbox&days=7";
  assert.equal((await support.call("GET", texts)).status, 200);
});

test("one person looks at 60 people an hour, and others are not affected", async () => {
  const curious = await signedInStaff(it, "support");
  const unknown = (index: number) => `+1303555${String(1_000 + index)}`;
  const look = async (index: number) =>
    (await curious.call("POST", "/api/console/people", { ...record, phone: unknown(index) })).status;
  for (let index = 0; index < 60; index += 1) assert.equal(await look(index), 200);
  assert.equal(await look(60), 429);
  const stop = { ...record, phone: unknown(1) };
  assert.equal((await curious.call("POST", "/api/console/texts/stop", stop)).status, 429);
  assert.equal((await operator.call("POST", "/api/console/people", record)).status, 200);
});
