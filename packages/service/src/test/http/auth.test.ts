import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openKeyRing } from "../../domain/brand/key-ring.ts";
import { createBrand, createCustomer } from "../../domain/brand/manage.ts";
import { announceChange } from "../../store/signals.ts";
import { mountedOn } from "../harness/contract-endpoints.ts";
import { assertEnvelope, demoKey, refusal, sandbox, stillClock } from "../harness/sandbox.ts";

const it = await sandbox();
await it.wallet.ready();
const keyed = "/v2/1-click/verifications/channels";
const open = "/1-click/verifications/device-ip";

type Headers = Record<string, string>;
async function statusOf(url: string, headers: Headers, remoteAddress?: string): Promise<number> {
  const { status, body } = await it.inject({ method: "GET", url, headers, remoteAddress });
  if (status >= 400) assertEnvelope(status, body);
  return status;
}
const withKey = (authorization: string, more: Headers = {}) => ({ authorization, ...more });

/** Creates a brand, changes the stored row of its key, and returns the key. */
async function changedKey(change: { revoked_at?: number; ip_ranges?: string[] }): Promise<string> {
  const brand = await it.brand();
  await it.store.db.updateTable("api_key").set(change).where("brand_uuid", "=", brand.uuid).execute();
  it.signals.changed();
  return brand.apiKey;
}

test("without a key, every path that needs one returns 401 with the five error members, whatever the body is", async () => {
  const keyless = mountedOn([it.app, it.wallet]).filter(({ endpoint }) => endpoint.auth === "brandKey");
  assert.ok(keyless.length > 8);
  for (const { endpoint, prefix } of keyless) {
    for (const payload of [undefined, "{}", "{", "x".repeat(2_000_000)]) {
      const url = `${prefix}${endpoint.path.replace(/:\w+/g, "x")}`;
      const { status, body } = await it.inject({ method: endpoint.method as "POST", url, payload });
      assertEnvelope(status, body);
      assert.deepEqual(
        { ...body, data: {} },
        {
          name: "NotAuthenticated",
          message: "A valid API key is required in the Authorization header.",
          code: 401,
          className: "not-authenticated",
          data: {},
        },
      );
    }
  }
});

test("the bare key is accepted, and so is the key after Bearer in any letter case", async () => {
  for (const scheme of ["", "Bearer ", "bearer ", "BEARER ", "bEaReR   "])
    assert.equal(await statusOf(keyed, withKey(`${scheme}${demoKey}`)), 200, scheme);
  for (const wrong of [`Basic ${demoKey}`, `${demoKey}x`, demoKey.toUpperCase(), "Bearer", "x".repeat(5_000), "é"])
    assert.equal(await statusOf(keyed, withKey(wrong)), 401, wrong.slice(0, 40));
});

test("a production key does not work in the sandbox", async () => {
  const production = {
    ...it.admin,
    environment: "production" as const,
    consentDeclared: false,
    loopbackRedirects: false,
  };
  const customerUuid = await createCustomer(production, { name: "Live" });
  const what = { customerUuid, name: "Live", settings: {}, approvals: [] };
  const both = await it.brand();
  for (const { apiKey } of [
    await createBrand(production, what),
    // The production key of a brand that also exists in the sandbox.
    await createBrand(production, { ...what, uuid: both.uuid }),
  ]) {
    assert.match(apiKey, /^sk_production_/);
    assert.equal(await statusOf(keyed, withKey(apiKey)), 401);
    assert.equal(await statusOf("/sandbox/clock", withKey(apiKey)), 401);
  }
  assert.equal(await statusOf(keyed, withKey(both.apiKey)), 200);
});

test("open paths work without a key", async () => {
  assert.equal(await statusOf(open, {}), 200);
  const keyless = mountedOn([it.app]).filter(({ endpoint }) => endpoint.auth === "none");
  assert.ok(keyless.length > 4);
  for (const { endpoint, prefix } of keyless) {
    const url = `${prefix}${endpoint.path.replace(/:\w+/g, "x")}`;
    const { status } = await it.inject({ method: endpoint.method, url });
    assert.notEqual(status, 401, url);
  }
});

test("a business error has its HTTP status and errorCode", async () => {
  const error = await refusal(it.api.createOneClick({ body: {} }));
  assert.deepEqual([error.status, error.errorCode], [400, "OCE003"]);
});

test("a revoked key is rejected as soon as the other processes are notified", async () => {
  const brand = await it.brand();
  assert.equal(await statusOf(keyed, withKey(brand.apiKey)), 200);
  const nextSignal = () => new Promise<void>((resolve) => it.signals.onChange(resolve));
  let signal = nextSignal();
  await it.store.db.inTransaction(async (trx) => {
    await trx.updateTable("api_key").set({ revoked_at: 1 }).where("brand_uuid", "=", brand.uuid).execute();
    await sql.raw(announceChange).execute(trx);
  });
  // A signal about the brand's creation may arrive first. The last signal is about the revocation.
  while ((await statusOf(keyed, withKey(brand.apiKey))) !== 401) {
    await signal;
    signal = nextSignal();
  }
  assert.equal(await statusOf(keyed, withKey(await changedKey({ revoked_at: 1 }))), 401);
});

