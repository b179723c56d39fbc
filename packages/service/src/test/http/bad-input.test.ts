import assert from "node:assert/strict";
import { test } from "node:test";
import { BrandSettings } from "@countersign/contract/brand";
import { bodyBytesMax, type Endpoint } from "@countersign/contract/endpoint";
import type { InjectOptions } from "fastify";
import { ownHeaders, signIn } from "../harness/account-page.ts";
import { declaredEndpoints, type Mounted, mountedOn } from "../harness/contract-endpoints.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { contents } from "../harness/database-contents.ts";
import { png } from "../harness/logo-pictures.ts";
import { assertEnvelope, frameOfKey, sandbox, sdkKey } from "../harness/sandbox.ts";
import { sampleOf, wrongDocuments } from "../harness/wrong-values.ts";

const it = await sandbox();
await it.wallet.ready();
const owner = await signedIn(it);
const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
type Json = Record<string, unknown>;
type Refused = { status: number; body: { data: Record<string, unknown> } };

/**
 * Sends a request that must be refused. Each endpoint uses its own address and keys, so that tests share no rate limit.
 */
type Caller = (request: {
  path?: string;
  query?: string;
  payload?: string | Buffer;
  type?: string;
}) => Promise<Refused>;

type Spent = { uuid: string; apiKey: string; calls: number };
const spentBrands = new Map<string, Spent[]>();
/** Each key is limited to 500 requests a second, and the clock stands still. */
const callsPerBrandMax = 450;

/** Returns brands of a type that together may still be called `calls` times. */
async function brandsFor(integrationType: string, calls: number): Promise<Spent[]> {
  const brands = (spentBrands.get(integrationType) ?? []).filter((brand) => brand.calls < callsPerBrandMax);
  const left = () => brands.reduce((sum, brand) => sum + callsPerBrandMax - brand.calls, 0);
  while (left() < calls) {
    const { uuid, apiKey } = await it.brand({ integrationType });
    brands.push({ uuid, apiKey, calls: 0 });
  }
  spentBrands.set(integrationType, brands);
  return brands;
}

let callers = 0;
async function callerOf({ endpoint, app, prefix }: Mounted, callsMax = 100): Promise<Caller> {
  callers += 1;
  const remoteAddress = `192.0.${callers >> 8}.${callers % 256}`;
  const brands = await brandsFor(typeNeeded(endpoint), callsMax);
  const session = await sessionFor(endpoint);
  const isOfDashboard = endpoint.tag === "Dashboard";
  let calls = 0;
  const picture = endpoint.bytes === undefined ? {} : { payload: png(), type: "image/png" };
  return async (asked) => {
    const { path: given, query = "", payload, type = "application/json" } = { ...picture, ...asked };
    calls += 1;
    const brand = brands.find((one) => one.calls < callsPerBrandMax) ?? assert.fail("more calls than requested");
    brand.calls += 1;
    const own = endpoint.auth === "none" || isOfDashboard ? session : { authorization: brand.apiKey };
    const path = given ?? pathOf(endpoint, endpoint.path.startsWith("/sandbox/brands/") ? brand.uuid : uuid);
    const options: InjectOptions = {
      method: endpoint.method as "POST",
      url: `${prefix}${path}${query}`,
      // Sign-in is rate limited by address, so each dashboard call uses another address.
      remoteAddress: isOfDashboard
        ? `10.${callers % 256}.${(callers >> 8) * 64 + (calls >> 8)}.${calls & 255}`
        : remoteAddress,
      headers: {
        ...own,
        ...(payload === undefined ? {} : { "content-type": type }),
      },
      payload,
    };
    const response = await app.inject(options);
    const seen = `${endpoint.id} ${path.slice(0, 80)}${query.slice(0, 80)} ${String(payload).slice(0, 200)}`;
    assert.ok(response.statusCode >= 400 && response.statusCode < 500, `${response.statusCode} to ${seen}`);
    assert.notEqual(response.statusCode, 429, seen);
    const body = response.json();
    assertEnvelope(response.statusCode, body);
    assert.equal(body.data.requestId, response.headers["x-request-id"], seen);
    return { status: response.statusCode, body };
  };
}

