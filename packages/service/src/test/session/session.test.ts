import assert from "node:assert/strict";
import test from "node:test";
import { assertNotStored } from "../harness/below-http.ts";
import {
  assertEnvelope,
  demoKey,
  frameOfKey,
  refusal,
  sandbox,
  sdkKey,
  stillClock,
  takeApproval,
} from "../harness/sandbox.ts";

const clock = stillClock();
const it = await sandbox({ clock });
const sdk = it.as(sdkKey);
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const open = async (sessionKey: string) => {
  const response = await it.wallet.inject({
    method: "POST",
    url: "/api/session",
    payload: { sessionKey, frame: frameOfKey(sessionKey) },
  });
  return { status: response.statusCode, body: response.json() as Record<string, unknown> };
};
const newKey = async (body: Parameters<typeof sdk.createSession>[0] = {}) =>
  (await sdk.createSession(body)).body.sessionKey;

test("a session key can be created with no body, an empty body or an empty object", async () => {
  for (const payload of [undefined, "", "{}"]) {
    const response = await it.inject({
      method: "POST",
      url: "/client/1-click",
      headers: { authorization: sdkKey, "content-type": "application/json" },
      ...(payload === undefined ? {} : { payload }),
    });
    assert.equal(response.status, 201);
    assert.match((response.body as { sessionKey: string }).sessionKey, uuidV4);
  }
  const bare = await it.inject({ method: "POST", url: "/v2/client/1-click", headers: { authorization: sdkKey } });
  assert.equal(bare.status, 201);
});

test("a session accepts every input that a brand can send", async () => {
  const inputs = {
    phone: "+12125550010",
    email: "richard@piedpiper.net",
    deviceIp: "::121:2555:0010",
    birthDate: "1989-08-01",
    ssn4: "6789",
    fullName: { firstName: "Richard", lastName: "Hendricks" },
    address: { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303", country: "US" },
  };
  assert.match(await newKey({ body: inputs }), uuidV4);
});

test("impossible values are rejected at once and use no attempt", async () => {
  for (const body of [
    { birthDate: "1990-01-01" },
    { ssn4: "1111" },
    { phone: "+12125550010", birthDate: "2017-01-01" },
  ]) {
    for (let i = 0; i < 5; i += 1) assert.equal((await refusal(sdk.createSession({ body }))).errorCode, "OCE012");
  }
  assert.equal(
    (await refusal(sdk.createSession({ body: { birthDate: "1990-01-01", ssn4: "1111" } }))).message,
    "BirthDate mismatch and SSN4 mismatch.",
  );
  assert.match(await newKey({ body: { birthDate: "2017-01-01" } }), uuidV4);
  assert.match(await newKey({ body: { phone: "+13135550100", birthDate: "2017-01-01" } }), uuidV4);
});

test("a fullName without a firstName is rejected", async () => {
  const response = await it.inject({
    method: "POST",
    url: "/v2/client/1-click",
    headers: { authorization: sdkKey },
    payload: { fullName: { lastName: "X" } },
  });
  assertEnvelope(400, response.body);
});

test("only SDK brands can create session keys", async () => {
  assert.equal((await refusal(it.as(demoKey).createSession())).errorCode, "SKE001");
});

test("a brand that verifies phones itself must send a phone", async () => {
  const brand = await it.brand({ integrationType: "sdk", phoneVerificationType: "byCustomer" });
  const refused = await refusal(brand.api.createSession());
  assert.deepEqual([refused.errorCode, refused.data], ["SKE002", { phone: '"phone" is required' }]);
  assert.match((await brand.api.createSession({ body: { phone: "+12125550010" } })).body.sessionKey, uuidV4);
});

test("a session accepts a verified verification of the same brand instead of a phone", async () => {
  const { uuid } = (await sdk.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body;
  assert.equal((await refusal(sdk.createSession({ body: { verificationUuid: uuid } }))).errorCode, "ERR001");
  await sdk.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  assert.match(await newKey({ body: { verificationUuid: uuid } }), uuidV4);
  const brand = await it.brand({ integrationType: "sdk" });
  assert.equal((await refusal(brand.api.createSession({ body: { verificationUuid: uuid } }))).errorCode, "OCV005");
  assert.equal(
    (await refusal(sdk.createSession({ body: { verificationUuid: uuid, phone: "+12125550020" } }))).errorCode,
    "ERR001",
  );
});

test("a phone without a verification needs the operator's approval", async () => {
  const brand = await it.brand({ integrationType: "sdk" });
  await takeApproval(it, brand.uuid, "barePhone");
  assert.equal((await refusal(brand.api.createSession({ body: { phone: "+12125550010" } }))).status, 403);
  assert.match((await brand.api.createSession()).body.sessionKey, uuidV4);
});

test("a non-US phone gets OCE002", async () => {
  assert.equal((await refusal(sdk.createSession({ body: { phone: "+442071838750" } }))).errorCode, "OCE002");
});

test("a session key opens one session, even if 100 requests use it at once", async () => {
  const sessionKey = await newKey();
  const all = await Promise.all(Array.from({ length: 100 }, () => open(sessionKey)));
  const won = all.filter((one) => one.status === 201);
  assert.equal(won.length, 1);
  assert.match(String(won[0]?.body.sessionToken), /^[0-9a-f]{6}[0-9A-Za-z]{43}$/);
  for (const lost of all.filter((one) => one.status !== 201)) {
    assertEnvelope(401, lost.body);
    assert.equal(lost.body.message, "INVALID_SESSION_KEY");
  }
});

test("a session key of another environment opens no session", async () => {
  const sessionKey = await newKey();
  await it.store.keyed.updateTable("session").set({ environment: "production" }).execute();
  assert.equal((await open(sessionKey)).status, 401);
  await it.store.keyed.updateTable("session").set({ environment: "sandbox" }).execute();
  assert.equal((await open(sessionKey)).status, 201);
});

test("a session key expires after 60 minutes, and then the session's data is deleted", async () => {
  const late = await newKey({ body: { email: "late@example.com" } });
  // Move only the clock, so that the erase job has not run yet.
  clock.setOffset(clock.offsetMs() + 60 * 60_000);
  assert.equal((await open(late)).status, 401);
  await it.runJobs();
  assert.deepEqual(await it.store.keyed.selectFrom("session").select("uuid").execute(), []);
});

test("session keys and tokens are not stored, and inputs are sealed", async () => {
  const sessionKey = await newKey({ body: { email: "canary-4711@example.com" } });
  const { body } = await open(sessionKey);
  await assertNotStored(it, [sessionKey, String(body.sessionToken), "canary-4711"]);
  assert.ok(!JSON.stringify(it.log).includes("canary-4711"));
});

test("an API key used in a browser gets 418", async () => {
  const response = await it.inject({
    method: "POST",
    url: "/v2/client/1-click",
    headers: { authorization: sdkKey, origin: "https://brand.example" },
  });
  assertEnvelope(418, response.body);
});
