import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { hashApiKey } from "../../domain/brand/api-key.ts";
import { findKeyOwner } from "../../domain/brand/brand-rows.ts";
import type { KeyRing } from "../../domain/brand/key-ring.ts";
import { authenticate, type Gate, openPath } from "../../http/auth.ts";
import { createServer } from "../../http/server.ts";
import { assertEnvelope, demoKey, sandbox, testStart } from "../harness/sandbox.ts";

const it = await sandbox();
const quota = 5;
const windowSeconds = 3_600;
const owner = await findKeyOwner(it.store.home, "sandbox", hashApiKey(demoKey));
const keys: KeyRing = { ownerOf: async (key) => (key === demoKey ? owner : null) };

/** An app with low limits and long windows, so that no test depends on the time. */
function narrowApp(name: string, trustedProxies: string[] = []) {
  const limits = { quota, windowSeconds };
  const options = { points: quota, duration: windowSeconds };
  const shared = {
    ...options,
    storeClient: it.stores.store.pool,
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix: name,
  };
  const gate: Gate = {
    keys,
    keyLimit: { name: "key", ...limits, limiter: new RateLimiterMemory(options) },
    addressLimit: { name: "address", ...limits, limiter: new RateLimiterPostgres(shared) },
  };
  const app = createServer({
    traced: false,
    trustedProxies,
    onRequestDone: () => {},
    onBreakdown: (error) => assert.fail(String(error)),
  });
  app.get("/keyed", async (request, reply) => ({ brand: (await authenticate(gate, request, reply)).brand.uuid }));
  app.get("/open", async (request, reply) => {
    await openPath(gate, request, reply);
    return { ip: request.ip };
  });
  const send = async (url: string, request: { from?: string; headers?: Record<string, string> } = {}) => {
    const response = await app.inject({
      method: "GET",
      url,
      remoteAddress: request.from ?? "192.0.2.1",
      headers: request.headers,
    });
    if (response.statusCode >= 400) assertEnvelope(response.statusCode, response.json());
    return { status: response.statusCode, headers: response.headers };
  };
  return { send, keyed: () => send("/keyed", { headers: { authorization: demoKey } }) };
}

/** Parses one item of a structured field (RFC 9651): a quoted name with whole numbers as parameters. */
function parseItem(field: unknown): { name: string; parameters: Record<string, number> } {
  const parts = /^"([a-z]+)"((?:;[a-z]=\d+)+)$/.exec(String(field)) ?? assert.fail(`not a structured field: ${field}`);
  const pairs = (parts[2] ?? "")
    .slice(1)
    .split(";")
    .map((pair) => pair.split("="));
  return { name: parts[1] ?? "", parameters: Object.fromEntries(pairs.map(([key, value]) => [key, Number(value)])) };
}

type Answer = Awaited<ReturnType<ReturnType<typeof narrowApp>["keyed"]>>;
const left = ({ headers }: Answer) => parseItem(headers.ratelimit).parameters.r;

/** Uses up a limit and checks each answer's headers, before and after the limit is reached. */
async function useUp(send: () => Promise<Answer>, name: string): Promise<void> {
  let before = quota;
  for (let uses = 1; uses <= quota + 3; uses += 1) {
    const answer = await send();
    const policy = parseItem(answer.headers["ratelimit-policy"]);
    const state = parseItem(answer.headers.ratelimit);
    assert.deepEqual(policy, { name, parameters: { q: quota, w: windowSeconds } });
    assert.equal(state.name, name);
    assert.equal(state.parameters.r, Math.max(0, quota - uses));
    assert.ok((state.parameters.r ?? 0) <= before, "the remaining quota rose within a window");
    assert.ok((state.parameters.t ?? 0) >= 1 && (state.parameters.t ?? 0) <= windowSeconds);
    assert.equal(answer.status, uses <= quota ? 200 : 429);
    assert.equal(answer.headers["retry-after"], uses <= quota ? undefined : String(state.parameters.t));
    before = state.parameters.r ?? 0;
  }
}

test("a key over its limit gets a 429, with Retry-After in whole seconds", async () => {
  await useUp(narrowApp("a").keyed, "key");
});

test("an address over its limit gets a 429 with the same headers", async () => {
  const { send } = narrowApp("b");
  await useUp(() => send("/open"), "address");
});

test("requests with wrong keys count toward the address limit, and requests with valid keys do not", async () => {
  const { send, keyed } = narrowApp("c");
  for (let uses = 0; uses < quota; uses += 1)
    assert.equal((await send("/keyed", { headers: { authorization: `guess ${uses}` } })).status, 401);
  assert.equal((await send("/keyed", { headers: { authorization: "one more" } })).status, 429);
  assert.equal((await send("/keyed")).status, 429);
  assert.equal((await keyed()).status, 200);
});

test("requests with a key from a browser are rate limited too", async () => {
  const { send } = narrowApp("teapots");
  const fromBrowser = { headers: { authorization: demoKey, origin: "https://shop.example" } };
  for (let uses = 0; uses < quota; uses += 1) assert.equal((await send("/keyed", fromBrowser)).status, 418);
  assert.equal((await send("/keyed", fromBrowser)).status, 429);
});

