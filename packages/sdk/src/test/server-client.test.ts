/** Tests the server client against the real service, and against a fake one that misbehaves. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after, test } from "node:test";
import { demoKey, sandbox, sdkKey } from "../../../service/src/test/harness/sandbox.ts";
import { operations } from "../operations.ts";
import { sandboxClient } from "../sandbox.ts";
import { CountersignError, countersignClient } from "../server.ts";

const it = await sandbox();
const apiUrl = await it.app.listen({ host: "127.0.0.1", port: 0 });
const api = countersignClient({ apiUrl, apiKey: demoKey });
const richard = "+12125550010";

async function refusalOf(call: Promise<unknown>): Promise<CountersignError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CountersignError, String(error));
  return error;
}

/** A fake service with a replaceable answer, and the requests that it received. */
let answer = (_: IncomingMessage, response: ServerResponse): unknown => response.end("{}");
const asked: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
const fake = createServer(async (request, response) => {
  const { method = "", url = "", headers } = request;
  asked.push({ method, url, headers, body: (await request.toArray()).join("") });
  answer(request, response);
});
fake.listen(0, "127.0.0.1");
await once(fake, "listening");
after(() => {
  fake.closeAllConnections();
  fake.close();
});
const address = fake.address();
assert.ok(typeof address === "object" && address !== null);
const fakeUrl = `http://127.0.0.1:${address.port}`;
const fakeApi = countersignClient({ apiUrl: `${fakeUrl}/`, apiKey: "sk_sandbox_x", maxRetries: 0 });

test("verifies a phone, creates a 1-Click, and reads it again", async () => {
  const begun = await api.createVerification({ channel: "sms", phone: richard });
  await api.deliverVerification(begun.uuid);
  const wrong = await refusalOf(api.submitVerificationCode(begun.uuid, { code: "000000" }));
  assert.ok(wrong.is("OCV001"));
  assert.equal(wrong.data.attemptsRemaining, 2);
  assert.equal((await api.submitVerificationCode(begun.uuid, { code: "111111" })).verified, true);
  assert.equal((await api.readVerification(begun.uuid)).status, "verified");
  const { uuid, identity } = await api.createOneClick({ verificationUuid: begun.uuid });
  assert.deepEqual(Object.keys(identity?.identifiers ?? {}), ["phone"]);
  assert.deepEqual(await api.readOneClick(uuid), identity);
});

test("the sandbox client creates a brand, moves the clock, and reads and answers texts", async () => {
  const own = sandboxClient({ apiUrl, apiKey: demoKey });
  const { uuid, apiKey } = await own.createSandboxBrand({ name: "Piper", settings: { integrationType: "api" } });
  assert.equal((await own.readSandboxBrand(uuid)).name, "Piper");
  const brand = countersignClient({ apiUrl, apiKey });
  const begun = await brand.createVerification({ channel: "sms", phone: richard });
  await brand.deliverVerification(begun.uuid);
  // A move of the clock answers once the due jobs are done, here the text.
  await own.moveSandboxClock({ advanceMs: 1 });
  const { data } = await own.listSandboxMessages({ to: richard });
  assert.ok(data.some((text) => text.brandUuid === uuid && text.body.includes("111111")));
  assert.equal((await own.moveSandboxClock({ advanceMs: 6 * 60_000 })).offsetMs, 6 * 60_000 + 1);
  const late = await refusalOf(brand.submitVerificationCode(begun.uuid, { code: "111111" }));
  assert.ok(late.is("OCV007"));
  assert.equal((await own.resetSandboxClock()).offsetMs, 0);
  assert.equal((await own.answerSandboxText({ from: "+12135550147", body: "HELLO" })).heeded, "ignored");
});

test("creates a session key with or without a body", async () => {
  const sdk = countersignClient({ apiUrl, apiKey: sdkKey });
  for (const body of [undefined, {}, { phone: richard }])
    assert.match((await sdk.createSession(body)).sessionKey, /^[0-9a-f-]{36}$/);
});

test("a call whose response was lost has one effect", async () => {
  const sent: string[] = [];
  const lossy: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    sent.push(await response.clone().text());
    return sent.length > 1 ? response : new Response("{}", { status: 503, headers: { "retry-after": "0" } });
  };
  const { uuid } = await countersignClient({ apiUrl, apiKey: demoKey, fetch: lossy }).createOneClick({
    phone: richard,
  });
  assert.deepEqual(
    sent.map((text) => JSON.parse(text).uuid),
    [uuid, uuid],
  );
});

