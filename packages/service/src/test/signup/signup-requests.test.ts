import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialRequest } from "@countersign/contract/credential";
import type { IdentitySource, SourcedCredential } from "../../domain/ports.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { freshPhone } from "../harness/below-http.ts";
import { demoKey, refusal, sandbox } from "../harness/sandbox.ts";

/** A phone whose person has five values of each type that is not a composite. */
const movedOften = freshPhone();
const identity: IdentitySource = sandboxIdentity();
let lookUps = 0;
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        lookUps += 1;
        const answer = await identity.lookUp(question);
        if (answer.kind !== "found" || question.phone !== movedOften) return answer;
        return { kind: "found", credentials: answer.credentials.flatMap(often) };
      },
    },
  },
});
function often(credential: SourcedCredential): SourcedCredential[] {
  if ("children" in credential) return [credential];
  const { value } = credential;
  return [1, 2, 3, 4, 5].map((age) => ({ ...credential, value: age === 1 ? value : `${age}-${value}` }));
}

const phone = "+12125550010";
const ask = async (credentialRequests: CredentialRequest[] | undefined, api = it.api, of = phone) =>
  (await api.createOneClick({ body: { phone: of, credentialRequests } })).body.identity;
const post = (body: unknown) =>
  it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: { authorization: demoKey, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
const emptyMaps = {
  id: {},
  verificationMethod: {},
  status: {},
  issuerUuid: {},
  issuanceDate: {},
  expirationDate: {},
};
const email = "richard@piedpiper.net";
const home = { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303", country: "US" };

test("an empty list returns risk metadata only, without credentials and without a source lookup", async () => {
  const before = lookUps;
  const { credentials, metadata } = await ask([]);
  assert.deepEqual(credentials, {});
  assert.deepEqual(metadata.credentials, emptyMaps);
  assert.equal(metadata.identifiers.riskSignals?.overall.score, 0);
  assert.equal(lookUps, before);
});

test("a person without the requested credential gets an answer with empty credentials", async () => {
  const { credentials, metadata } = await ask([{ type: "LivenessCredential" }]);
  assert.deepEqual([credentials, metadata.credentials], [{}, emptyMaps]);
});

test("an atomic credential is a string, or a list of strings with multi", async () => {
  assert.deepEqual((await ask([{ type: "EmailCredential" }])).credentials, { email });
  assert.deepEqual((await ask([{ type: "EmailCredential", multi: true }])).credentials, { email: [email] });
});

test("a composite with children is an object of only those children, and metadata has the same shape", async () => {
  const { credentials, metadata } = await ask([{ type: "AddressCredential", children: [{ type: "CityCredential" }] }]);
  assert.deepEqual(credentials, { address: { city: "Palo Alto" } });
  assert.deepEqual(metadata.credentials?.verificationMethod, { address: { city: "credit_bureau" } });
  assert.deepEqual(metadata.credentials?.expirationDate, { address: { city: null } });
});

test("a composite without children is one string, or a list of strings with multi", async () => {
  const line = "5320 Newell Rd, Palo Alto, CA 94303, US";
  assert.deepEqual((await ask([{ type: "AddressCredential" }])).credentials, { address: line });
  const { address } = (await ask([{ type: "AddressCredential", multi: true }])).credentials ?? {};
  assert.ok(Array.isArray(address) && address.length === 3);
  assert.equal(address[0], line);
});

test("a composite with children and multi is a list of objects, newest first", async () => {
  const { credentials, metadata } = await ask([
    { type: "AddressCredential", multi: true, children: [{ type: "CityCredential" }, { type: "StateCredential" }] },
  ]);
  const { address } = credentials ?? {};
  assert.ok(Array.isArray(address));
  assert.deepEqual(address[0], { city: home.city, state: home.state });
  const dates = metadata.credentials?.issuanceDate.address;
  assert.ok(Array.isArray(dates) && dates.length === address.length);
  const years = dates.map((one) => Number((one as { city: number }).city));
  assert.deepEqual(
    years,
    years.toSorted((a, b) => b - a),
  );
});

test("multi returns three of five values, or one value to a brand without risk signals", async () => {
  const requests: CredentialRequest[] = [{ type: "EmailCredential", multi: true }];
  const three = (await ask(requests, it.api, movedOften)).credentials?.email;
  assert.deepEqual(three, [email, `2-${email}`, `3-${email}`]);
  const { api } = await it.brand({ riskSignals: false });
  assert.deepEqual((await ask(requests, api, movedOften)).credentials, { email: [email] });
  assert.deepEqual((await ask([{ type: "EmailCredential" }], it.api, movedOften)).credentials, { email });
});

test("multi on a child has no effect", async () => {
  const children: CredentialRequest[] = [{ type: "CityCredential", multi: true }];
  const { credentials } = await ask([{ type: "AddressCredential", children }]);
  assert.deepEqual(credentials, { address: { city: "Palo Alto" } });
});

test("without credentialRequests, the brand's default requests apply", async () => {
  const { api } = await it.brand({ defaultCredentialRequests: [{ type: "SsnCredential" }] });
  assert.deepEqual((await ask(undefined, api)).credentials, { ssn: "000456789" });
  const { api: none } = await it.brand({ defaultCredentialRequests: [] });
  assert.deepEqual((await ask(undefined, none)).credentials, {});
});

test("the phone can be requested as a credential and has the identifier's method", async () => {
  const { credentials, metadata } = await ask([{ type: "PhoneCredential" }]);
  assert.deepEqual(credentials, { phone });
  assert.deepEqual(metadata.credentials?.verificationMethod, { phone: "customer_otp" });
});

test("a request returns only credentials of its issuers, and the service's own sources are one issuer", async () => {
  const own = "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90";
  const stranger = "00000000-0000-4000-8000-00000000dead";
  assert.deepEqual((await ask([{ type: "SsnCredential", issuers: [stranger] }])).credentials, {});
  assert.deepEqual((await ask([{ type: "SsnCredential", issuers: [stranger, own] }])).credentials, {
    ssn: "000456789",
  });
});

const noSsn = "+13135550033";
test("a missing mandatory credential fails the whole request with OCE007", async () => {
  const mandatory: CredentialRequest[] = [{ type: "SsnCredential", mandatory: "yes" }, { type: "BirthDateCredential" }];
  const { errorCode, status, message, data } = await refusal(ask(mandatory, it.api, noSsn));
  const who = { identifiers: { phone: "+13135550033" }, verificationMethod: { phone: "customer_otp" } };
  assert.deepEqual([errorCode, status, data], ["OCE007", 400, who]);
  assert.equal(message, "Unable to use 1-click due to missing mandatory credentials");
  assert.deepEqual((await ask(mandatory)).credentials, { ssn: "000456789", birthDate: "1989-08-01" });
});

for (const word of ["if_available", "no"] as const) {
  test(`a credential asked for with mandatory "${word}" may be missing`, async () => {
    const requests: CredentialRequest[] = [{ type: "SsnCredential", mandatory: word }, { type: "BirthDateCredential" }];
    assert.deepEqual((await ask(requests, it.api, noSsn)).credentials, { birthDate: "1989-08-01" });
  });
}

test("a missing mandatory child fails the request too", async () => {
  const children: CredentialRequest[] = [{ type: "CityCredential" }, { type: "Line2Credential", mandatory: "yes" }];
  const { errorCode } = await refusal(ask([{ type: "AddressCredential", children }]));
  assert.equal(errorCode, "OCE007");
});

const type = "SsnCredential";
const many = (count: number) => Array.from({ length: count }, () => ({ type }));
const nested = (depth: number): object =>
  depth === 0 ? { type } : { type: "EmployerCredential", children: [nested(depth - 1)] };
const unfit: [string, unknown][] = [
  ["an unknown type", [{ type: "ShoeSizeCredential" }]],
  ["a plain type name", ["SsnCredential"]],
  ["an object instead of a list", { type }],
  ["a list of null", [null]],
  ["a child of the wrong parent", [{ type: "AddressCredential", children: [{ type }] }]],
  ["a child of an atomic type", [{ type, children: [{ type: "CityCredential" }] }]],
  ["the same type twice", many(2)],
  ["51 requests", many(51)],
  ["ten thousand requests", many(10_000)],
  ["nesting deeper than the types allow", [nested(4)]],
  ["nesting deeper than any body may have", [nested(30)]],
  ["an unknown word for mandatory", [{ type, mandatory: "maybe" }]],
  ["a string for multi", [{ type, multi: "yes" }]],
  ["an issuer that is not a uuid", [{ type, issuers: ["somebody"] }]],
];
for (const [what, credentialRequests] of unfit) {
  test(`credentialRequests with ${what} get 400, and no source is asked`, async () => {
    const before = lookUps;
    const { status, body } = await post({ phone, credentialRequests });
    assert.equal(status, 400);
    const { data } = body as { data: { errorCode: string; errors: unknown[] } };
    assert.equal(data.errorCode, "ERR001");
    assert.ok(data.errors.length >= 1 && data.errors.length <= 50);
    assert.equal(lookUps, before);
  });
}

test("a credential request with a __proto__ property is rejected", async () => {
  const { status } = await it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: { authorization: demoKey, "content-type": "application/json" },
    payload: `{"phone":"${phone}","credentialRequests":[{"type":"SsnCredential","__proto__":{"mandatory":"yes"}}]}`,
  });
  assert.equal(status, 400);
});