/** Returns the brand type that an endpoint requires. Brands of other types are refused before the request is read. */
function typeNeeded({ id, tag }: Endpoint): string {
  return tag.startsWith("v1") ? "v1" : id === "amendOneClick" ? "semiHosted" : "api";
}

/** Returns the token or cookie that the wallet's and the dashboard's own endpoints need. */
async function sessionFor({ path, tag, auth }: Endpoint): Promise<Record<string, string>> {
  if (tag === "Dashboard")
    return { "sec-fetch-site": "same-origin", ...(auth === "member" ? { cookie: `countersign=${owner.token}` } : {}) };
  if (tag === "Stage") return { "sec-fetch-site": "same-origin" };
  if (path.startsWith("/api/account")) return await ownHeaders(it.wallet, (await signIn(it, "+12125550010")).cookie());
  if (path.startsWith("/api/session/")) return { authorization: await frameSession() };
  return path.startsWith("/api/page") ? { authorization: await pageSession() } : {};
}

async function frameSession(): Promise<string> {
  const { sessionKey } = (await it.as(sdkKey).createSession()).body;
  const opened = await it.wallet.inject({
    method: "POST",
    url: "/api/session",
    payload: { sessionKey, frame: frameOfKey(sessionKey) },
  });
  return opened.json().sessionToken;
}

/** Returns the session token of a page whose phone is proven. */
async function pageSession(): Promise<string> {
  const begun = (await it.as("sk_sandbox_demo_hosted").beginOneClick({ body: { phone: "+12125550010" } })).body;
  const page = String((begun as { url?: string }).url)
    .split("/")
    .at(-1);
  const proven = await it.wallet.inject({ method: "POST", url: `/api/page/${page}/code`, payload: { code: "111111" } });
  return proven.json().sessionToken;
}

function pathOf(endpoint: Endpoint, value = uuid): string {
  const path = value === uuid ? endpoint.path.replace(":environment", "sandbox") : endpoint.path;
  return path.replace(/:\w+/g, value);
}

/**
 * Returns the body's schema. Where the body contains a patch of settings, it uses the settings schema for that part.
 */
function bodySchema(endpoint: Endpoint): Json {
  const schema = plain(endpoint.body);
  const properties = schema.properties as Record<string, Json> | undefined;
  const settings = asPatch(plain(BrandSettings));
  if (properties === undefined) return settings;
  return properties.settings === undefined ? schema : { ...schema, properties: { ...properties, settings } };
}

/** Returns a schema as plain JSON, without its TypeScript type. */
function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}

/** Makes the members of objects optional, recursively. Items of arrays keep their required members. */
function asPatch(schema: Json): Json {
  if (schema.type !== "object") return schema;
  const members = Object.entries(schema.properties as Record<string, Json>).map(([name, one]) => [name, asPatch(one)]);
  return { ...schema, required: [], properties: Object.fromEntries(members) };
}

const ofDashboard = declaredEndpoints
  .filter(({ tag }) => tag === "Dashboard")
  .map((endpoint): Mounted => ({ endpoint, app: it.dashboard, prefix: "" }));
const mounted = [...mountedOn([it.app, it.wallet]), ...ofDashboard];

for (const one of mounted) {
  const { endpoint } = one;
  test(`${endpoint.id}: an invalid path is rejected, and nothing changes`, async () => {
    const call = await callerOf(one);
    const was = await contents(it);
    for (const garbage of ["%", "%zz", "%E0%A4%A", "%ED%A0%80", "%C0%AF"])
      assert.equal((await call({ path: `${pathOf(endpoint)}${garbage}` })).status, 400);
    for (const there of ["x".repeat(10_000), `../${"x".repeat(10_000)}`])
      await call({ path: `${endpoint.path}/${there}` });
    if (endpoint.params !== undefined) {
      for (const value of [
        "%00",
        "x".repeat(10_000),
        "..%2f",
        "__proto__",
        `urn:uuid:${uuid}`,
        "*",
        "%F0%9F%92%A9",
        "%20",
      ])
        await call({ path: pathOf(endpoint, value) });
    }
    assert.deepEqual(await contents(it), was);
  });

  const { query } = endpoint;
  if (query !== undefined) {
    test(`${endpoint.id}: each invalid query parameter is named`, async () => {
      const call = await callerOf(one);
      for (const name of Object.keys(query.properties)) {
        const twice = await call({ query: `?${name}=::1&${name}=::1` });
        assert.deepEqual(pathsOf(twice), [`query.${name}`]);
        for (const value of ["%00", "x".repeat(10_000)]) await call({ query: `?${name}=${value}` });
      }
    });
  }

  if (endpoint.body !== undefined) bodyTests(one);
}