test("what you ask for decides the types and the shapes of what is shared", async () => {
  const { identity } = await api.createOneClick({
    phone: richard,
    credentialRequests: [
      { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }] },
      { type: "AddressCredential", multi: true, children: [{ type: "CityCredential" }] },
      { type: "EmailCredential", multi: true },
      { type: "SsnCredential" },
    ],
  });
  const { fullName, address, email, ssn } = identity?.credentials ?? {};
  assert.equal(fullName?.firstName satisfies string | undefined, "Richard");
  assert.equal(address?.[0]?.city satisfies string | undefined, "Palo Alto");
  assert.match(email?.[0] ?? assert.fail(), /@/);
  assert.equal(ssn satisfies string | undefined, "000456789");
  assert.equal(identity?.metadata.credentials?.status.fullName?.firstName, "valid");
});

test("a device channel returns the URL that the device must open", async () => {
  const begun = await api.createVerification({ channel: "autofill", deviceIp: "::121:2555:0010" });
  assert.match(begun.location, /^https?:\/\//);
});

test("supports health, payers, issuance, and the schema library", async () => {
  const { healthDataUuid } = await api.createHealthLookup({
    fullName: { firstName: "Richard", lastName: "Hendricks" },
    birthDate: "1989-08-01",
  });
  assert.equal((await api.readHealthLookup(healthDataUuid)).healthDataUuid, healthDataUuid);
  const page = await api.listPayers({ $search: "aetna", $limit: "1" });
  assert.ok(!Array.isArray(page) && page.data.length === 1);
  assert.ok(Array.isArray(await api.listPayers()));
  const { credentials } = await api.issueCredentials({
    phone: richard,
    credentials: [
      { type: "EmailCredential", data: { email: "a@b.example" } },
      {
        type: "EmployerCredential",
        data: [
          { type: "EmployerNameCredential", data: { employer: "Pied Piper" } },
          {
            type: "AnnualIncomeCredential",
            data: [
              { type: "CurrencyCredential", data: { currency: "USD" } },
              { type: "AmountCredential", data: { amount: "120000" } },
            ],
          },
        ],
      },
    ],
  });
  const [email, employer] = credentials;
  assert.equal(email?.type === "EmailCredential" && email.data.email, "a@b.example");
  const [name] = employer?.type === "EmployerCredential" ? employer.data : [];
  assert.equal(name?.type === "EmployerNameCredential" && name.data.employer, "Pied Piper");
  const id = email?.id ?? "";
  assert.equal((await api.changeCredential(id, { status: "revoked" })).status, "revoked");
  assert.equal((await api.readCredential(id)).status, "revoked");
  assert.ok("EmailCredential" in (await api.readSchemaLibrary()));
  assert.ok("properties" in (await api.readSchema("EmailCredential")));
  assert.equal((await api.readChannels()).channels.sms.available, true);
});

test("a verification that lists channels uses the first one that can begin", async () => {
  const begun = await api.createVerification({ channels: ["silent", "sms"], phone: richard });
  assert.ok("channel" in begun);
  assert.equal(begun.channel, "sms");
});

test("an error has its code, its data, and the request id", async () => {
  const error = await refusalOf(api.createOneClick({ phone: "+12125550020" }));
  assert.ok(error.is("OCE011"));
  assert.deepEqual([error.code, error.errorCode], [400, "OCE011"]);
  assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
  assert.ok(error.data.additionalInputs.includes("birthDate"));
  const unknown = await refusalOf(countersignClient({ apiUrl, apiKey: "sk_sandbox_none" }).createSession());
  assert.deepEqual([unknown.code, unknown.errorCode], [401, undefined]);
});

test("escapes a path parameter so that it cannot change the rest of the URL", async () => {
  asked.length = 0;
  await fakeApi.readOneClick("../credentials?a=b#c", { code: "1 2" });
  assert.equal(asked[0]?.url, "/v2/1-click/..%2Fcredentials%3Fa%3Db%23c?code=1+2");
  for (const uuid of ["", ".", ".."]) await assert.rejects(fakeApi.readOneClick(uuid), TypeError);
  assert.equal(asked.length, 1);
});

test("each call sends the API key without a scheme, the body as JSON, and the given headers", async () => {
  asked.length = 0;
  await fakeApi.createSession({ phone: richard }, { headers: { "x-correlator": "abc", authorization: "no" } });
  const [{ method, url, headers, body } = assert.fail()] = asked;
  assert.deepEqual([method, url, JSON.parse(body)], ["POST", "/v2/client/1-click", { phone: richard }]);
  assert.deepEqual(
    [headers.authorization, headers["content-type"], headers["x-correlator"]],
    ["sk_sandbox_x", "application/json", "abc"],
  );
});

test("never follows a redirect", async () => {
  asked.length = 0;
  answer = (_, response) => response.writeHead(302, { location: `${fakeUrl}/elsewhere` }).end();
  assert.deepEqual(await fakeApi.createVerification({ channel: "silent", phone: richard, deviceIp: "::1" }), {
    location: `${fakeUrl}/elsewhere`,
  });
  assert.equal((await refusalOf(fakeApi.createSession())).code, 302);
  assert.equal(asked.length, 2);
});

test("a response that is not from the service is an error with its HTTP status", async () => {
  answer = (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  const gateway = await refusalOf(fakeApi.createSession());
  assert.deepEqual([gateway.code, gateway.errorCode, gateway.requestId], [502, undefined, undefined]);
  answer = (_, response) => response.end("<html>");
  assert.equal((await refusalOf(fakeApi.createSession())).code, 200);
  answer = (_, response) => response.writeHead(429, { "retry-after": "7", "x-request-id": "r1" }).end("{}");
  const limited = await refusalOf(fakeApi.createSession());
  assert.deepEqual([limited.retryAfterSeconds, limited.requestId], [7, "r1"]);
  answer = (_, response) => response.destroy();
  assert.equal((await refusalOf(fakeApi.createSession())).code, 0);
});

test("a call ends at its timeout or when the caller aborts it, even when only the body is missing", async () => {
  answer = (_, response) => response.writeHead(200).write("{");
  const late = await refusalOf(fakeApi.createSession({}, { timeoutMs: 1 }));
  assert.deepEqual([late.code, late.message], [0, "There was no answer within 1 ms."]);
  const mine = new AbortController();
  let hasHeaders = false;
  const leaving: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    hasHeaders = true;
    mine.abort(new Error("the person left"));
    return response;
  };
  const slow = countersignClient({ apiUrl: fakeUrl, apiKey: "sk_sandbox_x", maxRetries: 0, fetch: leaving });
  await assert.rejects(slow.createSession({}, { signal: mine.signal }), /the person left/);
  assert.equal(hasHeaders, true, "only the body is missing");
  await assert.rejects(fakeApi.createSession({}, { signal: mine.signal }), /the person left/);
});

test("a client requires a URL and a key, and does not expose the key", () => {
  assert.throws(() => countersignClient({ apiUrl: "api.example", apiKey: "k" }), TypeError);
  assert.throws(() => countersignClient({ apiUrl, apiKey: "" }), TypeError);
  assert.ok(!JSON.stringify(api).includes(demoKey));
  assert.deepEqual(Object.keys(api), Object.keys(operations));
});

test("every call asks the platform to store nothing, because answers have personal data", async () => {
  const stored: unknown[] = [];
  const spy: typeof fetch = async (url, init) => {
    stored.push(new Request(url, init).cache);
    return Response.json({});
  };
  const calls = countersignClient({ apiUrl: fakeUrl, apiKey: "sk_sandbox_x", fetch: spy });
  for (const [name, operation] of Object.entries(operations)) {
    const parameters = operation.match(/\{\w+\}/g) ?? [];
    await Reflect.apply(Reflect.get(calls, name), calls, [...parameters.map(() => "x"), {}]);
  }
  assert.equal(stored.length, Object.keys(operations).length);
  assert.deepEqual([...new Set(stored)], ["no-store"]);
});

test("in a runtime that refuses the option, calls work without it", async (t) => {
  const { Request: whole } = globalThis;
  t.after(() => Object.assign(globalThis, { Request: whole }));
  class Refusing extends whole {
    constructor(url: RequestInfo | URL, init?: RequestInit) {
      if (init?.cache !== undefined) throw new Error("The 'cache' field is not implemented.");
      super(url, init);
    }
  }
  Object.assign(globalThis, { Request: Refusing });
  const spy: typeof fetch = async (url, init) => Response.json({ sessionKey: new Request(url, init).method });
  const calls = countersignClient({ apiUrl: fakeUrl, apiKey: "sk_sandbox_x", fetch: spy });
  assert.deepEqual(await calls.createSession(), { sessionKey: "POST" });
});

test("an error by which Next.js ends a prerendering reaches the page at once", async () => {
  let calls = 0;
  const ending = Object.assign(new Error("Dynamic server usage"), { digest: "DYNAMIC_SERVER_USAGE" });
  const next: typeof fetch = async () => {
    calls += 1;
    throw ending;
  };
  const page = countersignClient({ apiUrl: fakeUrl, apiKey: "sk_sandbox_x", fetch: next });
  await assert.rejects(page.readVerification("x"), (error) => error === ending);
  assert.equal(calls, 1);
});
