import assert from "node:assert/strict";
import test from "node:test";
import { type CredentialType, compositeChildren, credentialTypes } from "@countersign/contract/credential";
import type { GivenData, IssuanceRequest } from "@countersign/contract/issuance";
import { dataKeyOf, isCompositeType } from "@countersign/contract/schema-library";
import { libraryValues, noon } from "../harness/library-values.ts";
import { refusal, sandbox, testStart } from "../harness/sandbox.ts";

const it = await sandbox();
const phone = "+12125559001";

type Given = IssuanceRequest["credentials"][number];
const email = (address = "ada@example.com"): Given => ({ type: "EmailCredential", data: { email: address } });
const name = (firstName: string, lastName = "Lovelace"): Given => ({
  type: "FullNameCredential",
  data: [
    { type: "FirstNameCredential", data: { firstName } },
    { type: "LastNameCredential", data: { lastName } },
  ],
});
const issue = (body: IssuanceRequest, api = it.api) => api.issueCredentials({ body });
const count = async (where = "true") => {
  const { rows } = await it.store.pool.query(`select count(*) as count from issued_credential where ${where}`);
  return Number(rows[0].count);
};
const problems = async (credentials: Given[]) => {
  const { errorCode, data } = await refusal(issue({ phone, credentials }));
  assert.equal(errorCode, "ERR001");
  return (data.errors as { path: string }[]).map(({ path }) => path);
};

/** Builds the request data of one type from its merged object. */
function given(type: CredentialType, values: Record<string, unknown>): GivenData {
  if (!isCompositeType(type)) return values;
  const children: readonly CredentialType[] = compositeChildren[type];
  const parts = children.map((child) => ({ type: child, own: only(values, keysOf(child)) }));
  // Composites nest at most two levels deep: only EmployerCredential contains another one, AnnualIncomeCredential.
  return parts.flatMap(({ type: child, own }) =>
    Object.keys(own).length === 0 ? [] : [{ type: child, data: given(child, own) as Record<string, unknown> }],
  );
}
function keysOf(type: CredentialType): string[] {
  if (isCompositeType(type)) return compositeChildren[type].flatMap(keysOf);
  return [dataKeyOf(type) ?? []].flat();
}
function only(values: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
}

test("the demo's eleven credentials are returned with ids, dates as strings, and no failure or redirect members", async () => {
  const credentials: Given[] = [
    email(),
    name("Ada"),
    { type: "SexCredential", data: { sex: "Female" } },
    { type: "BirthDateCredential", data: { birthDate: "603201600000" } },
    { type: "SsnCredential", data: { ssn: "000456789" } },
    { type: "NationalityCredential", data: { nationality: "US" } },
    { type: "GovernmentIdTypeCredential", data: { documentType: "Drivers License" } },
    { type: "GovernmentIdStateCredential", data: { state: "US-CA" } },
    { type: "GovernmentIdNumberCredential", data: { idNumber: "A1234567" } },
    { type: "GovernmentIdIssuanceDateCredential", data: { issuanceDate: noon } },
    { type: "GovernmentIdExpirationDateCredential", data: { expirationDate: "1893499200000" } },
  ];
  const { status, body } = await issue({ email: "ada@example.com", phone, trackingId: "t-1", credentials });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body).sort(), ["credentials", "email", "phone", "trackingId"]);
  assert.deepEqual([body.email, body.phone, body.trackingId], ["ada@example.com", phone, "t-1"]);
  assert.equal(body.credentials.length, 11);
  const dates = {
    issuanceDate: String(testStart),
    expirationDate: null,
    status: "valid",
    createdAt: String(testStart),
    updatedAt: String(testStart),
  };
  for (const [index, one] of body.credentials.entries()) {
    const { id, type, data, issuerUuid, ...rest } = one;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(issuerUuid, "b0000000-0000-4000-8000-000000000001");
    assert.deepEqual(rest, dates);
    assert.equal(type, credentials[index]?.type);
    if (!Array.isArray(data)) assert.deepEqual(data, credentials[index]?.data);
  }
  const children = body.credentials[1]?.data;
  assert.ok(Array.isArray(children));
  assert.deepEqual(
    children.map(({ type, data }) => ({ type, data })),
    name("Ada").data,
  );
  for (const { id, type: _type, data: _data, issuerUuid, ...rest } of children) {
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(issuerUuid, "b0000000-0000-4000-8000-000000000001");
    assert.deepEqual(rest, dates);
  }
});

