import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { credentialTypes } from "@countersign/contract/credential";
import type { IssuanceRequest } from "@countersign/contract/issuance";
import fc from "fast-check";
import { assertEnvelope, otherKey, refusal, sandbox, takeApproval, testStart } from "../harness/sandbox.ts";

const it = await sandbox();
const phone = "+12125559002";
const noSuchCredential = { errorCode: undefined, status: 404, message: "No such credential.", data: {} };

type Given = IssuanceRequest["credentials"][number];
const email = (address = "ada@example.com"): Given => ({ type: "EmailCredential", data: { email: address } });
const issue = (body: IssuanceRequest, api = it.api) => api.issueCredentials({ body });
const issueOne = async (given: Given, api = it.api) => {
  const { body } = await issue({ phone, credentials: [given] }, api);
  const [one] = body.credentials;
  assert.ok(one);
  return one;
};
const count = async (table: string, where: string, values: unknown[] = []) => {
  const { rows } = await it.store.pool.query(`select count(*) as count from ${table} where ${where}`, values);
  return Number(rows[0].count);
};

test("a brand without the approval is refused before its body is read, whatever the body is", async () => {
  const brand = await it.brand();
  await takeApproval(it, brand.uuid, "issuance");
  for (const payload of ["{", "{}", JSON.stringify({ phone, credentials: Array.from({ length: 5_000 }, () => 1) })]) {
    const headers = { authorization: `Bearer ${brand.apiKey}`, "content-type": "application/json" };
    const { status, body } = await it.inject({ method: "POST", url: "/v2/credentials", headers, payload });
    assert.equal(status, 403, payload.slice(0, 20));
    assert.match(JSON.stringify(body), /not approved for issuance/);
  }
});

test("an id from the brand is stored in lower case; using it again is a conflict that stores nothing", async () => {
  const id = randomUUID();
  const one = await issueOne({ ...email(), id: id.toUpperCase() });
  assert.equal(one.id, id);
  const again = await refusal(issue({ phone, credentials: [email("new@example.com"), { ...email(), id }] }));
  assert.deepEqual([again.status, again.errorCode, again.data], [409, undefined, {}]);
  assert.equal(await count("issued_credential", "uuid = $1", [id]), 1);
  assert.equal(await count("issued_credential", "true"), 1);
  assert.equal(await count("consent", "action = 'issue'"), 1);
  assert.equal(await count("audit", "action = 'credential.issued'"), 1);
});

test("an id used twice in one request, in any letter case, is a conflict that stores nothing", async () => {
  const id = randomUUID();
  const before = await count("issued_credential", "true");
  const credentials = [
    { ...email(), id },
    { ...email(), id: id.toUpperCase() },
  ];
  assert.equal((await refusal(issue({ phone, credentials }))).status, 409);
  assert.equal(await count("issued_credential", "true"), before);
});

test("when a hundred parallel calls use one id, exactly one stores its credential", async () => {
  const id = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      issue({ phone, credentials: [{ ...email(`ada-${index}@example.com`), id }] }).then(
        () => 201,
        (error: { status: number }) => error.status,
      ),
    ),
  );
  assert.deepEqual(answers.sort(), [201, ...Array.from({ length: 99 }, () => 409)]);
  assert.equal(await count("issued_credential", "uuid = $1", [id]), 1);
});

test("when parallel calls use the same ids in different orders, one succeeds and the others conflict", async () => {
  const ids = Array.from({ length: 20 }, () => randomUUID());
  const call = (order: string[]) =>
    issue({ email: "order@example.com", credentials: order.map((id) => ({ ...email(), id })) }).then(
      () => 201,
      (error: { status: number }) => error.status,
    );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => call(index % 2 ? ids : ids.toReversed())));
  assert.deepEqual(answers.sort(), [201, ...Array.from({ length: 19 }, () => 409)]);
});

