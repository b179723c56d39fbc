import assert from "node:assert/strict";
import test from "node:test";
import type { HealthRequest } from "@countersign/contract/health";
import type { Clearinghouse } from "../../domain/ports.ts";
import { sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { healthBrand, lookUp, memberIds, person, richard } from "../harness/health-lookup.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const usual = sandboxClearinghouse();
const sent: string[] = [];
const fake: Clearinghouse = {
  ...usual,
  async check(question) {
    sent.push(question.x12);
    return await usual.check(question);
  },
};
const it = await sandbox({ vendors: { clearinghouse: fake } });
test.beforeEach(() => sent.splice(0));

const pathsOf = async (body: HealthRequest) => {
  const { errorCode, data } = await refusal(it.api.createHealthLookup({ body }));
  assert.equal(errorCode, "ERR001");
  return (data.errors as { path: string }[]).map(({ path }) => path);
};

test("a name without a Latin letter is refused with its field, and nothing is sent", async () => {
  assert.deepEqual(await pathsOf(person("明", "李", "1980-01-01")), [
    "body.fullName.firstName",
    "body.fullName.lastName",
  ]);
  assert.deepEqual(await pathsOf(person("Иван", "Ivanov", "1980-01-01")), ["body.fullName.firstName"]);
  assert.deepEqual(await pathsOf(person("Ann", "-", "1980-01-01")), ["body.fullName.lastName"]);
  assert.deepEqual(sent, []);
  assert.equal((await lookUp(it, person("Đorđe", "Søgård", "1980-01-01"))).status, "SUCCEEDED");
  assert.match(sent[0] ?? "", /NM1\*IL\*1\*SOGARD\*DORDE\*/);
});

test("a name of a 1-Click without a Latin letter is refused, and nothing is sent", async () => {
  const phone = "+12125567031";
  const data = [
    { type: "FirstNameCredential", data: { firstName: "明" } },
    { type: "LastNameCredential", data: { lastName: "李" } },
  ] as const;
  await it.api.issueCredentials({ body: { phone, credentials: [{ type: "FullNameCredential", data: [...data] }] } });
  const { body } = await it.api.createOneClick({ body: { phone } });
  assert.deepEqual(await pathsOf({ identityUuid: body.uuid }), ["body.fullName"]);
  assert.deepEqual(sent, []);
});

test("a member ID of one character is refused", async () => {
  assert.deepEqual(await pathsOf({ ...richard, payer: { id: "60054" }, memberId: "A" }), ["body.memberId"]);
});

test("a state that does not exist is refused, and a military state is not", async () => {
  const at = (state: string) => ({
    ...richard,
    address: { line1: "PSC 1", city: "FPO", state, zipCode: "09618", country: "US" as const },
  });
  assert.deepEqual(await pathsOf(at("XX")), ["body.address.state"]);
  assert.equal((await lookUp(it, at("ae"))).status, "SUCCEEDED");
  assert.match(sent[0] ?? "", /N4\*FPO\*AE\*09618~/);
});

test("a member ID works as it is printed on a card", async () => {
  for (const memberId of ["W345876123", "w345876123", "W 345-876123"]) {
    const entity = await lookUp(it, { ...richard, payer: { id: "60054" }, memberId });
    assert.deepEqual([entity.status, memberIds(entity)], ["SUCCEEDED", ["W345876123"]], memberId);
  }
  assert.ok(sent.every((x12) => x12.includes("*MI*W345876123~")));
});

test("no check contains the SSN if the payer is federal or the member ID is known", async () => {
  const peter = { ...person("Peter", "Gregory", "1952-03-15"), ssn: "123456789" };
  await lookUp(it, { ...peter, checkAfterAutofill: true });
  await lookUp(it, { ...richard, ssn: "123456789", payer: { id: "60054" }, memberId: "A484069" });
  assert.equal(sent.length, 2);
  assert.ok(sent.every((x12) => !x12.includes("REF*SY")));
});

test("a provider of the settings is named as what it is", async () => {
  const provider = { npi: "1003000126", name: "Hartman", type: "individual" as const };
  const brand = await healthBrand(it, { health: { providers: [{ ...provider, default: true }] } });
  await lookUp(it, richard, brand.api);
  assert.match(sent[0] ?? "", /NM1\*1P\*1\*HARTMAN\*{5}XX\*1003000126~/);
  sent.splice(0);
  await lookUp(it, { ...richard, provider: { npi: "1003000126" } }, brand.api);
  assert.match(sent[0] ?? "", /NM1\*1P\*1\*HARTMAN\*/);
});