test("while no notifications arrive, no key is cached; unknown keys are never cached", async () => {
  const { apiKey, uuid } = await it.brand();
  const signals = { ...it.signals, onChange: () => {} };
  const { db } = it.store;
  const change = (revoked_at: number | null) =>
    db.updateTable("api_key").set({ revoked_at }).where("brand_uuid", "=", uuid).execute();
  const options = { home: it.store.home, clock: it.deps.clock, environment: "sandbox" as const };
  const disconnected = openKeyRing({ ...options, signals: { ...signals, connected: () => false } });
  assert.equal((await disconnected.ownerOf(apiKey))?.brand.uuid, uuid);
  await change(1);
  assert.equal(await disconnected.ownerOf(apiKey), null);
  const connected = openKeyRing({ ...options, signals: { ...signals, connected: () => true } });
  assert.equal(await connected.ownerOf(apiKey), null);
  await change(null);
  assert.equal((await connected.ownerOf(apiKey))?.brand.uuid, uuid);
});

test("the oldest cached keys make room when the cached settings become too long", async () => {
  const brands = [await it.brand(), await it.brand(), await it.brand()];
  const signals = { ...it.signals, connected: () => true, onChange: () => {} };
  const { home } = it.store;
  const options = { home, signals, clock: it.deps.clock, environment: "sandbox" as const };
  const owner = await openKeyRing(options).ownerOf(brands[0]?.apiKey ?? "");
  const charsMax = JSON.stringify(owner?.brand.settings).length * 2.5;
  const ring = openKeyRing({ ...options, charsMax });
  const owners = () =>
    Promise.all(brands.map(async ({ apiKey, uuid }) => (await ring.ownerOf(apiKey))?.brand.uuid === uuid));
  for (const { apiKey, uuid } of brands) assert.equal((await ring.ownerOf(apiKey))?.brand.uuid, uuid);
  // Without a notification, only a key that is not cached is noticed to be revoked.
  await home
    .updateTable("api_key")
    .set({ revoked_at: 1 })
    .where(
      "brand_uuid",
      "in",
      brands.map(({ uuid }) => uuid),
    )
    .execute();
  assert.deepEqual(await owners(), [false, true, true]);
});

test("a cached key ends at its time, even without a notification", async () => {
  const { apiKey, uuid } = await it.brand();
  const { db } = it.store;
  const clock = stillClock();
  const endsAt = clock.now() + 1_000;
  await db.updateTable("api_key").set({ ends_at: endsAt }).where("brand_uuid", "=", uuid).execute();
  const signals = { ...it.signals, connected: () => true, onChange: () => {} };
  const ring = openKeyRing({ home: it.store.home, clock, environment: "sandbox", signals });
  for (const [afterMs, owner] of [
    [0, uuid],
    [999, uuid],
    [1_000, undefined],
  ] as const) {
    clock.setOffset(afterMs);
    assert.equal((await ring.ownerOf(apiKey))?.brand.uuid, owner);
  }
});

const ranges: [string, boolean][] = [
  ["198.51.100.7", true],
  ["198.51.100.200", false],
  ["::ffff:198.51.100.7", true],
  ["203.0.113.1", true],
  ["203.0.113.2", false],
  ["2001:db8:1::5", true],
  ["2001:db8:2::5", false],
  ["127.0.0.1", false],
];
test("a key limited to IP addresses and ranges (IPv4, IPv6 and mapped) is rejected from other addresses", async () => {
  const key = await changedKey({ ip_ranges: ["198.51.100.0/25", "203.0.113.1", "2001:db8:1::/48"] });
  for (const [address, allowed] of ranges)
    assert.equal(await statusOf(keyed, withKey(key), address), allowed ? 200 : 401, address);
});

const marks: [string, Headers, boolean][] = [
  ["an Origin header", { origin: "https://shop.example" }, true],
  ["an Origin of null", { origin: "null" }, true],
  ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }, true],
  ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }, true],
  ["Sec-Fetch-Site: same-origin", { "sec-fetch-site": "same-origin" }, true],
  ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }, false],
  ["Sec-Fetch-Mode alone", { "sec-fetch-mode": "cors" }, false],
  ["a browser's User-Agent", { "user-agent": "Mozilla/5.0" }, false],
];
const everywhere: [string, number][] = [
  [keyed, 200],
  [open, 200],
  ["/livez", 200],
  ["/metrics", 200],
  ["/docs", 308],
  ["/openapi/v2.json", 200],
  ["/sandbox/clock", 200],
  ["/nothing/here", 404],
  ["/v2/1-click", 405],
];
for (const [what, headers, isBrowser] of marks) {
  const outcome = isBrowser ? "gets a 418 on every path, including open ones" : "is treated like any other key";
  test(`a key sent with ${what} ${outcome}`, async () => {
    for (const [url, otherwise] of everywhere) {
      assert.equal(await statusOf(url, withKey(demoKey, headers)), isBrowser ? 418 : otherwise, url);
      assert.equal(await statusOf(url, withKey(`Bearer ${demoKey}`, headers)), isBrowser ? 418 : otherwise, url);
    }
    const wallet = await it.wallet.inject({ method: "GET", url: "/", headers: withKey(demoKey, headers) });
    assert.equal(wallet.statusCode, isBrowser ? 418 : 200);
  });
}

test("an unknown key from a browser gets a 401, not a 418, where a key is needed, and is ignored on open paths", async () => {
  const fromBrowser = withKey("sk_sandbox_nobody", { origin: "https://shop.example" });
  assert.equal(await statusOf(keyed, fromBrowser), 401);
  for (const url of [open, "/livez"]) assert.equal(await statusOf(url, fromBrowser), 200, url);
  for (const url of [open, "/livez"]) assert.equal(await statusOf(url, withKey("sk_sandbox_nobody")), 200, url);
});

test("a page of another site can read the 418 of a path that allows cross-origin reads", async () => {
  const headers = withKey(demoKey, { origin: "https://shop.example" });
  const response = await it.inject({ method: "GET", url: open, headers });
  assert.deepEqual([response.status, response.headers["access-control-allow-origin"]], [418, "*"]);
});
