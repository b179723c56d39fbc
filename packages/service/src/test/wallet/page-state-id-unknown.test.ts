/** A state ID of a person whom no source knows, and one that the brand requires beside a question. */
import assert from "node:assert/strict";
import test from "node:test";
import { agreed } from "../harness/consent-shown.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { elementsIn, type GovernmentId, fullNameRequest as name, stateIdPage } from "../harness/state-id-page.ts";

const it = await sandbox();
const consent = agreed("share");
const birthDate = { type: "BirthDateCredential" as const, mandatory: "yes" as const };
const phone = { type: "PhoneCredential" as const, mandatory: "yes" as const };
const email = { type: "EmailCredential" as const };
const unknown = "+14045551300";
const asksBirthday = "+12125550022";

test("a person whom no source knows shares what their state ID has, and the brand reads OCE013 until then", async () => {
  const page = await stateIdPage(it, unknown, [name, birthDate, phone, email], { reported: true });
  assert.deepEqual([page.view.step, page.view.errorCode, page.view.stateId], ["error", "OCE013", { state: "offered" }]);
  assert.equal((await refusal(page.read())).errorCode, "OCE013");
  assert.deepEqual(elementsIn((await page.ask()).requests), ["birth_date", "family_name", "given_name"]);
  const view = await page.use({ id: "georgia" });
  assert.deepEqual([view.step, view.stateId?.state, view.stateId?.issuedBy], ["review", "used", "Georgia"]);
  assert.equal((await refusal(page.read())).errorCode, "OCE015", "nothing is shared before the decision");
  await page.session.decidePage({ body: { share: true, consent } });
  const { credentials, metadata } = await page.read();
  assert.deepEqual(credentials, {
    fullName: { firstName: "Dinesh", lastName: "Chugtai" },
    birthDate: "1990-11-23",
    phone: unknown,
  });
  assert.equal(metadata.credentials?.verificationMethod.birthDate, "government_id");
});

test("such a person can decline after the ID, and a second ID is refused", async () => {
  const page = await stateIdPage(it, unknown, [name, birthDate]);
  await page.use();
  assert.equal((await refusal(page.session.askStateId())).status, 404);
  const { body } = await page.session.decidePage({ body: { share: false, consent: agreed("decline") } });
  assert.equal(body.outcome, "declined");
});

test("a refused ID changes nothing: the page and the brand still have OCE013", async () => {
  const page = await stateIdPage(it, unknown, [name, birthDate]);
  assert.equal((await refusal(page.use({ mistake: "expired" }))).data.reason, "expired");
  const { body } = await page.session.viewPage();
  assert.deepEqual([body.errorCode, body.stateId], ["OCE013", { state: "offered" }]);
  assert.equal((await refusal(page.read())).errorCode, "OCE013");
});

test("an ID is not offered to an unknown person where it cannot answer, nor where an input had to be compared", async () => {
  const cases = [
    [email, { ...phone, mandatory: "no" as const }],
    [name, { ...birthDate, allowUserInput: false }],
    [name, { type: "SsnCredential" as const, mandatory: "yes" as const, allowUserInput: false }],
    [{ ...name, issuers: [it.deps.random.uuid()] }],
  ];
  for (const requests of cases) {
    const page = await stateIdPage(it, unknown, requests);
    assert.deepEqual([page.view.errorCode, page.view.stateId], ["OCE013", undefined], JSON.stringify(requests));
    assert.equal((await refusal(page.session.askStateId())).status, 404);
  }
  const asked = await stateIdPage(it, "+10019999998", [name]);
  const { body } = await asked.session.amendPage({ body: { birthDate: "1990-11-23" } });
  assert.deepEqual([body.errorCode, body.stateId], ["OCE013", undefined]);
});

/** A page that asks for the birthday first. */
const questioned = (more: GovernmentId & { challenges?: object[] } = {}) =>
  stateIdPage(it, asksBirthday, [name], { required: true, ...more });

test("a required ID that answered the question is not asked again", async () => {
  const page = await questioned();
  assert.equal(page.view.step, "inputs");
  assert.deepEqual(elementsIn((await page.ask()).requests), ["birth_date", "family_name", "given_name"]);
  const view = await page.use();
  assert.deepEqual([view.step, view.stateId?.state], ["review", "used"]);
  assert.equal((await page.session.decidePage({ body: { share: true, consent } })).body.outcome, "shared");
});

test("a required ID that answered the first of two questions is kept until the second one is answered", async () => {
  const page = await questioned({ challenges: [{ input: "ssn4", when: "always" }] });
  const between = await page.use();
  assert.deepEqual([between.step, between.inputs], ["inputs", ["ssn4"]]);
  const { body } = await page.session.amendPage({ body: { ssn4: "6789" } });
  assert.deepEqual([body.step, body.stateId?.state], ["review", "used"]);
});

test("a required ID that answers the question but contradicts the records is refused with its reason", async () => {
  const page = await questioned({ onConflict: "refuse" });
  assert.equal((await refusal(page.use({ id: "renamed" }))).data.reason, "contradicts");
  const { body } = await page.session.viewPage();
  assert.deepEqual([body.step, body.stateId], ["review", { state: "required" }]);
  assert.equal((await page.use()).stateId?.state, "used");
});

test("while no authority is trusted, a required ID is unavailable, and the person can only decline", async () => {
  const page = await stateIdPage(it, "+12125550010", [name], { required: true });
  const { stateIds } = it.deps.vendors;
  it.deps.vendors.stateIds = { ...stateIds, authorities: async () => [] };
  try {
    assert.deepEqual((await page.session.viewPage()).body.stateId, { state: "unavailable" });
    assert.equal((await refusal(page.session.askStateId())).status, 404);
    assert.equal((await refusal(page.session.decidePage({ body: { share: true, consent } }))).status, 409);
    const stranger = await stateIdPage(it, unknown, [name]);
    assert.equal(stranger.view.stateId, undefined);
  } finally {
    it.deps.vendors.stateIds = stateIds;
  }
  const declined = await page.session.decidePage({ body: { share: false, consent: agreed("decline") } });
  assert.equal(declined.body.outcome, "declined");
});
