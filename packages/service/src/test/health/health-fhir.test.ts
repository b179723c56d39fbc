import assert from "node:assert/strict";
import test from "node:test";
import type { EdiBenefit, HealthEntity, HealthRequest } from "@countersign/contract/health";
import { readHealthLookup } from "@countersign/contract/health";
import { fhirBundle } from "../../domain/health/fhir.ts";
import { read271 } from "../../domain/health/x12/eligibility.ts";
import { prefers } from "../../http/v2/health.ts";
import { answerAboutPat } from "../harness/answer-271.ts";
import { assertBundle } from "../harness/fhir-schema.ts";
import { healthBrand, person, richard } from "../harness/health-lookup.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
type Json = Record<string, unknown>;

/** Starts a lookup, and returns the call that reads it. */
async function started(body: HealthRequest, key = demoKey) {
  const { healthDataUuid } = (await it.as(key).createHealthLookup({ body })).body;
  const read = async (accept: string) => {
    const url = `/v2/1-click/health/${healthDataUuid}`;
    const headers = { authorization: key, accept };
    return await it.inject({ method: "GET", url, headers });
  };
  return { healthDataUuid, read };
}

async function bundleOf(body: HealthRequest, key = demoKey) {
  const { read } = await started(body, key);
  await it.runJobs();
  const { body: bundle, headers, status } = await read("application/fhir+json");
  assert.equal(status, 200);
  assert.match(String(headers["content-type"]), /^application\/fhir\+json/);
  return assertBundle(bundle);
}
const ofType = (resources: Json[], type: string) => resources.filter(({ resourceType }) => resourceType === type);
const only = (resources: Json[], type: string) => {
  const [one, ...more] = ofType(resources, type);
  assert.ok(one !== undefined && more.length === 0, type);
  return one;
};

test("a caller that prefers FHIR gets a valid R4 Bundle of each plan, and everyone else the usual JSON", async () => {
  const { read } = await started(richard);
  assert.equal((assertBundle((await read("application/fhir+json")).body)[0] as Json).outcome, "queued");
  await it.runJobs();
  const first = await read("application/fhir+json");
  const resources = assertBundle(first.body);
  assert.equal(first.headers.vary, "accept");
  const kinds = ["Patient", "Organization", "Coverage", "CoverageEligibilityResponse"];
  assert.deepEqual(
    resources.map(({ resourceType }) => resourceType),
    [...kinds, ...kinds],
  );
  assert.deepEqual((await read("application/fhir+json")).body, first.body);
  for (const accept of ["application/json", "*/*", "application/json, application/fhir+json;q=0.5"]) {
    const { body, headers } = await read(accept);
    assert.match(String(headers["content-type"]), /^application\/json/);
    assert.equal((body as HealthEntity).status, "SUCCEEDED");
  }
});

test("a Bundle has the member, the plan, the payer and the benefits in FHIR's terms", async () => {
  const resources = await bundleOf({ ...richard, payer: { id: "60054" }, memberId: "A484069" });
  const patient = only(resources, "Patient");
  assert.deepEqual(patient.name, [{ use: "official", family: "HENDRICKS", given: ["RICHARD"] }]);
  assert.deepEqual([patient.birthDate, patient.gender], ["1989-08-01", "male"]);
  const coverage = only(resources, "Coverage");
  assert.deepEqual([coverage.status, coverage.subscriberId], ["active", "A484069"]);
  assert.deepEqual(
    (coverage.class as Json[]).map(({ value, name }) => [value, name]),
    [
      ["AETNA CHOICE POS II", "AETNA CHOICE POS II"],
      ["123456", "PIED PIPER"],
    ],
  );
  assert.equal(only(resources, "Organization").name, "Aetna");
  const response = only(resources, "CoverageEligibilityResponse");
  const [insurance] = response.insurance as { inforce: boolean; item: Json[] }[];
  assert.deepEqual([response.outcome, insurance?.inforce], ["complete", true]);
  assert.deepEqual(insurance?.item[0], {
    category: { coding: [{ system: "https://codesystem.x12.org/005010/1365", code: "30" }] },
    network: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/benefit-network", code: "in" }] },
    unit: { coding: [{ system: "http://terminology.hl7.org/CodeSystem/benefit-unit", code: "individual" }] },
    benefit: [
      {
        type: {
          coding: [
            { system: "http://terminology.hl7.org/CodeSystem/benefit-type", code: "deductible" },
            { system: "https://codesystem.x12.org/005010/1390", code: "C" },
          ],
        },
        allowedMoney: { value: 1500, currency: "USD" },
        usedMoney: { value: 750, currency: "USD" },
      },
      {
        type: { coding: [{ system: "https://codesystem.x12.org/005010/1390", code: "G" }] },
        allowedMoney: { value: 8000, currency: "USD" },
        usedMoney: { value: 1800, currency: "USD" },
      },
    ],
  });
});