function bodyTests(one: Mounted): void {
  const { endpoint } = one;
  const schema = bodySchema(endpoint);

  test(`${endpoint.id}: each invalid body member is named, and nothing changes`, async () => {
    const takesNull = endpoint.auth === "brandKey" || endpoint.auth === "sandboxControl";
    const documents = wrongDocuments(schema, { takesNull });
    const call = await callerOf(one, documents.length);
    const was = await contents(it);
    for (const { what, path, document } of documents) {
      const answer = await call({ payload: JSON.stringify(document) });
      if (answer.status === 413) continue;
      assert.equal(answer.status, 400, `${what} at ${path}`);
      const named = pathsOf(answer).some((there) => `.${there}`.endsWith(`.${path}`));
      assert.ok(named || path === "", `${what} at ${path}: ${JSON.stringify(answer.body.data)}`);
    }
    assert.deepEqual(await contents(it), was);
  });

  test(`${endpoint.id}: a body that is not valid, safe JSON is rejected, and nothing changes`, async () => {
    const call = await callerOf(one);
    const was = await contents(it);
    const valid = JSON.stringify(sampleOf(schema));
    const inside = (member: string) => valid.replace(/^\{/, `{${member}${valid === "{}" ? "" : ","}`);
    const nested = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const broken = [
      valid.slice(0, -1),
      `${valid},`,
      "{",
      "undefined",
      "{'a':1}",
      "\uFEFF",
      "NaN",
      '"\\x"',
      nested.slice(1),
    ];
    const poisoned = [
      '"__proto__":{"admin":true}',
      '"constructor":1',
      '"a\\u0000b":1',
      '"\\ud800":1',
      `"deep":${nested}`,
    ];
    const invalidUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0xaf]), Buffer.from('"}')]);
    for (const payload of [...broken, ...poisoned.map(inside), "[]", "5", "null", '"x"', nested, invalidUtf8])
      assert.equal((await call({ payload })).status, 400, String(payload).slice(0, 100));
    if (endpoint.bodyOptional !== true) for (const payload of [undefined, ""]) await call({ payload });
    // The wallet's pages accept forms. JSON that is sent as a form has none of the required fields.
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "a/b",
      "x",
    ])
      assert.equal((await call({ payload: "{}", type })).status, 415);
    assert.equal((await call({ payload: `"${"x".repeat(bodyBytesMax(endpoint))}"` })).status, 413);
    assert.deepEqual(await contents(it), was);
  });
}

function pathsOf({ body }: Refused): string[] {
  const errors = body.data.errors;
  return Array.isArray(errors) ? errors.map((error) => String(error.path)) : [];
}

test("the last of two members with the same name counts, and a byte order mark is ignored", async () => {
  const headers = { authorization: (await it.brand()).apiKey, "content-type": "application/json" };
  const send = async (payload: string) => {
    const answer = await it.inject({ method: "POST", url: "/v2/1-click/verifications", headers, payload });
    return [answer.status, (answer.body as Json).phone];
  };
  const [phone, other] = ['"phone":"+12125550010"', '"phone":"+12125550011"'];
  assert.deepEqual(await send(`{"channel":"sms",${phone},${other}}`), [201, "+12125550011"]);
  assert.deepEqual(await send(`\uFEFF{"channel":"sms",${phone}}`), [201, "+12125550010"]);
});
