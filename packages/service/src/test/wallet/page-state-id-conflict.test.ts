import assert from "node:assert/strict";
import test from "node:test";
import { agreed } from "../harness/consent-shown.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { fullNameRequest as name, stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const consent = agreed("share");
const birthDate = { type: "BirthDateCredential" as const };
const parts = ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential"] as const;
const address = { type: "AddressCredential" as const, children: parts.map((type) => ({ type })) };
const primary = "+12125550010";
const recorded = { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303" };
const moved = { line1: "740 Market St", city: "San Francisco", state: "CA", zipCode: "94102" };

async function shared(how: { onConflict?: string; id: string }) {
  const { id, ...more } = how;
  const page = await stateIdPage(it, primary, [name, address, birthDate], { required: true, reported: true, ...more });
  const { stateId } = await page.use({ id });
  await page.session.decidePage({ body: { share: true, consent } });
  return { conflicts: stateId?.conflicts, ...(await page.read()) };
}

test("by default the brand gets the source's value, and the person and the risk say that the ID differs", async () => {
  const { conflicts, credentials, metadata } = await shared({ id: "moved" });
  assert.deepEqual(conflicts, [{ key: "address", title: "Address", kept: "source" }]);
  assert.deepEqual(credentials?.address, recorded);
  assert.equal(metadata.credentials?.issuingAuthority, undefined);
  assert.ok(metadata.identifiers.riskSignals?.overall.reasonCodes?.includes("OCR19002"));
});

test("a brand that prefers the ID gets the ID's value with its authority", async () => {
  const { conflicts, credentials, metadata } = await shared({ id: "moved", onConflict: "preferId" });
  assert.deepEqual(conflicts, [{ key: "address", title: "Address", kept: "id" }]);
  assert.deepEqual(credentials?.address, moved);
  const { verificationMethod, issuingAuthority } = metadata.credentials ?? {};
  const each = (value: string) => ({ line1: value, city: value, state: value, zipCode: value });
  assert.deepEqual(verificationMethod?.address, each("government_id"));
  assert.deepEqual(issuingAuthority?.address, each("California"));
  assert.deepEqual(verificationMethod?.fullName, { firstName: "phone_carrier", lastName: "phone_carrier" });
  assert.ok(metadata.identifiers.riskSignals?.overall.reasonCodes?.includes("OCR19002"));
});

test("a brand that refuses contradictions gets nothing of the ID, and the person can use another one", async () => {
  const page = await stateIdPage(it, primary, [name, address], { required: true, onConflict: "refuse" });
  const { errorCode, data } = await refusal(page.use({ id: "moved" }));
  assert.deepEqual([errorCode, data.reason], ["OCE022", "contradicts"]);
  assert.deepEqual((await page.session.viewPage()).body.stateId, { state: "required" });
  assert.equal((await page.use()).stateId?.state, "used");
});

test("a last name that changed is a contradiction, not another person", async () => {
  const { conflicts, credentials } = await shared({ id: "renamed", onConflict: "preferId" });
  assert.deepEqual(conflicts, [{ key: "fullName", title: "Full Name", kept: "id" }]);
  assert.deepEqual(credentials?.fullName, { firstName: "Richard", lastName: "Hall" });
});

test("an ID that agrees with the source changes no value and raises no reason code", async () => {
  const { conflicts, credentials, metadata } = await shared({ id: "california", onConflict: "preferId" });
  assert.deepEqual(conflicts, []);
  assert.deepEqual(credentials?.address, recorded);
  assert.equal(metadata.credentials?.verificationMethod.birthDate, "phone_carrier");
  assert.ok(!metadata.identifiers.riskSignals?.overall.reasonCodes?.includes("OCR19002"));
});

test("a name and a birth date of someone else are refused whatever the brand prefers", async () => {
  for (const onConflict of ["preferSource", "preferId", "refuse"]) {
    const page = await stateIdPage(it, primary, [name, birthDate], { required: true, onConflict });
    assert.equal((await refusal(page.use({ id: "colorado" }))).data.reason, "otherPerson");
  }
});
