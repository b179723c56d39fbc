import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import type { OneClickRequest } from "@countersign/contract/v2";
import { freshPhone } from "../harness/below-http.ts";
import { demoKey, refusal, sandbox, sdkKey } from "../harness/sandbox.ts";

const it = await sandbox();
const minute = 60_000;
const phone = "+12125550010";
const source = "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90";

const ask = async (body: OneClickRequest, api = it.api) => (await api.createOneClick({ body })).body;
const refused = (body: OneClickRequest, api = it.api) => refusal(api.createOneClick({ body }));
const begin = async (api = it.api, of = phone) =>
  (await api.createVerification({ body: { channel: "sms", phone: of } })).body.uuid;
const verify = (uuid: string, code: string) => it.api.submitVerificationCode({ params: { uuid }, body: { code } });
async function verified(): Promise<string> {
  const uuid = await begin();
  await verify(uuid, "111111");
  return uuid;
}
/** Returns a value with each leaf replaced. */
function mirror(value: unknown, leaf: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mirror(one, leaf));
  if (typeof value !== "object" || value === null) return leaf(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mirror(one, leaf)]));
}

test("a phone alone returns the person's full data, with addresses as a list", async () => {
  const { uuid, identity } = await ask({ phone });
  assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(identity.identifiers, { phone });
  const { address, ...rest } = identity.credentials ?? {};
  assert.deepEqual(rest, {
    fullName: { firstName: "Richard", middleName: "Harrison", lastName: "Hendricks" },
    phone,
    birthDate: "1989-08-01",
    ssn: "000456789",
  });
  assert.ok(Array.isArray(address) && address.length === 3);
  const home = { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303", country: "US" };
  assert.deepEqual(address[0], home);
});

test("metadata has the verification method of each value, in the shape of the credentials", async () => {
  const { identity } = await ask({ phone });
  const { identifiers, credentials } = identity.metadata;
  assert.deepEqual(identifiers.verificationMethod, { phone: "customer_otp" });
  const carrier = (value: unknown) => mirror(value, () => "phone_carrier");
  const { fullName, address, birthDate, ssn } = identity.credentials ?? {};
  assert.deepEqual(credentials?.verificationMethod, {
    fullName: carrier(fullName),
    phone: "customer_otp",
    address: mirror(address, () => "credit_bureau"),
    birthDate: carrier(birthDate),
    ssn: carrier(ssn),
  });
});

test("the six metadata maps have the shape of the credentials, each with its own kind of value", async () => {
  const { identity } = await ask({ phone });
  const shape = mirror(identity.credentials, () => "leaf");
  const maps = identity.metadata.credentials;
  assert.ok(maps);
  const names = ["expirationDate", "id", "issuanceDate", "issuerUuid", "status", "verificationMethod"];
  assert.deepEqual(Object.keys(maps).sort(), names);
  for (const map of Object.values(maps))
    assert.deepEqual(
      mirror(map, () => "leaf"),
      shape,
    );
  mirror(maps.id, (id) => assert.match(String(id), /^[0-9a-f-]{36}$/));
  mirror(maps.status, (status) => assert.equal(status, "valid"));
  mirror(maps.issuerUuid, (issuer) => assert.equal(issuer, source));
  mirror(maps.issuanceDate, (at) => assert.ok(Number.isSafeInteger(at) && Number(at) <= it.deps.clock.now()));
  mirror(maps.expirationDate, (at) => assert.equal(at, null));
});

test("a phone that the service verified has the method otp", async () => {
  const { identity } = await ask({ verificationUuid: await verified() });
  assert.deepEqual(identity.identifiers, { phone });
  assert.deepEqual(identity.metadata.identifiers.verificationMethod, { phone: "otp" });
  assert.equal(identity.metadata.credentials?.verificationMethod.phone, "otp");
});

test("an email is returned as an identifier with a null method, and adds its risk signals", async () => {
  const given = { phone, email: "Richard@PiedPiper.net", deviceIp: "::121:2555:0010" };
  const { identity } = await ask(given);
  assert.deepEqual(identity.identifiers, { phone, email: given.email });
  const { verificationMethod, riskSignals } = identity.metadata.identifiers;
  assert.deepEqual(verificationMethod, { phone: "customer_otp", email: null });
  assert.deepEqual(riskSignals?.email, { reasonCodes: ["OCR60001", "OCR60002"] });
  assert.deepEqual(riskSignals?.deviceIp, { reasonCodes: ["OCR50001", "OCR50002"] });
  const alone = (await ask({ phone })).identity.metadata.identifiers;
  assert.deepEqual(Object.keys(alone.riskSignals ?? {}), ["overall", "phone"]);
});

test("a read returns the same identity as the request", async () => {
  const { uuid, identity } = await ask({ phone, email: "richard@piedpiper.net" });
  const { body } = await it.api.readOneClick({ params: { uuid } });
  assert.deepEqual(body, identity);
});

test("a 1-Click can be created and read under /v2.1", async () => {
  const api = it.as(demoKey, "/v2.1");
  const { uuid, identity } = await ask({ phone }, api);
  assert.deepEqual((await api.readOneClick({ params: { uuid } })).body, identity);
});

for (const integrationType of ["v1", "hosted", "semiHosted"]) {
  test(`a ${integrationType} brand gets 400 under /v2.1, however the path is spelled`, async () => {
    const { apiKey } = await it.brand({ integrationType });
    const current = it.as(apiKey, "/v2.1");
    const calls = [
      () => current.createOneClick({ body: { phone } }),
      () => current.readOneClick({ params: { uuid: "x" } }),
      () => current.readVerification({ params: { uuid: randomUUID() } }),
    ];
    for (const call of calls) {
      const { errorCode, status, message } = await refusal(call());
      assert.deepEqual([errorCode, status], ["ERR001", 400]);
      assert.match(message, new RegExp(integrationType));
    }
    const escaped = await it.inject({ method: "GET", url: "/v2%2E1/1-click/x", headers: { authorization: apiKey } });
    assert.equal(escaped.status, 400);
  });
}

test("a v1 brand gets 400 for a 1-Click under /v2", async () => {
  const { errorCode, status, message } = await refused({ phone }, (await it.brand({ integrationType: "v1" })).api);
  assert.deepEqual([errorCode, status], ["ERR001", 400]);
  assert.match(message, /v1/);
});

test("a non-hosted brand gets the identity at once, with one address", async () => {
  const { api, apiKey } = await it.brand({ integrationType: "nonHosted" });
  const { identity } = await ask({ phone }, api);
  const { address } = identity.credentials ?? {};
  assert.ok(typeof address === "object" && !Array.isArray(address) && address.city === "Palo Alto");
  assert.equal((await ask({ phone }, it.as(apiKey, "/v2.1"))).identity.identifiers.phone, phone);
});

test("an SDK brand gets OCE020, whatever it sends", async () => {
  const api = it.as(sdkKey);
  for (const body of [{ phone }, { verificationUuid: randomUUID() }, {}, { phone: "12345" }]) {
    const { errorCode, status } = await refused(body, api);
    assert.deepEqual([errorCode, status], ["OCE020", 400]);
  }
  const { data } = await refused({ phone, email: "a@example.com" }, api);
  assert.deepEqual(data, {
    identifiers: { phone, email: "a@example.com" },
    verificationMethod: { phone: "customer_otp", email: null },
  });
});

test("a request without a phone or a verification gets OCE003, even with an email", async () => {
  const nothing = "Either 'phone' or 'email' is required";
  const emailOnly = "'phone' is required: 'email' alone identifies nobody";
  for (const [body, expected] of [
    [{}, nothing],
    [{ birthDate: "1989-08-01" }, nothing],
    [{ email: "richard@piedpiper.net" }, emailOnly],
  ] as const) {
    const { errorCode, message, data } = await refused(body);
    assert.deepEqual([errorCode, message, data], ["OCE003", expected, {}]);
  }
});

for (const unfit of ["+442071838750", "12345", "2125550010", "+1212555001", "+121255500100", "+1 212 555 0010", ""]) {
  test(`the phone ${JSON.stringify(unfit)} gets OCE002`, async () => {
    const { errorCode, status, data, message } = await refused({ phone: unfit });
    assert.deepEqual([errorCode, status, data], ["OCE002", 400, {}]);
    assert.match(message, /E\.164: \+1 and ten digits, in the sandbox such as \+1\d{10}\.$/);
  });
}

test("a brand that has not declared consent gets 403 and no personal data", async () => {
  const { api } = await it.brand({ consent: { declared: false } });
  for (const body of [{ phone }, { phone, credentialRequests: [] }, { identityUuid: randomUUID() }]) {
    const { errorCode, status, message, data } = await refused(body, api);
    assert.deepEqual([errorCode, status, data], [undefined, 403, {}]);
    assert.match(message, /consent\.declared/);
  }
});

test("values have the formats in the brand's settings", async () => {
  const { api, uuid: brandUuid } = await it.brand({
    credentialFormats: { birthDate: "MM/dd/yyyy", state: "full", country: "full", fullName: "lastName, firstName" },
  });
  const { uuid, identity } = await ask({ phone }, api);
  const { fullName, birthDate, address } = identity.credentials ?? {};
  assert.deepEqual([fullName, birthDate], ["Hendricks, Richard", "08/01/1989"]);
  assert.match(JSON.stringify(address), /"state":"California".*"country":"United States of America"/);
  assert.equal(identity.metadata.credentials?.verificationMethod.fullName, "phone_carrier");
  const settings = { credentialFormats: { birthDate: "unixTimestamp" } };
  await it.api.patchSandboxBrand({ params: { uuid: brandUuid }, body: settings });
  const { body } = await api.readOneClick({ params: { uuid } });
  assert.equal(body.credentials?.birthDate, String(Date.UTC(1989, 7, 1, 12)));
});

test("a pending, failed or expired verification gets ERR001", async () => {
  const pending = await begin();
  const failed = await begin();
  for (let i = 0; i < 3; i += 1) await refusal(verify(failed, "000000"));
  const expired = await begin();
  await it.advance(5 * minute);
  for (const verificationUuid of [pending, failed, expired]) {
    const { errorCode, status, message } = await refused({ verificationUuid });
    assert.deepEqual([errorCode, status, message], ["ERR001", 400, '"verificationUuid" is not verified']);
  }
});

test("another brand's, a deleted and an unknown verification get OCV005", async () => {
  const { api } = await it.brand();
  const theirs = await verified();
  const old = await verified();
  assert.equal((await refused({ verificationUuid: theirs }, api)).errorCode, "OCV005");
  await it.advance(24 * 60 * minute);
  for (const verificationUuid of [old, randomUUID()]) {
    const { errorCode, status } = await refused({ verificationUuid, phone });
    assert.deepEqual([errorCode, status], ["OCV005", 404]);
  }
});

test("a phone sent with a verification must be the verification's phone", async () => {
  const verificationUuid = await verified();
  const { errorCode, message } = await refused({ verificationUuid, phone: freshPhone() });
  assert.deepEqual([errorCode, message], ["ERR001", '"phone" is not the phone of "verificationUuid"']);
  const { identity } = await ask({ verificationUuid, phone });
  assert.equal(identity.metadata.identifiers.verificationMethod.phone, "otp");
});

test("a verification can be used again after OCE011, until it is deleted", async () => {
  const uuid = await begin(it.api, "+12125550022");
  await verify(uuid, "111111");
  assert.equal((await refused({ verificationUuid: uuid })).errorCode, "OCE011");
  const { identity } = await ask({ verificationUuid: uuid, birthDate: "1989-08-01" });
  assert.equal(identity.metadata.identifiers.verificationMethod.phone, "otp");
  await it.advance(24 * 60 * minute - 1);
  await ask({ verificationUuid: uuid, birthDate: "1989-08-01" });
});
