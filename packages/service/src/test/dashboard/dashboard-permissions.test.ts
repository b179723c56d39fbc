/**
 * Calls every dashboard endpoint as each role, without a session, and against another customer's data. The calls are
 * generated from the endpoint declarations.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "@countersign/contract/endpoint";
import { mayAs, memberRoles } from "@countersign/contract/member";
import type { HTTPMethods } from "fastify";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { demoBrands, firstDemoCustomer, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { type Answer, callsAs, signedIn } from "../harness/dashboard-member.ts";
import { png } from "../harness/logo-pictures.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";
import { noWorker } from "../harness/test-jobs.ts";
import { sampleOf } from "../harness/wrong-values.ts";

const it = await sandbox();
const calls = declaredEndpoints.filter(({ auth }) => auth === "member");
const unknown = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const brandOf = (customerUuid: string) => demoBrands.find((one) => one.customerUuid === customerUuid)?.uuid ?? "";
const members = Object.fromEntries(
  await Promise.all(memberRoles.map(async (role) => [role, await signedIn(it, { role })] as const)),
);
const strangers = await signedIn(it, { customerUuid: secondDemoCustomer.uuid, role: "viewer" });

/** Returns ids of the second customer, by the name of the path parameter. */
async function foreign(): Promise<Record<string, string>> {
  const brand = brandOf(secondDemoCustomer.uuid);
  const key = await it.store.db
    .selectFrom("api_key")
    .select("uuid")
    .where("brand_uuid", "=", brand)
    .executeTakeFirstOrThrow();
  return { brand, key: key.uuid, uuid: strangers.uuid, environment: "sandbox", ...(await foreignWebhook(brand)) };
}

let createdHook: { webhook: string; delivery: string } | undefined;

async function foreignWebhook(brand: string) {
  if (createdHook !== undefined) return createdHook;
  const endpoint = { url: "https://brand.example/hook", authentication: { type: "none" as const } };
  const webhook = (await defineEndpoint(it.deps, brand, endpoint)).uuid;
  // Do not wake the worker, so that the delivery does not change while rows are compared.
  const delivery = await sendTest({ ...it.deps, worker: noWorker }, { uuid: webhook });
  await it.store.db
    .updateTable("webhook_delivery")
    .set({ status: "deadLettered" })
    .where("uuid", "=", delivery)
    .execute();
  createdHook = { webhook, delivery };
  return createdHook;
}

function pathOf({ path, method, query }: Endpoint, params: Record<string, string>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? unknown);
  // Calls that change data may need the version that was read. Filters of reads are optional, so leave them out.
  return method === "GET" || query === undefined ? filled : `${filled}?${new URLSearchParams(queryOf(query))}`;
}

function queryOf(query: object): Record<string, string> {
  const sample = sampleOf(JSON.parse(JSON.stringify(query))) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, String(value)]));
}

/** Returns a body that passes validation. Its values may refer to nothing. */
function bodyOf({ body, bytes }: Endpoint): unknown {
  if (bytes !== undefined) return png();
  return body === undefined ? undefined : sampleOf(JSON.parse(JSON.stringify(body)));
}

async function contents(): Promise<string> {
  const tables = [
    "brand",
    "brand_settings",
    "api_key",
    "member",
    "customer",
    "approval_request",
    "webhook_endpoint",
    "webhook_delivery",
  ] as const;
  const rows = await Promise.all(tables.map((table) => it.store.db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows.map((table) => table.map((row) => JSON.stringify(row)).sort()));
}

test("every declared call is mounted on the dashboard's listener only, and names its minimum role", () => {
  assert.ok(calls.length > 30);
  for (const { id, method, path, role } of calls) {
    assert.ok(role !== undefined, id);
    const route = { method: method as HTTPMethods, url: path };
    assert.ok(it.dashboard.hasRoute(route), id);
    for (const other of [it.app, it.wallet]) assert.ok(!other.hasRoute(route), id);
  }
});

for (const call of calls) {
  const { id, method, role = "owner" } = call;
  test(`${id}: refuses callers without a session, roles below ${role}, and requests from other sites`, async () => {
    const was = await contents();
    const path = pathOf(call, { environment: "sandbox" });
    const body = bodyOf(call);
    const refused = (answer: Answer, status: number, who: string) => {
      assert.equal(answer.status, status, who);
      assertEnvelope(answer.status, answer.body);
    };
    for (const token of [null, "", "x".repeat(43)])
      refused(await callsAs(it, token)(method, path, body), 401, "without a session");
    for (const below of memberRoles.filter((one) => !mayAs(one, role)))
      refused((await members[below]?.call(method, path, body)) ?? assert.fail(), 403, below);
    const elsewhere = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
      { "sec-fetch-site": undefined, origin: "null" },
      { host: "rebound.example:4002", origin: "http://rebound.example:4002" },
    ];
    for (const headers of elsewhere)
      refused((await members.owner?.call(method, path, body, headers)) ?? assert.fail(), 403, JSON.stringify(headers));
    assert.equal(await contents(), was);
  });
}

const named = calls.filter(({ path }) => path.includes("/:"));
let leaks = 0;

for (const call of named) {
  test(`${call.id}: another customer's object gets the same response as an unknown one`, async () => {
    const theirs = await foreign();
    const was = await contents();
    const own = brandOf(firstDemoCustomer.uuid);
    const names = [...call.path.matchAll(/:(\w+)/g)]
      .map(([, name]) => name ?? "")
      .filter((one) => one !== "environment");
    const ask = async (params: Record<string, string>) => {
      const answer = (await members.owner?.call(call.method, pathOf(call, params), bodyOf(call))) ?? assert.fail();
      const { requestId: _requestId, ...data } = (answer.body.data ?? {}) as Record<string, unknown>;
      return JSON.stringify([answer.status, answer.body.message, data]);
    };
    for (const name of names) {
      const others = { brand: own, environment: "sandbox" };
      const answered = await ask({ ...others, [name]: theirs[name] ?? unknown });
      if (answered !== (await ask({ ...others, [name]: unknown }))) leaks += 1;
      assert.match(answered, /^\[(404|400),/, `${call.id} ${name}`);
    }
    assert.equal(await contents(), was);
  });
}

test("no list contains another customer's objects", async () => {
  assert.equal(leaks, 0);
  const theirs = await foreign();
  for (const { id, path, method } of calls.filter((one) => one.method === "GET" && !one.path.includes("/:"))) {
    const answer = (await members.owner?.call(method, path)) ?? assert.fail();
    assert.equal(answer.status, 200, id);
    for (const value of [theirs.brand, theirs.key, theirs.uuid, strangers.email, "Second demo customer"])
      assert.ok(!JSON.stringify(answer.body).includes(value ?? ""), `${id} returns ${value}`);
  }
  const foreignAudit = (await members.owner?.call("GET", `/api/audit?brand=${theirs.brand}`)) ?? assert.fail();
  assert.equal(foreignAudit.status, 404);
});
