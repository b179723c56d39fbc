import assert from "node:assert/strict";
import test from "node:test";
import { agreed } from "../harness/consent-shown.ts";
import { wallet } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { answered, elementsIn, fullNameRequest as name, stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const consent = agreed("share");
const birthDate = { type: "BirthDateCredential" as const, mandatory: "yes" as const };
const parts = ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential"] as const;
const address = {
  type: "AddressCredential" as const,
  mandatory: "yes" as const,
  children: parts.map((type) => ({ type, mandatory: "yes" as const })),
};
const noBirthDate = "+13135550034";
const noAddress = "+13135550031";
const primary = "+12125550010";

for (const protocol of ["openid4vp", "org-iso-mdoc"])
  test(`${protocol}: a state ID fills in what no source has, and the brand reads it as typed`, async () => {
    const page = await stateIdPage(it, noBirthDate, [name, birthDate]);
    assert.deepEqual(page.view.stateId, { state: "offered" });
    const view = await page.use({ protocol });
    assert.deepEqual(view.stateId, { state: "used", issuedBy: "California", conflicts: [] });
    const [, field] = view.fields ?? [];
    assert.equal(field?.choices[0]?.text, "08/01/••••");
    assert.deepEqual(field?.choices[0]?.sources, [{ method: "government_id", state: "California" }]);
    await page.session.decidePage({ body: { share: true, consent } });
    const { credentials, metadata } = await page.read();
    assert.equal(credentials?.birthDate, "1989-08-01");
    assert.equal(metadata.credentials?.verificationMethod.birthDate, "self_attested");
    assert.equal(metadata.credentials?.issuingAuthority, undefined);
  });

test("a brand whose setting reports state IDs reads the method and the authority, and when the ID expires", async () => {
  const page = await stateIdPage(it, noBirthDate, [name, birthDate], { reported: true });
  await page.use();
  await page.session.decidePage({ body: { share: true, consent } });
  const { verificationMethod, issuingAuthority, expirationDate } = (await page.read()).metadata.credentials ?? {};
  assert.equal(verificationMethod?.birthDate, "government_id");
  assert.deepEqual(issuingAuthority, { fullName: { firstName: null, lastName: null }, birthDate: "California" });
  assert.ok(Number(expirationDate?.birthDate) > it.deps.clock.now());
});

test("the ID is asked for what is missing and for whose it is, never for what a source has or for a portrait", async () => {
  const page = await stateIdPage(it, noBirthDate, [name, birthDate, { ...address, mandatory: "no" }]);
  assert.deepEqual(elementsIn((await page.ask()).requests), ["birth_date", "family_name", "given_name"]);
  const alone = await stateIdPage(it, noBirthDate, [birthDate, { type: "PhoneCredential" }]);
  assert.deepEqual(elementsIn((await alone.ask()).requests), ["birth_date"]);
});

test("a state ID is not offered where the person may not type, where an issuer is named, or where nothing is missing", async () => {
  for (const [phone, request] of [
    [primary, birthDate],
    [noBirthDate, { ...birthDate, mandatory: "no" as const }],
    [noBirthDate, { ...birthDate, allowUserInput: false, mandatory: "if_available" as const }],
    ["+13135550033", { type: "SsnCredential" as const, mandatory: "yes" as const }],
  ] as const) {
    const page = await stateIdPage(it, phone, [request, name]);
    assert.equal(page.view.stateId, undefined, JSON.stringify(request));
    assert.equal((await refusal(page.session.askStateId())).status, 404);
  }
});

test("a whole address and a government ID come from the ID, with its issuing state", async () => {
  const governmentId = {
    type: "GovernmentIdCredential" as const,
    mandatory: "yes" as const,
    children: [
      { type: "DocumentTypeCredential" as const },
      { type: "DocumentNumberCredential" as const },
      { type: "StateCredential" as const },
      { type: "ExpirationDateCredential" as const },
    ],
  };
  const page = await stateIdPage(it, noAddress, [address, governmentId], { reported: true });
  await page.use();
  await page.session.decidePage({ body: { share: true, consent } });
  const { credentials = {}, metadata } = await page.read();
  assert.deepEqual(credentials.address, { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303" });
  const document = credentials.governmentId as Record<string, string>;
  assert.deepEqual([document.documentType, document.state], ["Drivers License", "CA"]);
  assert.ok(document.documentNumber && document.expirationDate, JSON.stringify(document));
  assert.deepEqual(metadata.credentials?.verificationMethod.address, {
    line1: "government_id",
    city: "government_id",
    state: "government_id",
    zipCode: "government_id",
  });
});

test("an address of which a source has a part is completed from the ID, and each part keeps its source", async () => {
  const page = await stateIdPage(it, "+13135550032", [address], { reported: true });
  await page.use();
  await page.session.decidePage({ body: { share: true, consent } });
  const { credentials, metadata } = await page.read();
  assert.deepEqual(credentials?.address, { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303" });
  assert.deepEqual(metadata.credentials?.verificationMethod.address, {
    line1: "government_id",
    city: "government_id",
    state: "credit_bureau",
    zipCode: "credit_bureau",
  });
});

test("another person's ID is refused, and the person can use their own instead", async () => {
  const page = await stateIdPage(it, noBirthDate, [name, birthDate]);
  const { errorCode, data } = await refusal(page.use({ id: "arizona" }));
  assert.deepEqual([errorCode, data.reason], ["OCE022", "otherPerson"]);
  assert.deepEqual((await page.session.viewPage()).body.stateId, { state: "offered" });
  assert.equal((await page.use()).stateId?.state, "used");
});

test("an ID answers the page's question, and another person's is refused like a wrong answer", async () => {
  const page = await stateIdPage(it, "+12125550022", [name]);
  assert.deepEqual([page.view.step, page.view.stateId], ["inputs", { state: "offered" }]);
  assert.deepEqual(elementsIn((await page.ask()).requests), ["birth_date"]);
  assert.equal((await refusal(page.use({ id: "arizona" }))).data.reason, "otherPerson");
  assert.equal((await page.use()).step, "review");
});

test("an ID answers the question for a first name, and is not offered for SSN digits", async () => {
  const page = await stateIdPage(it, "+12125550023", [name]);
  assert.deepEqual(elementsIn((await page.ask()).requests), ["given_name"]);
  assert.equal((await page.use()).step, "review");
  assert.equal((await stateIdPage(it, "+12125550021", [name])).view.stateId, undefined);
});

test("a brand that requires a state ID gets nothing before it, and the person can decline", async () => {
  const page = await stateIdPage(it, primary, [name, address], { required: true });
  assert.deepEqual(page.view.stateId, { state: "required" });
  assert.equal((await refusal(page.session.decidePage({ body: { share: true, consent } }))).status, 409);
  const asked = elementsIn((await page.ask()).requests);
  assert.ok(asked.includes("resident_address") && asked.includes("family_name"), asked.join());
  assert.equal((await page.use()).stateId?.state, "used");
  await page.session.decidePage({ body: { share: true, consent } });
  const { verificationMethod } = (await page.read()).metadata.credentials ?? {};
  assert.deepEqual(verificationMethod?.fullName, { firstName: "phone_carrier", lastName: "phone_carrier" });
  const other = await stateIdPage(it, primary, [name], { required: true });
  const declined = await other.session.decidePage({ body: { share: false, consent: agreed("decline") } });
  assert.equal(declined.body.outcome, "declined");
});

test("only the session that asked can answer, and once", async () => {
  const page = await stateIdPage(it, noBirthDate, [name, birthDate]);
  const { request, requests } = await page.ask();
  const answer = await answered(it, requests, {});
  const other = await stateIdPage(it, noBirthDate, [name, birthDate]);
  const stolen = wallet(it, other.sessionToken).answerStateId({ body: { request, ...answer } });
  assert.equal((await refusal(stolen)).data.reason, "over");
  await page.session.answerStateId({ body: { request, ...answer } });
  const again = await refusal(page.session.answerStateId({ body: { request, ...answer } }));
  assert.ok(again.data.reason === "over", JSON.stringify(again));
});

test("an answer that comes after the decision, or during it, adds nothing and shows the decision", async (t) => {
  for (const isDuring of [false, true]) {
    const page = await stateIdPage(it, noBirthDate, [name, birthDate]);
    const { request, requests } = await page.ask();
    const answer = await answered(it, requests, {});
    const decide = () => page.session.decidePage({ body: { share: false, consent: agreed("decline") } });
    const { stateIds } = it.deps.vendors;
    const authorities = stateIds.authorities.bind(stateIds);
    const mocked = t.mock.method(stateIds, "authorities", async () => {
      mocked.mock.restore();
      await decide();
      return await authorities();
    });
    if (!isDuring) await stateIds.authorities();
    const { step, outcome } = (await page.session.answerStateId({ body: { request, ...answer } })).body;
    assert.deepEqual([step, outcome], ["done", "declined"]);
    assert.equal((await page.read()).credentials, undefined);
  }
});

test("each mistake of the test wallet is refused with a reason, and adds nothing to the review", async () => {
  const page = await stateIdPage(it, noBirthDate, [name, birthDate]);
  for (const mistake of ["declined", "expired", "revoked", "unknownIssuer", "otherNonce", "truncated"]) {
    const { errorCode, data } = await refusal(page.use({ mistake }));
    assert.equal(errorCode, "OCE022", mistake);
    assert.match(String(data.reason), /^[a-zA-Z]+$/);
  }
  assert.deepEqual((await page.session.viewPage()).body.stateId, { state: "offered" });
});
