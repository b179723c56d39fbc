import assert from "node:assert/strict";
import test from "node:test";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const primary = "+10123456789";

type Json = Record<string, unknown>;
async function post(url: string, payload: Json, more: object = {}): Promise<{ status: number; body: Json }> {
  const headers = { authorization: "Bearer sk_sandbox_demo_v1", ...more };
  const { status, body } = await it.inject({ method: "POST", url, headers, payload });
  if (status >= 400) assertEnvelope(status, body);
  return { status, body: body as Json };
}

test("edits are validated, marked self_attested and recorded in the ledger", async () => {
  const { body } = await post("/1-click/trusted", { phone: primary, birthDate: "1970-08-01" });
  const uuid = String(body.uuid);
  const report = (credentials: Json, bodyUuid = uuid) =>
    post(`/1-click/${uuid}/credentials`, { uuid: bodyUuid, credentials });
  const { status, body: reported } = await report({
    fullName: { firstName: "New", lastName: "Hendricks" },
    birthDate: "617976000000",
  });
  assert.equal(status, 201);
  assert.deepEqual(reported, [
    {
      type: "FullNameCredential",
      verificationMethod: "self_attested",
      data: [
        { type: "FirstNameCredential", verificationMethod: "self_attested", data: { firstName: "New" } },
        { type: "LastNameCredential", verificationMethod: "phone_carrier", data: { lastName: "Hendricks" } },
      ],
    },
    { type: "BirthDateCredential", verificationMethod: "phone_carrier", data: { birthDate: "617976000000" } },
  ]);
  const earned = await it.store.db.selectFrom("ledger_entry").select("kind").where("subject_uuid", "=", uuid).execute();
  assert.deepEqual(earned, [{ kind: "editsReported" }]);
  for (const bad of [
    { phone: "+12125550010" },
    { ssn: "123-45-6789" },
    { fullName: { city: "X" } },
    { ssn: { last: "1" } },
    { birthDate: "1989-08-01" },
  ]) {
    assert.equal((await report(bad)).status, 400, JSON.stringify(bad));
  }
  assert.equal((await report({ email: "a@b.example" }, "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21")).status, 400);
});

/** Values as the API returns them, under the dotted keys that the specification lists. */
const dotted = {
  email: "new@example.com",
  "fullName.firstName": "Dick",
  "fullName.middleName": "Harrison",
  "fullName.lastName": "Hendricks",
  birthDate: "617976000000",
  "address.line1": "1 Main St",
  "address.line2": "Apt 2",
  "address.city": "Palo Alto",
  "address.state": "CA",
  "address.zipCode": "94303",
  "address.country": "US",
  ssn: "000456789",
};

async function shared() {
  const { body } = await post("/1-click/trusted", { phone: primary, birthDate: "1970-08-01" });
  const uuid = String(body.uuid);
  return (credentials: Json) => post(`/1-click/${uuid}/credentials`, { uuid, credentials });
}

test("dotted keys give the same result as nested keys, and the two forms can be mixed", async () => {
  const report = await shared();
  const nested = await report({
    email: dotted.email,
    fullName: { firstName: "Dick", middleName: "Harrison", lastName: "Hendricks" },
    birthDate: dotted.birthDate,
    address: { line1: "1 Main St", line2: "Apt 2", city: "Palo Alto", state: "CA", zipCode: "94303", country: "US" },
    ssn: dotted.ssn,
  });
  assert.equal(nested.status, 201);
  assert.deepEqual(await report(dotted), nested);
  const { body } = await report({ fullName: { firstName: "Dick" }, "fullName.lastName": "H" });
  assert.deepEqual(body, [
    {
      type: "FullNameCredential",
      verificationMethod: "self_attested",
      data: [
        { type: "FirstNameCredential", verificationMethod: "self_attested", data: { firstName: "Dick" } },
        { type: "LastNameCredential", verificationMethod: "self_attested", data: { lastName: "H" } },
      ],
    },
  ]);
});