test("consent comes from the request or else from the brand's declaration; without either, nothing is issued", async () => {
  const silent = await it.brand({ consent: { declared: false, version: "v7", text: "I agree", url: null } });
  const before = await count("issued_credential", "true");
  const refused = await refusal(issue({ phone, credentials: [email()] }, silent.api));
  assert.deepEqual([refused.status, refused.errorCode], [403, undefined]);
  assert.equal(await count("issued_credential", "true"), before);

  const consent = { version: "v8", source: "signup-form", obtainedAt: testStart - 1000 };
  await issue({ phone, credentials: [email()], consent }, silent.api);
  await issue({ phone, credentials: [email()], consent: { ...consent, version: "v7" } }, silent.api);
  const declared = await it.brand({ consent: { version: "v1", text: "I agree", url: "https://example.com/terms" } });
  await issue({ email: "ada@example.com", credentials: [email()] }, declared.api);
  const { rows } = await it.store.pool.query(
    `select source, version, words, url, origin, obtained_at, at, phone_index is null as no_phone, email_index is null as no_email
       from consent where action = 'issue' and brand_uuid = any($1) order by at, version desc`,
    [[silent.uuid, declared.uuid]],
  );
  const stated = {
    source: "brandRequest",
    origin: "signup-form",
    url: null,
    no_phone: false,
    no_email: true,
    at: testStart,
    obtained_at: consent.obtainedAt,
  };
  assert.deepEqual(rows, [
    { ...stated, version: "v8", words: null },
    { ...stated, version: "v7", words: "I agree" },
    {
      source: "brandDeclaration",
      version: "v1",
      words: "I agree",
      url: "https://example.com/terms",
      origin: null,
      obtained_at: null,
      at: testStart,
      no_phone: true,
      no_email: false,
    },
  ]);
});

test("consent with a future date is rejected, and so is incomplete consent", async () => {
  const consent = { version: "v1", source: "form", obtainedAt: testStart + 6 * 60_000 };
  const { errorCode, data } = await refusal(issue({ phone, credentials: [email()], consent }));
  assert.deepEqual(
    [errorCode, data.errors],
    ["ERR001", [{ path: "body.consent.obtainedAt", message: "Use a time that is not in the future." }]],
  );
  const half = { version: "v1" } as typeof consent;
  assert.equal((await refusal(issue({ phone, credentials: [email()], consent: half }))).errorCode, "ERR001");
});

test("another brand gets the same 404 for a brand's credential as for an unknown id", async () => {
  const { id } = await issueOne(email());
  const sibling = await it.brand();
  for (const api of [it.as(otherKey), sibling.api]) {
    for (const unknown of [id, randomUUID(), "x", `${id}x`, "urn:uuid:1"]) {
      assert.deepEqual(await refusal(api.readCredential({ params: { id: unknown } })), noSuchCredential);
      const change = { params: { id: unknown }, body: { status: "revoked" as const } };
      assert.deepEqual(await refusal(api.changeCredential(change)), noSuchCredential);
    }
  }
  assert.equal((await it.api.readCredential({ params: { id } })).body.status, "valid");
});

test("the issuer can revoke and reinstate a credential any number of times", async () => {
  const { id, issuanceDate } = await issueOne(email());
  for (const status of ["revoked", "revoked", "valid", "revoked", "valid"] as const) {
    await it.advance(1000);
    const { body } = await it.api.changeCredential({ params: { id: id.toUpperCase() }, body: { status } });
    assert.deepEqual([body.id, body.status, body.issuanceDate], [id, status, issuanceDate]);
    assert.equal(Number(body.updatedAt), (await it.api.readClock()).body.now);
    assert.deepEqual((await it.api.readCredential({ params: { id } })).body, body);
  }
  assert.equal(await count("audit", "action = 'credential.changed' and detail->>'credentialUuid' = $1", [id]), 5);
});

test("the issuer can replace a credential's data under the same rules, and children keep their ids", async () => {
  const before = await issueOne({
    type: "FullNameCredential",
    data: [
      { type: "FirstNameCredential", data: { firstName: "Ada" } },
      { type: "LastNameCredential", data: { lastName: "Byron" } },
    ],
  });
  const { body } = await it.api.changeCredential({
    params: { id: before.id },
    body: {
      data: [
        { type: "LastNameCredential", data: { lastName: "Lovelace" } },
        { type: "MiddleNameCredential", data: { middleName: "King" } },
      ],
    },
  });
  assert.ok(Array.isArray(body.data) && Array.isArray(before.data));
  assert.deepEqual(
    body.data.map(({ data }) => data),
    [{ lastName: "Lovelace" }, { middleName: "King" }],
  );
  assert.equal(body.data[0]?.id, before.data[1]?.id);
  const bad = await refusal(
    it.api.changeCredential({ params: { id: before.id }, body: { data: { fullName: "Ada Lovelace" } } }),
  );
  assert.deepEqual(
    (bad.data.errors as { path: string }[]).map(({ path }) => path),
    ["body.data"],
  );
  assert.deepEqual((await it.api.readCredential({ params: { id: before.id } })).body, body);
});

