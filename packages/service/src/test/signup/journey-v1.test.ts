import assert from "node:assert/strict";
import test from "node:test";
import { pressLink } from "../harness/link-form.ts";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const key = "sk_sandbox_demo_v1";
const styleKey = "sk_sandbox_demo_v1_production_style";
const primary = "+10123456789";
const landing = "http://localhost:4001/demo/landing";
const minute = 60_000;

type Json = Record<string, unknown>;
async function call(
  method: "GET" | "POST",
  url: string,
  payload?: Json,
  apiKey = key,
): Promise<{ status: number; body: Json }> {
  const { status, body } = await it.inject({
    method,
    url,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(payload === undefined ? {} : { payload }),
  });
  if (status >= 400) assertEnvelope(status, body);
  else assert.ok(!("code" in (body as Json)), "a v1 success has no top-level code");
  return { status, body: body as Json };
}
const begin = async (payload: Json, apiKey = key) => (await call("POST", "/1-click", payload, apiKey)).body;
const code = (body: Json) => (body.data as Json).errorCode;

async function texts(phone: string): Promise<string[]> {
  await it.runJobs();
  return (await it.api.listMessages({ query: { to: phone } })).body.data.map((one) => one.body);
}

/** Opens a wallet URL and returns the status and the redirect. */
async function open(url: unknown, query = "") {
  const { pathname } = new URL(String(url));
  const response = await it.wallet.inject({ method: "GET", url: `${pathname}${query}` });
  return { status: response.statusCode, location: response.headers.location, headers: response.headers };
}
const nonHosted = { phone: primary, isHosted: false, birthDate: "1970-08-01" };

test("a match returns the wallet's url and the uuid, and sends one text with a code like 123-456", async () => {
  const phone = "+12025550160";
  const body = await begin({ phone });
  assert.deepEqual(Object.keys(body).sort(), ["match", "url", "uuid"]);
  assert.equal(body.match, true);
  assert.match(String(body.url), /^http:\/\/localhost:4001\/request\/[0-9A-Za-z]{20,}$/);
  const sent = await texts(phone);
  assert.equal(sent.length, 1);
  assert.match(sent[0] ?? "", /\b\d{3}-\d{3}\b/);
});