test("every credential type can be issued under every path prefix, and reads back the same", async () => {
  const credentials = credentialTypes.map((type) => ({ type, data: given(type, libraryValues[type].good[0] ?? {}) }));
  for (const prefix of ["", "/v2", "/v2.1"]) {
    const api = it.as("sk_sandbox_demo_api", prefix);
    const { body } = await issue({ phone, credentials }, api);
    assert.deepEqual(
      body.credentials.map(({ type }) => type),
      [...credentialTypes],
    );
    for (const one of body.credentials) {
      assert.deepEqual((await api.readCredential({ params: { id: one.id } })).body, one);
    }
  }
});

test("each invalid value of an atomic type is rejected with its path, and nothing is stored", async () => {
  const before = await count();
  for (const type of credentialTypes) {
    if (isCompositeType(type)) continue;
    for (const data of libraryValues[type].bad) {
      const paths = await problems([email(), { type, data }]);
      assert.equal(paths.length, 1);
      assert.match(paths[0] ?? "", /^body\.credentials\.1\.data/, `${type}: ${JSON.stringify(data)}`);
    }
  }
  assert.equal(await count(), before);
});

test("when some credentials are invalid, nothing is stored, and every error is listed with its path", async () => {
  const before = await count();
  const paths = await problems([
    email(),
    { type: "SsnCredential", data: { ssn: "123-45-6789" } },
    { type: "BirthDateCredential", data: { birthDate: "617947200000" } },
    { type: "BirthDateCredential", data: { birthDate: "1989-08-01" } },
    { type: "FullNameCredential", data: { fullName: "Ada Lovelace" } },
    { type: "EmailCredential", data: [{ type: "EmailCredential", data: { email: "ada@example.com" } }] },
    { type: "FullNameCredential", data: [{ type: "EmailCredential", data: { email: "ada@example.com" } }] },
    { type: "FooCredential", data: {} },
    { type: "AnnualIncomeCredential", data: [{ type: "CurrencyCredential", data: { currency: "USD" } }] },
    { type: "GenderCredential", data: { gender: "male" } },
    { type: "GovernmentIdStateCredential", data: { state: "CA" } },
    { type: "AddressCredential", data: [] },
    {
      type: "AddressCredential",
      data: [
        { type: "StateCredential", data: { state: "ZZ" } },
        { type: "ZipCodeCredential", data: { zipCode: "8950" } },
        { type: "CountryCredential", data: { country: "US" } },
        { type: "CountryCredential", data: { country: "US" } },
      ],
    },
    { type: "FullNameCredential", data: [{ type: "FirstNameCredential", data: { firstName: "A", lastName: "B" } }] },
    {
      type: "EmployerCredential",
      data: [{ type: "AnnualIncomeCredential", data: [{ type: "AmountCredential", data: { amount: "1.5" } }] }],
    },
  ]);
  const root = "body.credentials";
  assert.deepEqual(paths, [
    `${root}.1.data.ssn`,
    `${root}.2.data.birthDate`,
    `${root}.3.data.birthDate`,
    `${root}.4.data`,
    `${root}.5.data`,
    `${root}.6.data.0.type`,
    `${root}.7.type`,
    `${root}.8.data`,
    `${root}.9.data.gender`,
    `${root}.10.data.state`,
    `${root}.11.data`,
    `${root}.12.data.3.type`,
    `${root}.12.data.0.data.state`,
    `${root}.12.data.1.data.zipCode`,
    `${root}.13.data.0.data`,
    `${root}.14.data.0.data.0.data.amount`,
  ]);
  assert.equal(await count(), before);
});

test("the rules for a US address apply only when the country is US", async () => {
  const address = (country: string, state: string, zipCode: string): Given => ({
    type: "AddressCredential",
    data: [
      { type: "StateCredential", data: { state } },
      { type: "CountryCredential", data: { country } },
      { type: "ZipCodeCredential", data: { zipCode } },
    ],
  });
  const path = "body.credentials.0.data";
  assert.deepEqual(await problems([address("US", "ZZ", "8950")]), [`${path}.0.data.state`, `${path}.2.data.zipCode`]);
  assert.equal(
    (await issue({ phone, credentials: [address("CA", "ZZ", "X1"), address("US", "PR", "00717")] })).status,
    201,
  );
});

