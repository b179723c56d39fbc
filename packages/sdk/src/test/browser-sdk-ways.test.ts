import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox, type Viewport, viewports } from "../../../web/src/test/harness/browser.ts";
import { brandSite, frameOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const brand = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });
const insuredSettings = { integrationType: "sdk", externalName: "Bachmanity", health: { enabled: true } } as const;
const insured = await it.brand(insuredSettings);
const primary = "+12125550010";
const device = "::121:2555:0010";

async function begun(body?: object, options: Parameters<typeof visitor>[2] & { api?: typeof brand.api } = {}) {
  const { api = brand.api, ...more } = options;
  const person = await visitor(it, site, more);
  const { sessionKey } = (await api.createSession(body === undefined ? {} : { body })).body;
  await person.begin(sessionKey);
  return person;
}

async function methodOf(person: Visitor, api = brand.api): Promise<unknown> {
  const { identityUuid } = await person.result();
  const { body } = await api.readOneClick({ params: { uuid: String(identityUuid) } });
  return body.metadata.identifiers.verificationMethod.phone;
}

test("a verified phone, or one that the brand vouches for, needs consent but no code", async () => {
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone: primary } })).body;
  await brand.api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  for (const [body, method] of [
    [{ verificationUuid: uuid }, "otp"],
    [{ phone: primary }, "customer_otp"],
  ] as const) {
    const person = await begun(body);
    await person.at("consent");
    await person.inside.getByText("(•••) •••-0010").waitFor();
    await person.picture(`20-consent-${method}`);
    await person.button("Continue").click();
    await person.at("review");
    await person.button("Share").click();
    assert.equal(await methodOf(person), method);
    await person.done();
  }
});

test("carrier autofill needs one press, and a typed phone that the carrier confirms needs no code", async () => {
  const pressed = await begun({ deviceIp: device });
  await pressed.at("phone");
  await pressed.picture("21-autofill");
  await pressed.button("Use this phone’s number").click();
  await pressed.at("review");
  await pressed.button("Share").click();
  assert.equal(await methodOf(pressed), "phone_carrier");
  await pressed.done();

  const typed = await begun({ deviceIp: device });
  await typed.phone(primary);
  await typed.at("review");
  await typed.done();

  const desktop = await begun({ deviceIp: device }, { on: "desktop" });
  await desktop.at("phone");
  assert.equal(await desktop.button("Use this phone’s number").count(), 0);
  await desktop.done();
});

test("when the carrier does not know the phone, the person can continue by text", async () => {
  const person = await begun({ deviceIp: "::8" });
  await person.at("phone");
  await person.button("Use this phone’s number").click();
  await person.inside.getByText("Your carrier couldn’t tell").first().waitFor();
  await person.done();
  const silent = await begun({ deviceIp: "::10" });
  await silent.phone(primary);
  await silent.at("verificationCode");
  await silent.done();
});

test("does not ask for an input that the brand gave, and asks for a challenge that is set to always", async () => {
  const given = await begun({ phone: "+12125550022", birthDate: "1989-08-01" });
  await given.consent();
  await given.at("review");
  await given.done();
  const always = await it.brand({
    integrationType: "sdk",
    challenges: [
      { input: "fullName.firstName", when: "always" },
      { input: "ssn4", when: "ifNecessary" },
    ],
  });
  const asked = await begun({ phone: primary }, { api: always.api });
  await asked.consent();
  await asked.at("firstName");
  await asked.box("First name").fill("richard");
  await asked.button("Continue").click();
  await asked.at("review");
  await asked.done();
});

test("a brand that requests no credentials gets USER_PHONE_VERIFIED with verificationUuid", async () => {
  const verifying = await it.brand({ integrationType: "sdk", defaultCredentialRequests: [] });
  const person = await begun(undefined, { api: verifying.api });
  await person.phone(primary);
  await person.code();
  const { type, verificationUuid } = await person.result();
  assert.equal(type, "USER_PHONE_VERIFIED");
  const { body } = await verifying.api.readVerification({ params: { uuid: String(verificationUuid) } });
  assert.equal(body.verified, true);
  await person.at("done");
  await person.done();
});

/** Goes as far as the insurance step. */
async function atInsurance(on: Viewport, api = insured.api): Promise<Visitor> {
  const person = await begun({ phone: primary }, { api, on });
  await person.consent();
  await person.at("review");
  await person.button("Share").click();
  assert.equal(await person.at("health"), "Find your health insurance");
  return person;
}

async function found(person: Visitor, title: string): Promise<void> {
  await person.button("Find my insurance").click();
  await person.inside.getByRole("heading", { name: title }).waitFor();
  await person.at("health");
}

const lookup = (uuid: unknown, api = insured.api) => api.readHealthLookup({ params: { healthDataUuid: String(uuid) } });