test("verificationOptions decide whether the text has a code, a link or both", async () => {
  const wanted = { only_code: [true, false], only_link: [false, true], both_link_and_code: [true, true] } as const;
  for (const [verificationOptions, expected] of Object.entries(wanted)) {
    const phone = `+1202555017${Object.keys(wanted).indexOf(verificationOptions)}`;
    await begin({ phone, verificationOptions });
    const [text = ""] = await texts(phone);
    assert.deepEqual([/\b\d{3}-\d{3}\b/.test(text), /http\S+\/v\//.test(text)], expected, text);
  }
});

test("a non-hosted request needs a birth date, which is never compared", async () => {
  assert.equal((await call("POST", "/1-click", { phone: primary, isHosted: false })).status, 400);
  const body = await begin(nonHosted);
  assert.deepEqual([body.match, typeof body.uuid, typeof body.url], [true, "string", "string"]);
  const onlyLink = await begin({ ...nonHosted, verificationOptions: "only_link" });
  assert.deepEqual(Object.keys(onlyLink).sort(), ["match", "uuid"]);
});

test("the url with the code redirects without showing a page, with or without the hyphen, every time it is opened", async () => {
  const body = await begin({ ...nonHosted, redirectUrl: `${landing}?a=b` });
  for (const spelled of ["111111", "111-111", "111111"]) {
    const opened = await open(body.url, `?code=${spelled}`);
    assert.deepEqual([opened.status, opened.location], [303, `${landing}?a=b&1ClickUuid=${String(body.uuid)}`]);
    assert.equal(opened.headers["referrer-policy"], "no-referrer");
  }
  const wrong = await open(body.url, "?code=000000");
  assert.deepEqual([wrong.status, wrong.location], [200, undefined], "a wrong code does not redirect");
  const read = await call("GET", `/1-click/${String(body.uuid)}`);
  assert.equal(read.status, 200);
  const sourced = await it.store.db
    .selectFrom("audit")
    .select("id")
    .where("one_click_uuid", "=", String(body.uuid))
    .where("action", "=", "oneClick.released")
    .execute();
  assert.equal(sourced.length, 1);
});

const needsSsn4 = { ...nonHosted, phone: "+12125550021" };

test("a non-hosted 1-Click with a missing input reads as OCE011, and a new one with the input has data", async () => {
  const short = await begin(needsSsn4);
  assert.equal((await open(short.url, "?code=111111")).status, 303);
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await call("GET", `/1-click/${String(short.uuid)}`);
    assert.deepEqual([status, code(body), (body.data as Json).additionalInputs], [400, "OCE011", ["ssn4"]]);
  }
  const whole = await begin({ ...needsSsn4, ssn4: "6789" });
  await open(whole.url, "?code=111111");
  assert.equal((await call("GET", `/1-click/${String(whole.uuid)}`)).status, 200);
});

test("a non-hosted 1-Click with a wrong input reads as OCE012", async () => {
  const wrong = await begin({ ...needsSsn4, ssn4: "0000" });
  await open(wrong.url, "?code=111111");
  const { body } = await call("GET", `/1-click/${String(wrong.uuid)}`);
  assert.deepEqual([code(body), body.message], ["OCE012", "SSN4 mismatch."]);
});

test("the url with a wrong code neither redirects nor verifies the phone", async () => {
  const body = await begin(nonHosted);
  const opened = await open(body.url, "?code=000000");
  assert.deepEqual([opened.status, opened.location], [200, undefined]);
  assert.equal(code((await call("GET", `/1-click/${String(body.uuid)}`)).body), "OCE015");
  const twice = await open(body.url, "?code=111111&code=111111");
  assert.deepEqual([twice.status, twice.location], [200, undefined]);
});

test("a texted link redirects a non-hosted person only when they continue", async () => {
  const phone = "+12025550165";
  const body = await begin({ ...nonHosted, phone, verificationOptions: "only_link" });
  const [text = ""] = await texts(phone);
  const { pathname } = new URL(/http\S+/.exec(text)?.[0] ?? "");
  assert.equal((await it.wallet.inject({ method: "GET", url: pathname })).statusCode, 200);
  assert.equal(code((await call("GET", `/1-click/${String(body.uuid)}`)).body), "OCE015");
  const opened = await pressLink(it, pathname);
  assert.equal(opened.headers.location, `${landing}?1ClickUuid=${String(body.uuid)}`);
  assert.equal((await call("GET", `/1-click/${String(body.uuid)}`)).status, 200);
});

test("a redirect that the settings do not allow is refused", async () => {
  assert.equal((await call("POST", "/1-click", { phone: primary, redirectUrl: "https://evil.example/" })).status, 400);
});

test("a phone that no source knows is no match; a non-US or missing phone is an error", async () => {
  assert.deepEqual(await begin({ phone: "+14045551300" }), { match: false });
  assert.equal(code((await call("POST", "/1-click", { phone: "+550123456789" })).body), "OCE002");
  assert.equal(code((await call("POST", "/1-click", {})).body), "OCE003");
});

test("a brand that sends texts itself gets the text, and the service sends none", async () => {
  const phone = "+12025550166";
  const body = await begin({ phone, verificationOptions: "both_link_and_code" }, styleKey);
  assert.match(String(body.smsBody), /\d{3}-\d{3}[\s\S]*http:\/\/localhost:4001\/v\//);
  assert.deepEqual(await texts(phone), []);
  assert.ok(!("smsBody" in (await begin({ phone }))));
});

test("a 1-Click can be read for 5 minutes from its first read", async () => {
  const body = await begin(nonHosted);
  await open(body.url, "?code=111111");
  await it.advance(30 * minute);
  const url = `/1-click/${String(body.uuid)}`;
  const first = await call("GET", url);
  await it.advance(5 * minute - 1);
  assert.deepEqual(await call("GET", url), first);
  await it.advance(1);
  const gone = await call("GET", url);
  assert.deepEqual([gone.status, gone.body.code, code(gone.body)], [404, 404, "OCE015"]);
  const row = await it.store.db
    .selectFrom("one_click")
    .select("sealed")
    .where("uuid", "=", String(body.uuid))
    .executeTakeFirstOrThrow();
  assert.equal(row.sealed, null);
});

test("concurrent first reads set one expiry", async () => {
  const body = await begin(nonHosted);
  await open(body.url, "?code=111111");
  await Promise.all(Array.from({ length: 10 }, () => call("GET", `/1-click/${String(body.uuid)}`)));
  const row = await it.store.db
    .selectFrom("one_click")
    .select(["first_read_at", "expires_at"])
    .where("uuid", "=", String(body.uuid))
    .executeTakeFirstOrThrow();
  assert.equal(row.expires_at, (row.first_read_at ?? 0) + 5 * minute);
});

test("v1 returns the birth date as noon in milliseconds, and the email by default", async () => {
  const body = await begin(nonHosted);
  await open(body.url, "?code=111111");
  const { credentials, metadata } = (await call("GET", `/1-click/${String(body.uuid)}`)).body as {
    credentials: Json;
    metadata: { identifiers: Json };
  };
  assert.equal(credentials.birthDate, "617976000000");
  assert.equal(credentials.email, "richard@piedpiper.net");
  assert.deepEqual((metadata.identifiers.verificationMethod as Json).phone, "otp");
});

test("values have the brand's formats", async () => {
  const credentialFormats = {
    birthDate: "MM/dd/yyyy",
    state: "full",
    country: "full",
    fullName: "lastName, firstName",
    address: "city, country-state",
  };
  const brand = await it.brand({ integrationType: "v1", redirectUrl: landing, credentialFormats });
  const body = await begin(nonHosted, brand.apiKey);
  await open(body.url, "?code=111111");
  const { credentials, metadata } = (await call("GET", `/1-click/${String(body.uuid)}`, undefined, brand.apiKey))
    .body as { credentials: Json; metadata: { credentials: { verificationMethod: Json } } };
  assert.equal(credentials.birthDate, "08/01/1989");
  assert.equal(credentials.fullName, "Hendricks, Richard");
  assert.equal(credentials.address, "Palo Alto, United States of America-California");
  assert.equal(metadata.credentials.verificationMethod.fullName, "phone_carrier");
});

test("a trusted request needs the approval and a birth date, and returns the data at once", async () => {
  const payload = { phone: primary, birthDate: "1970-08-01" };
  assert.equal((await call("POST", "/1-click/trusted", payload, styleKey)).status, 403);
  assert.equal((await call("POST", "/1-click/trusted", { phone: primary })).status, 400);
  const { status, body } = await call("POST", "/1-click/trusted", payload);
  assert.deepEqual([status, Object.keys(body).sort()], [201, ["credentials", "identifiers", "metadata", "uuid"]]);
  const url = `/1-click/${String(body.uuid)}`;
  await it.advance(10 * minute);
  assert.equal((await call("GET", url)).status, 200);
  await it.advance(5 * minute);
  assert.equal((await call("GET", url)).status, 404);
});

test("plain type names request exactly those credentials", async () => {
  const { body } = await call("POST", "/1-click/trusted", {
    phone: primary,
    birthDate: "1970-08-01",
    credentialRequests: ["FullNameCredential", "EmailCredential"],
  });
  assert.deepEqual(Object.keys(body.credentials as Json).sort(), ["email", "fullName"]);
});

test("v1 and v2 reject each other's brands with an error that names the integration type", async () => {
  const wrongRoot = await call("POST", "/1-click", { phone: primary }, demoKey);
  assert.deepEqual(
    [code(wrongRoot.body), /integration type api/.test(String(wrongRoot.body.message))],
    ["ERR001", true],
  );
  const wrongPrefix = await call("POST", "/v2/1-click", { phone: primary });
  assert.deepEqual(
    [code(wrongPrefix.body), /integration type v1/.test(String(wrongPrefix.body.message))],
    ["ERR001", true],
  );
});

test("a refused request does not tell whether the phone is known, because no source is asked", async () => {
  const phones = [primary, "+14045551300"];
  const undeclared = await it.brand({ integrationType: "v1", consent: { declared: false } });
  for (const phone of phones) assert.equal((await call("POST", "/1-click", { phone }, undeclared.apiKey)).status, 403);
  for (const phone of phones)
    assert.equal((await call("POST", "/1-click", { phone, redirectUrl: "https://elsewhere.example" })).status, 400);
});