test("numbers become strings, null becomes an empty string, and extra keys of an atomic value are dropped", async () => {
  const { body } = await issue({
    phone,
    credentials: [
      { type: "SsnCredential", data: { ssn: 123456789 } },
      { type: "BirthDateCredential", data: { birthDate: 617976000000 } },
      { type: "Line2Credential", data: { line2: null } },
      { type: "CityCredential", data: { city: "Reno", mood: "sunny" } },
      { type: "IdentityCredential", data: { mood: "sunny" } },
    ],
  });
  assert.deepEqual(
    body.credentials.map(({ data }) => data),
    [{ ssn: "123456789" }, { birthDate: noon }, { line2: "" }, { city: "Reno" }, {}],
  );
});

test("a request without email and phone is rejected, and the error lists both", async () => {
  const { errorCode, status, data } = await refusal(issue({ credentials: [email()] }));
  assert.deepEqual([errorCode, status], ["ERR001", 400]);
  assert.deepEqual(
    (data.errors as { path: string }[]).map(({ path }) => path),
    ["body.email", "body.phone"],
  );
});

test("a phone that is not a US number is rejected with OCE002", async () => {
  for (const bad of ["2125550010", "+442079460000", "+1212555"]) {
    const { errorCode, status } = await refusal(issue({ phone: bad, credentials: [email()] }));
    assert.deepEqual([errorCode, status], ["OCE002", 400], bad);
  }
});

test("an empty list, more than 100 credentials, an id that is not a uuid and an invalid date are rejected", async () => {
  const bad: Partial<Given>[] = [
    { id: "1" },
    { id: "urn:uuid:6a1c0f5e-8a34-4f0e-9d53-0d9f4a2b7c11" },
    { expirationDate: 1e300 },
    { expirationDate: 0.5 },
  ];
  for (const one of bad) {
    const path = `body.credentials.0.${Object.keys(one)[0]}`;
    assert.deepEqual([...new Set(await problems([{ ...email(), ...one }]))], [path]);
  }
  assert.equal((await problems([])).length, 1);
  assert.equal((await problems(Array.from({ length: 101 }, () => email()))).length, 1);
  const { body } = await issue({ phone, credentials: Array.from({ length: 100 }, () => email()) });
  assert.equal(new Set(body.credentials.map(({ id }) => id)).size, 100);
});

test("a 5 MiB document can be issued, and a 9 MiB document or a 7 MB email address is too long", async () => {
  const picture = (bytes: number) => ({
    phone,
    credentials: [{ type: "FacialImageCredential", data: { image: `data:image/png;base64,${"A".repeat(bytes)}` } }],
  });
  const { body } = await issue(picture(5 * 1024 * 1024));
  assert.deepEqual(
    (await it.api.readCredential({ params: { id: body.credentials[0]?.id ?? "" } })).body,
    body.credentials[0],
  );
  assert.equal((await refusal(issue(picture(9 * 1024 * 1024)))).status, 413);
  assert.deepEqual(await problems([email(`a@${"a.".repeat(3_500_000)}`)]), ["body.credentials.0.data.email"]);
});

test("a nested composite keeps its structure, and each of its parts has its own id", async () => {
  const { body } = await issue({
    phone,
    credentials: [
      {
        type: "EmployerCredential",
        data: given("EmployerCredential", { employer: "Pied Piper", currency: "USD", amount: "85000" }),
      },
    ],
  });
  const [employer] = body.credentials;
  const ids: string[] = [];
  const bare = (one: { id: string; type: string; data: unknown }): unknown => {
    ids.push(one.id);
    return { type: one.type, data: Array.isArray(one.data) ? one.data.map(bare) : one.data };
  };
  assert.ok(employer);
  assert.deepEqual(bare(employer), {
    type: "EmployerCredential",
    data: [
      { type: "EmployerNameCredential", data: { employer: "Pied Piper" } },
      {
        type: "AnnualIncomeCredential",
        data: [
          { type: "CurrencyCredential", data: { currency: "USD" } },
          { type: "AmountCredential", data: { amount: "85000" } },
        ],
      },
    ],
  });
  assert.equal(new Set(ids).size, 5);
});

test("verificationMethod and partnerUuid in a request are ignored", async () => {
  const credentials = [{ ...email(), verificationMethod: "credit_bureau" }];
  const { body } = await issue({ phone, credentials, ...{ partnerUuid: "x" } });
  assert.equal("url" in body, false);
  const { body: signup } = await it.api.createOneClick({
    body: { phone, credentialRequests: [{ type: "EmailCredential" }] },
  });
  assert.equal(signup.identity?.metadata.credentials?.verificationMethod.email, null);
});