test("an edit in both forms or with an invalid key is rejected with the key's path", async () => {
  const report = await shared();
  const bad: [Json, string][] = [
    [{ fullName: { firstName: "A" }, "fullName.firstName": "A" }, "fullName.firstName"],
    [{ "fullName.firstName": "A", fullName: { firstName: "B" } }, "fullName"],
    [{ fullName: "A B", "fullName.firstName": "A" }, "fullName.firstName"],
    [{ "fullName.firstName": { value: "A" } }, "fullName.firstName"],
    [{ "fullName.city": "X" }, "fullName.city"],
    [{ "fullName.firstName.x": "X" }, "fullName.firstName.x"],
    [{ "fullName.": "X" }, "fullName."],
    [{ "ssn.last": "6789" }, "ssn"],
    [{ ".firstName": "X" }, ""],
    [{ "phone.number": "+12125550010" }, "phone"],
    [{ "address.__proto__": "X" }, "address.__proto__"],
  ];
  for (const [credentials, path] of bad) {
    const { status, body } = await report(credentials);
    const { errors } = body.data as { errors: { path: string }[] };
    assert.deepEqual([status, errors[0]?.path], [400, `body.credentials.${path}`], JSON.stringify(credentials));
  }
});

test("edited values pass the checks of issued values, with the country of the delivered address", async () => {
  const report = await shared();
  const bad: [Json, string][] = [
    [{ address: { zipCode: "ABC", country: "US" } }, "address.zipCode"],
    [{ address: { zipCode: "9430" } }, "address.zipCode"],
    [{ "address.state": "ZZ" }, "address.state"],
    [{ address: { country: "Wonderland" } }, "address.country"],
    [{ address: "1 Main St" }, "address"],
    [{ fullName: "Richard Hendricks" }, "fullName"],
    [{ email: "nobody" }, "email"],
  ];
  for (const [credentials, path] of bad) {
    const { status, body } = await report(credentials);
    const { errors } = body.data as { errors: { path: string }[] };
    assert.deepEqual([status, errors[0]?.path], [400, `body.credentials.${path}`], JSON.stringify(credentials));
  }
  for (const credentials of [
    { address: { zipCode: "K1A 0B1", state: "ON", country: "CA" } },
    { address: { state: "AE" } },
  ])
    assert.equal((await report(credentials)).status, 201, JSON.stringify(credentials));
});

test("values in full words are read back, and the former method stays where nothing changed", async () => {
  const credentialFormats = { birthDate: "yyyy-MM-dd", state: "full", country: "full", fullName: "firstName lastName" };
  const brand = await it.brand({ integrationType: "v1", credentialFormats, v1: { trustedApproved: true } });
  const authorization = `Bearer ${brand.apiKey}`;
  const { body } = await post("/1-click/trusted", { phone: primary, birthDate: "1970-08-01" }, { authorization });
  const delivered = body.credentials as { address: Json; fullName: string };
  const { state, country } = delivered.address;
  const report = (credentials: Json) =>
    post(`/1-click/${String(body.uuid)}/credentials`, { uuid: body.uuid, credentials }, { authorization });
  const { status, body: same } = await report({ address: { state, country }, fullName: delivered.fullName });
  assert.equal(status, 201);
  const methods = (same as unknown as { verificationMethod: string }[]).map((one) => one.verificationMethod);
  assert.deepEqual(methods, ["credit_bureau", "phone_carrier"]);
  assert.equal((await report({ address: { state: "ON", country: "Canada" } })).status, 201);
});

test("a brand cannot report edits of a hosted 1-Click", async () => {
  const { body } = await post("/1-click", { phone: primary });
  const refused = await post(`/1-click/${String(body.uuid)}/credentials`, {
    uuid: body.uuid,
    credentials: { email: "a@b.example" },
  });
  assert.equal(refused.status, 400);
});

test("a repeat of reported edits gets OCE015 once the person has withdrawn or the 1-Click has ended", async () => {
  const phone = freshPhone();
  async function report(idempotencyKey: string) {
    const { body } = await post("/1-click/trusted", { phone, birthDate });
    const uuid = String(body.uuid);
    const send = () =>
      post(
        `/1-click/${uuid}/credentials`,
        { uuid, credentials: { ssn: dotted.ssn } },
        { "idempotency-key": idempotencyKey },
      );
    assert.deepEqual(await send(), await send());
    return send;
  }
  const ends = async (send: Awaited<ReturnType<typeof report>>) => {
    const { status, body } = await send();
    assert.deepEqual([status, (body.data as Json).errorCode], [404, "OCE015"]);
    const { rows } = await it.store.pool.query(
      "select from idempotent_answer join data_key k on k.uuid = data_key_uuid where wrapped is not null",
    );
    assert.deepEqual(rows, []);
  };
  const withdrawn = await report("edits-withdrawn");
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  for (const { uuid } of (await browser.readAccount()).body.brands)
    await browser.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } });
  await ends(withdrawn);
  const expired = await report("edits-expired");
  await it.advance(61 * 60_000);
  await ends(expired);
});
