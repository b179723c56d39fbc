import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog, type ErrorCode, statusNames } from "@countersign/contract/errors";
import { freshPhone } from "../harness/below-http.ts";
import { assertEnvelope, demoKey, injectInto, sandbox, sdkKey } from "../harness/sandbox.ts";
import { stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const unknownUuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const known = "+12125550010";
const unsure = "+12125550020";
const semiHostedKey = "sk_sandbox_demo_semi_hosted";

type Answer = { status: number; headers: Record<string, string>; body: unknown };
type Provocation = () => Promise<Answer>;

async function send(
  method: "GET" | "POST" | "PATCH",
  url: string,
  payload?: object,
  authorization = demoKey,
): Promise<Answer> {
  return await it.inject({ method, url, headers: { authorization }, ...(payload === undefined ? {} : { payload }) });
}
const post = (path: string, body: object, key?: string) => send("POST", path, body, key);
const get = (path: string, key?: string) => send("GET", path, undefined, key);
const oneClick = (body: object) => post("/v2/1-click", body);
const begin = (body: object) => post("/v2/1-click/verifications", body);
async function sms(phone: string = known): Promise<string> {
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  return `/v2/1-click/verifications/${uuid}`;
}
/** Begins a verification on a channel, follows each redirect as the device does, and returns the last answer. */
async function device(channel: "autofill" | "silent", deviceIp: string, phone: string): Promise<Answer> {
  let answer = await begin({ channel, deviceIp, phone });
  for (let hops = 0; hops < 5 && answer.status === 302; hops += 1) {
    const { pathname, search } = new URL(answer.headers.location ?? assert.fail("no Location"));
    answer = await it.inject({ method: "GET", url: `${pathname}${search}` });
  }
  return answer;
}
/** Creates a v2.0 1-Click that waits for its code. */
async function semiHosted(): Promise<string> {
  const { body } = await post("/v2/1-click", { phone: known }, semiHostedKey);
  return `/v2/1-click/${(body as { uuid: string }).uuid}`;
}
/**
 * Creates a 1-Click of the API type whose person declined. The row is set directly, because this type has no page to
 * decline on.
 */
async function declined(): Promise<string> {
  const { uuid } = (await it.api.createOneClick({ body: { phone: known } })).body;
  await it.store.db.updateTable("one_click").set({ state: "declined" }).where("uuid", "=", uuid).execute();
  return uuid;
}
async function lastOf(times: number, provoke: (index: number) => Promise<Answer>): Promise<Answer> {
  for (let index = 1; index < times; index += 1) await provoke(index);
  return await provoke(times);
}

const provocations: Partial<Record<ErrorCode, Provocation>> = {
  ERR001: () => oneClick({ phone: 5 }),
  OCE002: () => oneClick({ phone: "+442071838750" }),
  OCE003: () => oneClick({}),
  OCE007: () => oneClick({ phone: known, credentialRequests: [{ type: "TitleCredential", mandatory: "yes" }] }),
  OCE008: async () => get(`${await semiHosted()}?code=000000`, semiHostedKey),
  OCE009: async () => get(await semiHosted(), semiHostedKey),
  OCE011: () => oneClick({ phone: unsure, email: "a@example.com", deviceIp: "::1" }),
  OCE012: () => oneClick({ phone: unsure, birthDate: "1990-01-01" }),
  OCE013: () => oneClick({ phone: "+14045551300" }),
  OCE014: async () => {
    const path = await semiHosted();
    await get(`${path}?code=111111`, semiHostedKey);
    await it.advance(30 * 60_000);
    return await send("PATCH", path, { birthDate: "1989-08-01" }, semiHostedKey);
  },
  OCE015: () => get(`/v2/1-click/${unknownUuid}`),
  OCE017: () => oneClick({ phone: "+14045551775" }),
  OCE018: async () => {
    const path = await semiHosted();
    return await lastOf(4, () => get(`${path}?code=000000`, semiHostedKey));
  },
  OCE019: () => lastOf(4, (day) => oneClick({ phone: "+12125550022", birthDate: `1990-01-0${day}` })),
  OCE020: () => post("/v2/1-click", { phone: known }, sdkKey),
  OCE022: async () => {
    const { sessionToken } = await stateIdPage(it, "+13135550034", [{ type: "BirthDateCredential", mandatory: "yes" }]);
    const payload = { request: unknownUuid, protocol: "org-iso-mdoc", data: {} };
    const headers = { authorization: `Bearer ${sessionToken}` };
    return await injectInto(it.wallet)({ method: "POST", url: "/api/page/state-id/answer", headers, payload });
  },
  OCE021: async () => oneClick({ identityUuid: await declined() }),
  OCV001: async () => post(`${await sms()}/verify`, { code: "000000" }),
  OCV002: async () => {
    const path = await sms();
    return await lastOf(4, () => post(`${path}/verify`, { code: "000000" }));
  },
  OCV003: async () => {
    const path = await sms();
    await post(`${path}/verify`, { code: "111111" });
    return await post(`${path}/deliver`, {});
  },
  OCV004: async () => {
    const path = await sms(freshPhone());
    return await lastOf(4, async () => {
      const answer = await post(`${path}/deliver`, {});
      await it.runJobs();
      return answer;
    });
  },
  OCV005: () => get(`/v2/1-click/verifications/${unknownUuid}`),
  OCV006: () => begin({ channel: "pigeon", phone: known }),
  OCV007: async () => {
    const path = await sms();
    await it.advance(5 * 60_000);
    return await post(`${path}/verify`, { code: "111111" });
  },
  OCV008: () => device("autofill", "::8", known),
  OCV009: () => begin({ channel: "sms", phone: "+442071838750" }),
  OCV010: () => device("silent", "::10", known),
  OCV011: () => begin({ channel: "silent", phone: known, deviceIp: "::11" }),
  SKE001: () => post("/client/1-click", {}),
  SKE002: async () => {
    const brand = await it.brand({ integrationType: "sdk", phoneVerificationType: "byCustomer" });
    return await post("/client/1-click", {}, brand.apiKey);
  },
};

const betterNamed = "another code describes the case better (docs/contribute/open-questions.md)";
/** Codes that no call returns, with the reason. */
const unanswered: Partial<Record<ErrorCode, string>> = {
  OCE001: betterNamed,
  OCE004: betterNamed,
  OCE005: betterNamed,
  OCE006: betterNamed,
  OCE010: betterNamed,
  OCE016: "returned only by sources that take one request at a time, and the sandbox has none",
};

test("every code in the catalog is tested here or listed as a code that no call returns", () => {
  assert.deepEqual([...Object.keys(provocations), ...Object.keys(unanswered)].sort(), Object.keys(catalog).sort());
});

for (const [code, provoke] of Object.entries(provocations)) {
  test(`${code} has its status and names, and only the data that the catalog allows`, async () => {
    const { status, headers, body } = await provoke();
    assertEnvelope(status, body);
    const row = catalog[code as ErrorCode];
    assert.equal(body.data.errorCode, code);
    assert.equal(status, row.status);
    assert.deepEqual({ ...statusNames[status], code: status }, pick(body));
    assert.equal(body.data.requestId, headers["x-request-id"]);
    assert.equal(headers["cache-control"], "no-store");
    assert.match(headers["content-type"] ?? "", /^application\/json/);
  });
}

function pick(body: object): Record<string, unknown> {
  const { name, className, code } = { name: undefined, className: undefined, code: undefined, ...body };
  return { name, className, code };
}

const refusals: [number, string, Provocation][] = [
  [400, "a malformed path", () => get("/v2/1-click/%zz")],
  [401, "a request without a key", async () => await it.inject({ method: "POST", url: "/v2/1-click", payload: "{}" })],
  [
    403,
    "a disabled channel",
    async () => {
      const brand = await it.brand({ channels: { autofill: false } });
      return await post("/v2/1-click/verifications", { channel: "autofill", deviceIp: "::8" }, brand.apiKey);
    },
  ],
  [404, "an unknown path", () => get("/v3/1-click")],
  [405, "a method that the path does not allow", () => get("/v2/1-click")],
  [413, "a body that is too large", () => oneClick({ phone: "x".repeat(1_048_576) })],
  [414, "a path segment that is too long", () => get(`/v2/1-click/${"x".repeat(201)}`)],
  [
    415,
    "a body of another content type",
    async () =>
      await it.inject({
        method: "POST",
        url: "/v2/1-click",
        headers: { authorization: demoKey, "content-type": "text/plain" },
        payload: "x",
      }),
  ],
  [
    418,
    "a key from a browser",
    async () =>
      await it.inject({
        method: "GET",
        url: "/livez",
        headers: { authorization: demoKey, origin: "https://x.example" },
      }),
  ],
];

for (const [expected, what, provoke] of refusals) {
  test(`${what} gets a ${expected} in the same envelope`, async () => {
    const { status, headers, body } = await provoke();
    assert.equal(status, expected);
    assertEnvelope(status, body);
    assert.deepEqual({ ...statusNames[status], code: status }, pick(body));
    assert.equal(body.data.requestId, headers["x-request-id"]);
  });
}

test("a 405 lists the path's methods in the Allow header", async () => {
  assert.equal((await get("/v2/1-click")).headers.allow, "POST");
  const clock = await it.inject({ method: "PUT", url: "/sandbox/clock", headers: { authorization: demoKey } });
  assert.equal(clock.headers.allow, "GET, HEAD, POST, DELETE");
});