test("every kind of end of a lookup is a valid Bundle", async () => {
  const gavin = only(await bundleOf(person("Gavin", "Belson", "1991-01-01")), "CoverageEligibilityResponse");
  assert.deepEqual([gavin.outcome, gavin.error], ["error", [{ code: { text: "No coverage found" } }]]);
  const inactive = await bundleOf({ ...richard, payer: { id: "60054" }, memberId: "INACTIVE60054" });
  assert.equal(only(inactive, "Coverage").status, "cancelled");
  const unchecked = await bundleOf({ ...richard, checkAfterAutofill: false });
  assert.deepEqual(
    ofType(unchecked, "Coverage").map(({ status }) => status),
    ["draft", "draft"],
  );
  const brand = await healthBrand(it, {
    networkRules: [
      { name: "Aetna", status: "IN_NETWORK", conditions: [{ key: "payerId", operator: "EQUAL", values: ["60054"] }] },
    ],
  });
  const ruled = await bundleOf({ ...richard, payer: { id: "60054" }, memberId: "A484069" }, brand.apiKey);
  const { insurance } = only(ruled, "CoverageEligibilityResponse") as { insurance: Json[] };
  assert.deepEqual(insurance[0]?.extension, [{ url: "urn:countersign:fhir:network-status", valueCode: "IN_NETWORK" }]);
});

const entityOf = (changes: Partial<HealthEntity>): HealthEntity => ({
  healthDataUuid: "7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11",
  status: "SUCCEEDED",
  ...changes,
});
const bundled = (entity: HealthEntity) =>
  assertBundle(JSON.parse(JSON.stringify(fhirBundle(entity, { createdAt: 0 }))));

test("a payer's rejection has its X12 code", () => {
  const message = "The payer did not recognize the person: member id missing or invalid (AAA 72)";
  const [response] = bundled(entityOf({ status: "FAILED", results: [], errors: [{ message }] }));
  assert.deepEqual(response?.error, [
    { code: { coding: [{ system: "https://codesystem.x12.org/005010/901", code: "72" }], text: message } },
  ]);
});

test("benefits of every form are valid, and no amount changes", () => {
  const benefits: EdiBenefit[] = [
    { type: "deductible", remaining: "10.50" },
    { type: "coinsurance", percent: "0.20", serviceTypeCodes: ["98", "UC"] },
    { type: "coinsurance", percent: "0.125" },
    { type: "copay", amount: "0.10", remaining: "0.00" },
    { type: "limitation", serviceTypeCodes: ["33"] },
    { type: "outOfPocket", amount: "999999999999999.12" },
  ];
  const payer = { name: "A payer", vendorId: "V000001", ids: ["1"], logoUrl: "https://api.example/payers/V000001.svg" };
  const plan = { memberId: "M1", payer, eligibility: { coverageStatus: "active" as const, benefits } };
  const resources = bundled(entityOf({ results: [plan] }));
  const [insurance] = (resources.at(-1) as unknown as { insurance: { item: { benefit: Json[] }[] }[] }).insurance;
  const listed = insurance?.item.flatMap(({ benefit }) => benefit) ?? [];
  const values = listed.map(({ type: _type, ...value }) => value);
  assert.deepEqual(values, [
    { allowedString: "10.50 USD remaining" },
    { allowedString: "12.5 %" },
    { allowedMoney: { value: 0.1, currency: "USD" }, usedMoney: { value: 0.1, currency: "USD" } },
    // A float cannot contain this amount.
    {},
    { allowedUnsignedInt: 20 },
    { allowedUnsignedInt: 20 },
    {},
  ]);
});

test("a hostile payer's text makes no invalid Bundle", () => {
  const { eligibility } = read271(answerAboutPat("EB*1**30* *  ", "EB*C*IND*30***23*1*****Y", "REF*6P* *X"));
  const payer = { name: "", vendorId: "V000001", ids: [], logoUrl: "https://api.example/payers/V000001.svg" };
  bundled(entityOf({ results: [{ memberId: "", payer, eligibility }] }));
});

test("the example of the documents is a valid Bundle", () => {
  assertBundle(readHealthLookup.otherReply?.example);
});

test("an Accept prefers FHIR only if it names it, and does not rate JSON higher", () => {
  const type = "application/fhir+json";
  for (const accept of [
    type,
    "APPLICATION/FHIR+JSON; charset=utf-8",
    `${type}, application/json;q=0.9`,
    `text/html, ${type}`,
  ])
    assert.ok(prefers(accept, type), accept);
  for (const accept of [
    undefined,
    "",
    "*/*",
    "application/*",
    `${type};q=0`,
    `application/json, ${type};q=0.5`,
    `${type};q=x`,
  ])
    assert.ok(!prefers(accept, type), accept);
});
