/** Figures in the console: of the service now and over a day, and of one brand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConsoleBrandPage, ConsoleCustomer } from "@countersign/contract/console-customers";
import type { ConsoleStatus, TrafficOverTime } from "@countersign/contract/console-status";
import { signedInStaff } from "../harness/console-staff.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

async function customerWithBrand(name: string) {
  const customerUuid = it.deps.random.uuid();
  await it.store.db.insertInto("customer").values({ uuid: customerUuid, name, created_at: 1 }).execute();
  const { call } = await signedIn(it, { customerUuid });
  const { uuid } = (await call("POST", "/api/brands", { name, integrationType: "api" })).body as { uuid: string };
  return { customerUuid, uuid, call };
}

test("a brand's page has its calls by day, its errors, its webhooks and its limits, and the look is recorded", async () => {
  const customer = await customerWithBrand("Endframe");
  const now = it.deps.clock.now();
  const day = 86_400_000;
  const call = (daysAgo: number, status: number, code: string | null = null) => ({
    ...{ environment: "sandbox", at: now - daysAgo * day - 1_000, request_id: "r", brand_uuid: customer.uuid },
    ...{ method: "POST", route: "/v2/1-click", status, error_code: code, latency_ms: 20 },
  });
  const usual = Array.from({ length: 6 }, (_, index) => Array.from({ length: 20 }, () => call(index + 1, 200))).flat();
  const today = [...Array.from({ length: 60 }, () => call(0, 200)), call(0, 503), call(0, 400, "OCE011"), call(8, 200)];
  await it.store.db
    .insertInto("request_log")
    .values([...usual, ...today])
    .execute();
  const webhooks = `/api/brands/${customer.uuid}/sandbox/webhooks`;
  const url = "https://hooks.endframe.example/x";
  assert.equal((await customer.call("POST", webhooks, { url, authentication: { type: "none" } })).status, 201);
  await it.store.db
    .updateTable("webhook_endpoint")
    .set({ failing_since: now - day })
    .where("brand_uuid", "=", customer.uuid)
    .execute();

  const support = await signedInStaff(it, "support");
  const { body } = await support.call("GET", `/api/console/brands/${customer.uuid.toUpperCase()}`);
  const page = body as unknown as ConsoleBrandPage;
  const sandboxed = page.environments.find(({ environment }) => environment === "sandbox") ?? assert.fail();
  assert.deepEqual([page.name, page.customer.name, page.customer.members], ["Endframe", "Endframe", 1]);
  assert.deepEqual(sandboxed.days, [20, 20, 20, 20, 20, 20, 62]);
  assert.deepEqual(sandboxed.failedDays, [0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual([sandboxed.calls, sandboxed.failed, sandboxed.unusual], [182, 1, "more"]);
  assert.deepEqual(sandboxed.errors, [
    { code: "503", calls: 1 },
    { code: "OCE011", calls: 1 },
  ]);
  assert.deepEqual([sandboxed.webhooks, sandboxed.failingWebhooks, sandboxed.failingSince], [1, 1, now - day]);
  assert.equal(sandboxed.keys, 1);

  const { body: list } = await support.call("GET", "/api/console/customers");
  const names = (list.data as ConsoleCustomer[]).map(({ name }) => name);
  assert.equal(names[0], "Endframe", "a failing webhook comes first");
  assert.ok(names.length > 1);
  const status = (await support.call("GET", "/api/console/status")).body as unknown as ConsoleStatus;
  const { count, oldest } = status.environments[0]?.failingWebhooks ?? assert.fail();
  assert.deepEqual([count, oldest[0]?.brand, oldest[0]?.since], [1, customer.uuid, now - day]);
  await it.store.db.updateTable("webhook_endpoint").set({ disabled_at: now }).execute();
  const later = (await support.call("GET", "/api/console/status")).body as unknown as ConsoleStatus;
  assert.equal(later.environments[0]?.failingWebhooks.count, 0, "nobody waits for a disabled webhook");

  const [look] = (await customer.call("GET", "/api/audit")).body.data as Record<string, unknown>[];
  assert.deepEqual([look?.action, look?.actor, look?.who], ["brand.viewed", "operator", null]);
  await support.call("GET", `/api/console/brands/${customer.uuid}`);
  const looks = async () => {
    const rows = await it.store.db.selectFrom("account_audit").select("action").execute();
    return rows.filter(({ action }) => action === "brand.viewed").length;
  };
  assert.equal(await looks(), 1, "a page that is read again is the same look");
  const colleague = await signedInStaff(it);
  await colleague.call("GET", `/api/console/brands/${customer.uuid}`);
  assert.equal(await looks(), 2);
  it.accountClock.setOffset(10 * 60_000 + 1);
  await colleague.call("GET", `/api/console/brands/${customer.uuid}`);
  assert.equal(await looks(), 3);
  it.accountClock.setOffset(0);
  const before = await it.store.db.selectFrom("account_audit").selectAll().execute();
  for (const unknown of [it.deps.random.uuid(), customer.customerUuid])
    assert.equal((await support.call("GET", `/api/console/brands/${unknown}`)).status, 404, unknown);
  assert.equal((await it.store.db.selectFrom("account_audit").selectAll().execute()).length, before.length);
});

test("the last day has 48 periods with calls, failed calls and the 95th percentile, and older calls are left out", async () => {
  await it.store.db.deleteFrom("request_log").execute();
  const now = it.deps.clock.now();
  const hour = 3_600_000;
  const call = (hoursAgo: number, status: number, latency: number) => ({
    ...{ environment: "sandbox", at: now - hoursAgo * hour, request_id: "r", brand_uuid: null, method: "GET" },
    ...{ route: "/v2/1-click/:uuid", status, latency_ms: latency },
  });
  await it.store.db
    .insertInto("request_log")
    .values([call(25, 500, 9), call(3, 200, 10), call(3, 500, 700), call(3, 404, 20)])
    .execute();
  const { body } = await (await signedInStaff(it, "support")).call("GET", "/api/console/traffic");
  const [sandboxed] = body.data as TrafficOverTime[];
  assert.equal(sandboxed?.periods.length, 48);
  const used = sandboxed?.periods.filter(({ calls }) => calls > 0) ?? [];
  assert.deepEqual(
    used.map(({ calls, failed, p95Ms }) => [calls, failed, p95Ms]),
    [[3, 1, 700]],
  );
  const [one] = used;
  assert.ok(one !== undefined && one.at <= now - 3 * hour && one.at + hour / 2 > now - 3 * hour);
  assert.ok((sandboxed?.periods.at(-1)?.at ?? 0) <= now);
});

test("the status has figures of the databases and names nobody", async () => {
  it.metrics.vendors.breakerTurned({ vendor: "twilio", state: "open" });
  const failed = (vendor: string, outcome: string, at: number) =>
    it.metrics.vendors.called({ vendor, operation: "ask", outcome, at, durationMs: 1 });
  const at = it.accountClock.now();
  failed("stedi", "certificate not valid", at);
  failed("camara", "certificate not valid", at - 3_600_000);
  failed("smtp", "certificate not valid", at - 2);
  failed("smtp", "timeout", at - 1);
  const { body } = await (await signedInStaff(it, "support")).call("GET", "/api/console/status");
  const status = body as unknown as ConsoleStatus;
  assert.deepEqual(status.pausedVendors, ["twilio"]);
  assert.deepEqual(status.badCertificates, ["stedi"]);
  assert.equal(status.databases[0]?.answers, true);
  assert.equal(status.environments.length, 1);
  assert.ok(!JSON.stringify(body).includes("+1"));
});

test("the status counts brands that require a state ID while no authority is trusted", async () => {
  await it.brand({ governmentId: { required: true } });
  const support = await signedInStaff(it, "support");
  const blocked = async () => {
    const status = (await support.call("GET", "/api/console/status")).body as unknown as ConsoleStatus;
    return status.environments[0]?.blockedBrands;
  };
  assert.equal(await blocked(), 0);
  const { stateIds } = it.deps.vendors;
  it.deps.vendors.stateIds = { ...stateIds, authorities: async () => [] };
  try {
    assert.equal(await blocked(), 1);
  } finally {
    it.deps.vendors.stateIds = stateIds;
  }
});
