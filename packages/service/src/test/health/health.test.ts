import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import type { HealthRequest } from "@countersign/contract/health";
import { columnsWith } from "../harness/below-http.ts";
import { errorsOf, healthBrand, lookUp, memberIds, person, plansOf, richard } from "../harness/health-lookup.ts";
import { otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const start = (body: HealthRequest) => it.api.createHealthLookup({ body });
const minute = 60_000;

test("a lookup by identityUuid uses the 1-Click's person, and fields in the request override its data", async () => {
  const { body } = await it.api.createOneClick({ body: { phone: "+12125550010" } });
  const identityUuid = body.uuid;
  const entity = await lookUp(it, { identityUuid });
  assert.deepEqual(memberIds(entity), ["A484069", "B231615071"]);
  const other = await lookUp(it, {
    identityUuid,
    fullName: { firstName: "Monica", lastName: "Hall" },
    birthDate: "1990-01-01",
  });
  assert.deepEqual(memberIds(other), ["A664048"]);
});

test("a lookup by identityUuid can use a birth date that a brand issued", async () => {
  const phone = "+12125567010";
  const credentials = [{ type: "BirthDateCredential", data: { birthDate: "617976000000" } }] as const;
  await it.api.issueCredentials({ body: { phone, credentials: [...credentials] } });
  const { body } = await it.api.createOneClick({ body: { phone } });
  assert.equal(body.identity?.credentials?.birthDate, "1989-08-01");
  assert.deepEqual(memberIds(await lookUp(it, { identityUuid: body.uuid })), ["A484069", "B231615071"]);
});

test("an invalid lookup request is rejected, and every missing field is listed", async () => {
  const { body } = await it.api.createOneClick({ body: { phone: "+12125550010" } });
  const identityUuid = body.uuid;
  const partial = await refusal(start({ identityUuid, address: { line1: "1 Main St" } }));
  assert.equal(partial.errorCode, "ERR001");
  assert.deepEqual(
    (partial.data.errors as { path: string }[]).map(({ path }) => path),
    ["body.address.city", "body.address.state", "body.address.zipCode", "body.address.country"],
  );
  const name = { fullName: { firstName: "A", lastName: "B" } };
  const refused: unknown[] = [
    {},
    name,
    { birthDate: "1989-08-01" },
    { ...richard, sex: "male" },
    { ...richard, ssn: "123" },
    { ...richard, provider: {} },
    { ...richard, provider: { npi: "123" } },
    { ...richard, provider: { npi: "1999999983" } },
    { ...richard, externalReference: "" },
    { ...richard, externalReference: "x".repeat(257) },
    { ...richard, memberId: "A1" },
    { ...richard, payer: {} },
    { ...richard, birthDate: "2031-01-01" },
    { ...richard, birthDate: "1989-02-30" },
    { ...richard, fullName: { firstName: " ", lastName: "B" } },
    { ...richard, address: { zipCode: "9430" } },
    { ...richard, serviceCodes: { serviceTypeCodes: ["3000"] } },
    { ...richard, serviceCodes: { procedureCodes: [{ code: "9921" }] } },
    { ...richard, serviceCodes: { procedureCodes: [{ code: "99213", qualifier: "XX" }] } },
    { ...richard, serviceCodes: { procedureCodes: [{ code: "99213", modifiers: ["2"] }] } },
  ];
  for (const one of refused)
    assert.equal((await refusal(start(one as HealthRequest))).status, 400, JSON.stringify(one));
  for (const npi of ["1999999984", "1234567893"])
    await start({ ...richard, provider: { npi }, address: { state: "CA" } });
  const unknown = await refusal(start({ identityUuid: randomUUID() }));
  assert.deepEqual([unknown.status, unknown.errorCode], [404, "OCE015"]);
});

test("an externalReference of 1 to 256 characters is returned unchanged, whatever it contains", async () => {
  for (const externalReference of ["x", "é".repeat(256), "👩🏽‍⚕️", "<img src=x onerror=alert(1)>", " =1+1\t", "0"]) {
    const { body } = await start({ ...richard, externalReference });
    const read = await it.api.readHealthLookup({ params: { healthDataUuid: body.healthDataUuid } });
    assert.deepEqual([body.externalReference, read.body.externalReference], [externalReference, externalReference]);
  }
});

test("unknown, expired and other brands' lookups all return the same 404, and an expired lookup is erased", async () => {
  const { body } = await start(richard);
  const read = (api: typeof it.api, healthDataUuid: string) =>
    refusal(api.readHealthLookup({ params: { healthDataUuid } }));
  const unknown = await read(it.api, randomUUID());
  assert.deepEqual([unknown.status, unknown.errorCode], [404, undefined]);
  assert.deepEqual(await read(it.api, "no-uuid"), unknown);
  assert.deepEqual(await read(it.as(otherKey), body.healthDataUuid), unknown);
  await it.runJobs();
  const ended = { params: { healthDataUuid: body.healthDataUuid } };
  await it.advance(60 * minute - 1);
  assert.equal((await it.api.readHealthLookup(ended)).body.status, "SUCCEEDED");
  await it.advance(1);
  assert.deepEqual(await read(it.api, body.healthDataUuid), unknown);
  const row = await it.store.db
    .selectFrom("health_lookup")
    .innerJoin("data_key", "data_key.uuid", "health_lookup.data_key_uuid")
    .select(["sealed", "sealed_result", "wrapped", "erased_at"])
    .where("health_lookup.uuid", "=", body.healthDataUuid)
    .executeTakeFirstOrThrow();
  assert.deepEqual([row.sealed, row.sealed_result, row.wrapped], [null, null, null]);
  assert.ok(row.erased_at);
  const steps = it.store.db.selectFrom("health_call").select("name").where("lookup_uuid", "=", body.healthDataUuid);
  assert.deepEqual(await steps.execute(), []);
});

test("a brand without health is rejected, and another brand's identityUuid is unknown", async () => {
  const off = await it.brand();
  const refused = await refusal(off.api.createHealthLookup({ body: richard }));
  assert.deepEqual([refused.status, refused.errorCode], [403, undefined]);
  const { body } = await it.api.createOneClick({ body: { phone: "+12125550010" } });
  const other = await healthBrand(it);
  assert.equal(
    (await refusal(other.api.createHealthLookup({ body: { identityUuid: body.uuid } }))).errorCode,
    "OCE015",
  );
});

test("a payer is found by id, name or group; an unknown or ambiguous payer ends the lookup with an error", async () => {
  const by = async (payer: HealthRequest["payer"]) => lookUp(it, { ...richard, payer });
  assert.deepEqual(memberIds(await by({ id: "87726" })), ["B231615071"]);
  assert.deepEqual(memberIds(await by({ name: "united healthcare" })), ["B231615071"]);
  assert.deepEqual(memberIds(await by({ name: "aetna" })), ["A484069"]);
  assert.deepEqual(errorsOf(await by({ id: "GROUP_BLUES" })), ["No coverage found"]);
  assert.deepEqual(errorsOf(await by({ name: "zzzz" })), ["Payer not found"]);
  assert.deepEqual(errorsOf(await by({ id: "nowhere" })), ["Payer not found"]);
  const [ambiguous = ""] = errorsOf(await by({ name: "kaizer" }));
  assert.match(ambiguous, /^Payer ambiguous/);
  // Names the best matches with their IDs.
  assert.equal(ambiguous.match(/Kaiser[^,]* \(V\d{6}\)/g)?.length, 5);
  const typed = await lookUp(it, { ...richard, memberId: "A484069", payer: { name: "Aetna" } });
  assert.deepEqual(memberIds(typed), ["A484069"]);
});

test("when the payer does not support checks, the plan is returned as entered, marked self_attested", async () => {
  const silent = it.deps.vendors.payers.payers.find(({ eligibilitySupport }) => eligibilitySupport === "NOT_SUPPORTED");
  assert.ok(silent);
  const entity = await lookUp(it, { ...richard, memberId: "X123", payer: { id: silent.vendorId } });
  assert.equal(entity.status, "PARTIAL");
  assert.equal(plansOf(entity)[0]?.verificationMethod, "self_attested");
  assert.deepEqual(errorsOf(entity), ["The payer does not answer eligibility checks"]);
});

test("lookup data is never stored or logged in the clear, and the request, release and read are audited", async () => {
  const brand = await healthBrand(it);
  const canary = "Xylophonist";
  const entity = await lookUp(
    it,
    {
      ...person(canary, "Quuxington", "1977-07-07"),
      ssn: "000987654",
      externalReference: "ref-canary",
      address: { line1: "9 Canary Row" },
    },
    brand.api,
  );
  assert.equal(entity.status, "SUCCEEDED");
  for (const text of [
    canary,
    canary.toUpperCase(),
    "QUUXINGTON",
    "000987654",
    "ref-canary",
    "CANARY ROW",
    "A618095",
    "19770707",
  ])
    assert.deepEqual(await columnsWith(it, text), [], text);
  const logged = JSON.stringify(it.log);
  for (const text of [canary, "A618095", "000987654"]) assert.ok(!logged.includes(text), text);
  const actions = await it.store.db
    .selectFrom("audit")
    .select("action")
    .where("brand_uuid", "=", brand.uuid)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    actions.map(({ action }) => action),
    ["health.requested", "health.released", "health.read"],
  );
});

test("a sandbox reset deletes lookups", async () => {
  const { body } = await start(richard);
  await it.runJobs();
  await it.api.resetSandbox({});
  assert.equal(
    (await refusal(it.api.readHealthLookup({ params: { healthDataUuid: body.healthDataUuid } }))).status,
    404,
  );
});

test("a brand's lookups without a result are limited, even if calls arrive at the same time", async () => {
  // Without a worker, no lookup gets a result.
  const waiting = await sandbox({}, { ROLES: "api,wallet,dashboard" });
  await waiting.api.createHealthLookup({ body: richard });
  await waiting.store.pool.query(
    `insert into health_lookup select (jsonb_populate_record(one, jsonb_build_object('uuid', gen_random_uuid()))).*
       from health_lookup as one, generate_series(1, 998)`,
  );
  const ask = () =>
    waiting.api.createHealthLookup({ body: richard }).then(
      ({ status }) => status,
      ({ status }) => status,
    );
  assert.deepEqual((await Promise.all([ask(), ask(), ask(), ask()])).sort(), [201, 429, 429, 429]);
});