// biome-ignore format: a table
const malformed: Record<string, unknown>[] = [
  { birthDate: "01/08/1989" }, { birthDate: "1989-13-40" }, { birthDate: "1989-02-30" }, { birthDate: "0000-01-01" },
  { birthDate: "1825-01-01" }, { birthDate: "1899-12-31" }, { birthDate: "2026-01-03" }, { birthDate: "9999-12-31" },
  { birthDate: 19890801 }, { birthDate: "" }, { ssn4: "67890" }, { ssn4: "678" }, { ssn4: 6789 }, { ssn4: "６７８９" },
  { email: "nobody" }, { deviceIp: "127.0.0.1" }, { fullName: "Richard" }, { fullName: { firstName: 1 } },
  { address: { zipCode: "9430" } }, { verificationUuid: "x" }, { identityUuid: "x" }, { phone: 12125550010 },
];
for (const given of malformed) {
  test(`${JSON.stringify(given)} is rejected with the property's path`, async () => {
    const { status, body } = await post({ phone, ...given });
    assert.equal(status, 400);
    const { data, message } = body as { message: string; data: { errorCode: string; errors: { path: string }[] } };
    assert.deepEqual([data.errorCode, message], ["ERR001", "Validation failed"]);
    const [name = ""] = Object.keys(given);
    assert.ok(
      data.errors.every((one) => one.path.startsWith(`body.${name}`)),
      JSON.stringify(data.errors),
    );
  });
}

test("a birth date of today or of 1900 is valid", async () => {
  for (const birthDate of ["2026-01-02", "1900-01-01"]) {
    const { errorCode } = await refusal(it.api.createOneClick({ body: { phone: freshPhone(), birthDate } }));
    assert.equal(errorCode, "OCE012");
  }
});
