/**
 * Calls every endpoint of the operator's console as each role, without a session, with a member's session, and from
 * other sites. The calls are generated from the endpoint declarations.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "@countersign/contract/endpoint";
import { mayOperateAs, operatorRoles } from "@countersign/contract/operator-role";
import type { HTTPMethods } from "fastify";
import { removeOperator } from "../../domain/operator/operators.ts";
import { callsAsStaff, signedInStaff } from "../harness/console-staff.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { type Answer, signedIn } from "../harness/dashboard-member.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";
import { sampleOf } from "../harness/wrong-values.ts";

const it = await sandbox();
const calls = declaredEndpoints.filter(({ auth }) => auth === "operator");
const unknown = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const staff = { operator: await signedInStaff(it, "operator"), support: await signedInStaff(it, "support") };
const member = await signedIn(it);

function bodyOf({ body }: Endpoint): unknown {
  return body === undefined ? undefined : sampleOf(JSON.parse(JSON.stringify(body)));
}
const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, unknown);

async function contents(): Promise<string> {
  const tables = [
    ...(["brand_approval", "brand_mode", "approval_request", "name_request", "account_audit", "person"] as const),
    ...(["operator", "operator_passkey", "operator_session", "passkey_challenge"] as const),
  ];
  const rows = await Promise.all(tables.map((table) => it.store.db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows.map((table) => table.map((row) => JSON.stringify(row)).sort()));
}

test("every declared call is mounted on the console's listener only, and names its minimum role", () => {
  assert.ok(calls.length >= 14);
  for (const { id, method, path, operatorRole } of calls) {
    assert.ok(operatorRole !== undefined, id);
    const route = { method: method as HTTPMethods, url: path };
    assert.ok(it.operatorConsole?.hasRoute(route), id);
    for (const other of [it.app, it.wallet, it.dashboard]) assert.ok(!other.hasRoute(route), id);
  }
});

const elsewhere: Record<string, string | undefined>[] = [
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "none" },
  { "sec-fetch-site": undefined, origin: "https://evil.example" },
  { "sec-fetch-site": undefined, origin: "null" },
  { host: "rebound.example:4003", origin: "http://rebound.example:4003" },
];

for (const call of calls) {
  const { id, method, operatorRole = "operator" } = call;
  test(`${id}: refuses callers without a session, members, roles below ${operatorRole}, and other sites`, async () => {
    const was = await contents();
    const [path, body] = [pathOf(call), bodyOf(call)];
    const refused = (answer: Answer, status: number, who: string) => {
      assert.equal(answer.status, status, who);
      assertEnvelope(answer.status, answer.body);
    };
    for (const token of [null, "", "x".repeat(43), member.token])
      refused(await callsAsStaff(it, token)(method, path, body), 401, "without a session");
    const asMember = { cookie: `countersign=${member.token}` };
    refused(await callsAsStaff(it, null)(method, path, body, asMember), 401, "a member");
    const asStaff = { cookie: `countersign=${staff.operator.token}` };
    refused(await callsAsStaff(it, null)(method, path, body, asStaff), 401, "under another cookie's name");
    for (const role of operatorRoles.filter((one) => !mayOperateAs(one, operatorRole)))
      refused(await staff[role].call(method, path, body), 403, role);
    for (const headers of elsewhere)
      refused(await staff.operator.call(method, path, body, headers), 403, JSON.stringify(headers));
    assert.equal(await contents(), was);
  });
}

test("a console session opens no endpoint of the dashboard", async () => {
  const cookie = `countersign=${staff.operator.token}; countersign-operator=${staff.operator.token}`;
  const headers = { "sec-fetch-site": "same-origin", cookie };
  for (const { method, path, auth } of declaredEndpoints.filter((one) => one.auth === "member")) {
    const url = path.replace(":environment", "sandbox").replace(/:\w+/g, unknown);
    const { statusCode } = await it.dashboard.inject({ method: method as "GET", url, headers });
    assert.equal(statusCode, 401, `${auth} ${path}`);
  }
});

test("support sees the queue, customers, people, the log and the status", async () => {
  const reads = ["me", "approvals", "customers", "audit", "status"].map((name) => `/api/console/${name}`);
  for (const path of reads) assert.equal((await staff.support.call("GET", path)).status, 200, path);
});

test("a removed operator, and one whose role changed, can do nothing with an open session", async () => {
  const removed = await signedInStaff(it);
  assert.equal((await removed.call("GET", "/api/console/me")).status, 200);
  await removeOperator(it.accounts, removed.uuid);
  assert.equal((await removed.call("GET", "/api/console/me")).status, 401);
  const { rows } = await it.store.pool.query(
    "select removed_at, email_index, link_hash from operator where uuid = $1",
    [removed.uuid],
  );
  assert.deepEqual([rows[0]?.removed_at !== null, rows[0]?.email_index, rows[0]?.link_hash], [true, null, null]);
});

test("a session ends after 30 minutes without a call, and after eight hours", async () => {
  const idle = await signedInStaff(it);
  const offset = it.accountClock.offsetMs();
  it.accountClock.setOffset(offset + 30 * 60_000 + 1);
  assert.equal((await idle.call("GET", "/api/console/me")).status, 401);
  it.accountClock.setOffset(offset);
  assert.equal((await idle.call("GET", "/api/console/me")).status, 200);
  for (let minutes = 0; minutes < 8 * 60; minutes += 20) {
    it.accountClock.setOffset(offset + minutes * 60_000);
    await idle.call("GET", "/api/console/me");
  }
  it.accountClock.setOffset(offset + 8 * 3_600_000);
  assert.equal((await idle.call("GET", "/api/console/me")).status, 401);
  it.accountClock.setOffset(offset);
});

test("signing out ends the session", async () => {
  const leaving = await signedInStaff(it);
  assert.equal((await leaving.call("DELETE", "/api/console/session")).status, 200);
  assert.equal((await leaving.call("GET", "/api/console/me")).status, 401);
});