for (const on of Object.keys(viewports) as Viewport[])
  test(`on a ${on}: finds insurance and shares the chosen plan`, async () => {
    const person = await atInsurance(on);
    await person.picture(`${on}-30-insurance`);
    await found(person, "Which insurance do you use?");
    await person.picture(`${on}-31-plans`);
    assert.equal(await person.inside.getByRole("radio", { checked: true }).count(), 0);
    await person.button("Share").click();
    await person.inside.getByText("Choose your insurance first.").waitFor();
    await person.inside.locator("input[type=radio]:focus").waitFor();
    await person.at("health");
    await person.inside.getByText("UnitedHealthcare").click();
    assert.equal(await person.inside.getByText("Choose your insurance first.").count(), 0);
    await person.button("Share").click();
    const { type, healthDataUuid, identityUuid } = await person.result();
    assert.equal(type, "USER_SHARED_HEALTH_DATA");
    assert.match(String(identityUuid), /^[0-9a-f-]{36}$/);
    const { status, results = [] } = (await lookup(healthDataUuid)).body;
    assert.deepEqual([status, results.map((one) => one.memberId)], ["SUCCEEDED", ["B231615071"]]);
    assert.doesNotMatch(JSON.stringify(await person.told()), /B231615071|A484069/);
    await person.at("done");
    await person.done();
  });

test("while insurance is searched, the frame stays as high as it was", async () => {
  const person = await atInsurance("phone");
  const height = async () => Number(await frameOf(person.page).evaluate("document.querySelector('main').offsetHeight"));
  const before = await height();
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await person.page.route("**/api/page", async (route) => {
    await held;
    await route.continue();
  });
  await person.button("Find my insurance").click();
  await person.inside.getByRole("heading", { name: "Looking for your insurance…" }).waitFor();
  assert.equal(await height(), before);
  release();
  await person.inside.getByRole("heading", { name: "Which insurance do you use?" }).waitFor();
  await person.done();
});

test("a person can pick another insurer by keyboard and enter a member id, which is self-attested", async () => {
  const person = await atInsurance("phone");
  await found(person, "Which insurance do you use?");
  await person.inside.getByText("A different plan").click();
  const insurer = person.inside.getByRole("combobox", { name: "Insurer" });
  await person.button("Share").click();
  await person.inside.getByText("Choose an insurer from the list.").waitFor();
  await insurer.fill("cigna");
  await person.inside.getByRole("option").first().waitFor();
  await person.picture("32-insurers");
  await insurer.fill("blue");
  const row = person.inside.getByRole("option", { name: "Blue" });
  await row.first().waitFor();
  await insurer.press("ArrowUp");
  const last = await row.last().boundingBox();
  const list = await person.inside.getByRole("listbox").boundingBox();
  assert.equal(await row.last().getAttribute("aria-selected"), "true");
  const ends = [last, list].map((box) => (box?.y ?? 0) + (box?.height ?? 0));
  assert.ok(Number(ends[0]) <= Number(ends[1]), `the list does not scroll to the chosen row: ${ends}`);
  await insurer.fill("cigna");
  await row.first().waitFor({ state: "detached" });
  await insurer.press("ArrowDown");
  await insurer.press("Enter");
  await person.box("Member ID").fill("U 1234-5678");
  await person.at("health");
  await person.button("Share").click();
  const { type, healthDataUuid } = await person.result();
  assert.equal(type, "USER_SHARED_HEALTH_DATA");
  const [plan] = (await lookup(healthDataUuid)).body.results ?? [];
  assert.deepEqual([plan?.memberId, plan?.verificationMethod], ["U12345678", "self_attested"]);
  await person.done();
});

test("when no insurance is found, the result is NO_INSURANCE_FOUND and the brand reads FAILED", async () => {
  // The brand requests no name, so the person types it.
  const brand = await it.brand({ ...insuredSettings, defaultCredentialRequests: [{ type: "EmailCredential" }] });
  const person = await atInsurance("phone", brand.api);
  await person.box("First name").fill("Gavin");
  await person.box("Last name").fill("Belson");
  await person.box("Birthday").fill("1/1/1991");
  await found(person, "We couldn’t find your insurance");
  await person.picture("33-none");
  await person.button("Continue without insurance").click();
  const { type, healthDataUuid } = await person.result();
  assert.equal(type, "NO_INSURANCE_FOUND");
  assert.equal((await lookup(healthDataUuid, brand.api)).body.status, "FAILED");
  await person.done();
});

test("continuing without insurance shares only the personal details", async () => {
  const person = await atInsurance("phone");
  await person.button("Continue without insurance").click();
  const { type, healthDataUuid } = await person.result();
  assert.deepEqual([type, healthDataUuid], ["USER_SHARED_CREDENTIALS", null]);
  await person.done();
});

test("the frame's URL contains only a hash of the session key, and no cookie is stored", async () => {
  const person = await begun();
  await person.at("phone");
  const { href }: { href: string } = await frameOf(person.page).evaluate("({ href: location.href })");
  assert.match(href, /\/sdk\?s=[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(await person.context.cookies(), []);
  await person.done();
});