test("an expiry can be set, changed, removed, or in the past; an empty change is rejected", async () => {
  const given = await issueOne({ ...email(), expirationDate: testStart - 1 });
  assert.equal(given.expirationDate, String(testStart - 1));
  const params = { id: given.id };
  for (const expirationDate of [testStart + 1, -5, null]) {
    const { body } = await it.api.changeCredential({ params, body: { expirationDate } });
    assert.equal(body.expirationDate, expirationDate === null ? null : String(expirationDate));
  }
  assert.equal((await refusal(it.api.changeCredential({ params, body: {} }))).errorCode, "ERR001");
});

test("values, identifiers and tracking ids are sealed, and no table or log has them in the clear", async () => {
  const secrets = ["Zebediah", "987654321", "zebediah@example.org", "+12125559777", "track-zebediah"];
  const [firstName = "", ssn = "", address = "", number = "", trackingId = ""] = secrets;
  const { body } = await issue({
    phone: number,
    email: address,
    trackingId,
    credentials: [
      { type: "FirstNameCredential", data: { firstName } },
      { type: "SsnCredential", data: { ssn } },
      email(address),
    ],
  });
  await it.api.readCredential({ params: { id: body.credentials[0]?.id ?? "" } });
  await it.api.createOneClick({ body: { phone: number } });
  const { rows } = await it.store.pool.query(
    "select table_name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
  );
  assert.ok(rows.length > 15);
  for (const { table_name } of rows) {
    const { rows: found } = await it.store.pool.query(`select t::text as line from "${table_name}" t`);
    const lines = found.map(({ line }) => String(line));
    for (const secret of secrets) {
      const hex = Buffer.from(secret).toString("hex");
      assert.ok(!lines.some((line) => line.includes(secret) || line.includes(hex)), `${table_name} holds ${secret}`);
    }
  }
  const logged = JSON.stringify(it.log);
  for (const secret of secrets) assert.ok(!logged.includes(secret), `the log holds ${secret}`);
});

test("any credential data is either stored or rejected with the error envelope", async () => {
  const data = fc.oneof(
    fc.dictionary(fc.constantFrom("firstName", "state", "country", "x", "type"), fc.jsonValue(), { maxKeys: 4 }),
    fc.array(fc.record({ type: fc.constantFrom(...credentialTypes, "Foo"), data: fc.jsonValue() }), { maxLength: 4 }),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...credentialTypes, "Foo"), data, async (type, tried) => {
      const payload = JSON.stringify({ phone, credentials: [{ type, data: tried }] });
      const headers = { authorization: "sk_sandbox_demo_api", "content-type": "application/json" };
      const { status, body } = await it.inject({ method: "POST", url: "/credentials", payload, headers });
      assert.ok(status === 201 || status === 400, String(status));
      if (status === 400) assertEnvelope(status, body);
    }),
    { numRuns: 300 },
  );
});

test("a sandbox reset deletes what the customer's own brands issued and earned, and nothing of other customers", async () => {
  const mine = await issueOne(email());
  const theirs = await issueOne(email(), it.as(otherKey));
  // A brand earns nothing by its own use, and only brands of the same customer get what it issued in a sandbox.
  const use = async (api: typeof it.api, issuerUuid: string) => {
    const { apiKey } = (await api.createSandboxBrand({ body: { settings: { integrationType: "api" } } })).body;
    const credentialRequests = [{ type: "EmailCredential" as const, issuers: [issuerUuid] }];
    await it.as(apiKey).createOneClick({ body: { phone, credentialRequests } });
  };
  await use(it.api, mine.issuerUuid);
  await use(it.as(otherKey), theirs.issuerUuid);
  assert.equal(await count("ledger_entry", "true"), 2);
  await it.api.resetSandbox({});
  assert.equal(await count("issued_credential", "brand_uuid = $1", [mine.issuerUuid]), 0);
  assert.equal(await count("issuance", "brand_uuid = $1", [mine.issuerUuid]), 0);
  assert.equal(await count("ledger_entry", "brand_uuid = $1", [mine.issuerUuid]), 0);
  assert.equal(await count("ledger_entry", "brand_uuid = $1", [theirs.issuerUuid]), 1);
  assert.deepEqual(await refusal(it.api.readCredential({ params: { id: mine.id } })), noSuchCredential);
  assert.deepEqual((await it.as(otherKey).readCredential({ params: { id: theirs.id } })).body, theirs);
});