test("an IPv6 /64 counts as one address, and a mapped IPv4 address counts as that IPv4 address", async () => {
  const { send } = narrowApp("d");
  const uses = async (from: string) => left(await send("/open", { from }));
  const same = ["2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:DB8:0:1::", "2001:db8:0000:0001::2"];
  for (const [index, from] of same.entries()) assert.equal(await uses(from), quota - 1 - index, from);
  assert.equal(await uses("2001:db8:0:2::1"), quota - 1);
  assert.equal(await uses("198.51.100.1"), quota - 1);
  assert.equal(await uses("::ffff:198.51.100.1"), quota - 2);
  assert.equal(await uses("198.51.100.2"), quota - 1);
});

test("two processes on one database share the count of an address but not of a key", async () => {
  const [one, two] = [narrowApp("e"), narrowApp("e")];
  for (let uses = 1; uses <= quota; uses += 1)
    assert.equal(left(await (uses % 2 === 0 ? one : two).send("/open")), quota - uses);
  for (const app of [one, two]) assert.equal((await app.send("/open")).status, 429);
  assert.deepEqual([left(await one.keyed()), left(await two.keyed())], [quota - 1, quota - 1]);
});

test("parallel requests are all counted, so only as many as the quota succeed", async () => {
  const { send } = narrowApp("f");
  const answers = await Promise.all(Array.from({ length: 20 }, () => send("/open")));
  assert.equal(answers.filter(({ status }) => status === 200).length, quota);
});

test("X-Forwarded-For is used only from a trusted proxy", async () => {
  const direct = narrowApp("g");
  for (let uses = 1; uses <= quota; uses += 1)
    assert.equal(
      left(await direct.send("/open", { headers: { "x-forwarded-for": `198.51.100.${uses}` } })),
      quota - uses,
    );
  assert.equal((await direct.send("/open", { headers: { "x-forwarded-for": "198.51.100.99" } })).status, 429);

  const behind = narrowApp("h", ["10.0.0.0/8", "2001:db8:aaaa::/48"]);
  const via = async (from: string, forwarded: string) =>
    left(await behind.send("/open", { from, headers: { "x-forwarded-for": forwarded } }));
  assert.equal(await via("10.0.0.1", "198.51.100.1"), quota - 1);
  assert.equal(await via("2001:db8:aaaa::1", "198.51.100.1"), quota - 2);
  // Entries that the caller put before the proxy's entry are ignored.
  assert.equal(await via("10.0.0.1", "203.0.113.7, 198.51.100.1"), quota - 3);
  assert.equal(await via("192.0.2.9", "198.51.100.1"), quota - 1);
});

test("an address with a port, as some proxies send it, counts as the address", async () => {
  const behind = narrowApp("j", ["10.0.0.0/8"]);
  const via = async (forwarded: string) =>
    left(await behind.send("/open", { from: "10.0.0.1", headers: { "x-forwarded-for": forwarded } }));
  assert.equal(await via("198.51.100.1:4711"), quota - 1);
  assert.equal(await via("203.0.113.7:1, 198.51.100.1:4712"), quota - 2);
  assert.equal(await via("198.51.100.2:4711"), quota - 1);
  assert.equal(await via("[2001:db8::1]:4711"), quota - 1);
  assert.equal(await via("[2001:db8::1]"), quota - 2);
  assert.equal(await via("2001:db8::1"), quota - 3);
});

test("a request with an invalid address from a trusted proxy is counted and causes no error", async () => {
  const behind = narrowApp("i", ["10.0.0.0/8"]);
  for (const [index, forwarded] of ["unknown", "x".repeat(5_000), "_hidden"].entries()) {
    const answer = await behind.send("/open", { from: "10.0.0.1", headers: { "x-forwarded-for": forwarded } });
    assert.deepEqual([answer.status, left(answer)], [200, quota - 1 - index]);
  }
});

test("the service allows 500 requests a second per key and per address, and each second starts a new window", async (t) => {
  mock.timers.enable({ apis: ["Date"], now: testStart });
  t.after(() => mock.timers.reset());
  const ask = async () =>
    (await it.inject({ method: "GET", url: "/1-click/verifications/device-ip", remoteAddress: "192.0.2.77" })).headers;
  const first = await ask();
  assert.equal(first["ratelimit-policy"], '"address";q=500;w=1');
  assert.equal(first.ratelimit, '"address";r=499;t=1');
  assert.equal((await ask()).ratelimit, '"address";r=498;t=1');
  mock.timers.tick(1_001);
  assert.equal((await ask()).ratelimit, '"address";r=499;t=1');
  const keyed = await it.inject({ method: "GET", url: "/sandbox/clock", headers: { authorization: demoKey } });
  assert.equal(keyed.headers["ratelimit-policy"], '"key";q=500;w=1');
});
