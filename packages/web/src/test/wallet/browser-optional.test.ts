/** Optional details of a review: each has a switch, in every flow with our screens. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";
import { signIn } from "../harness/own-page.ts";
import { brandSite, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const hosted = it.as("sk_sandbox_demo_hosted");
const toggle = (page: Pick<Person["page"], "getByRole">, name: string) =>
  page.getByRole("switch", { name, exact: true });
const row = ({ page }: Person, name: string) => page.locator("dl.row", { hasText: name });

async function open({ page, enter, at }: Person, phone = "+12125550010", credentialRequests?: object[]) {
  const begun = await begin(it, phone, credentialRequests === undefined ? {} : { body: { credentialRequests } });
  await page.goto(begun.url);
  await enter(begun.code);
  await at("review");
  return begun;
}

for (const [name, look] of [
  ["320", { viewport: { width: 320, height: 568 }, isMobile: false }],
  ["phone-dark", { colorScheme: "dark" }],
  ["desktop", { on: "desktop" }],
  ["desktop-dark", { on: "desktop", colorScheme: "dark" }],
] as const)
  test(`${name}: two details that are left out are not shared, and the brand, the page and the own page say so`, async () => {
    const person = await it.person({ ...look, reducedMotion: "reduce" });
    const { page, button } = person;
    const phone = freshPhone();
    const { uuid } = await open(person, phone);
    await picture(page, `optional-${name}-all`);
    for (const detail of ["Share address", "Share Social Security number"]) await toggle(page, detail).click();
    await page.getByText("Won’t be shared").nth(1).waitFor();
    await person.at("review");
    assert.match(await page.locator("#consent").innerText(), / your full name, phone, and birthday, and agree to /);
    assert.equal(await page.getByText(/Not found/).count(), 0);
    await picture(page, `optional-${name}-two-left-out`);
    const readOn = button("Keep reading");
    if ((await readOn.count()) > 0) await readOn.click();
    await picture(page, `optional-${name}-consent`);
    await page.getByRole("button", { name: "Share 3 details", exact: true }).click();
    await person.at("done");
    await page.getByText(/can read these details until/).waitFor();
    assert.deepEqual(await page.locator(".receipt li").allInnerTexts(), ["Full name", "Phone", "Birthday"]);
    await picture(page, `optional-${name}-done`);
    const { credentials } = (await hosted.readOneClick({ params: { uuid } })).body;
    assert.deepEqual(Object.keys(credentials ?? {}), ["fullName", "phone", "birthDate"]);

    await signIn(it, person, phone);
    await page.getByText("You shared with Demo Hosted").waitFor();
    await picture(page, `optional-${name}-own-page`);
    assert.doesNotMatch(await page.locator("main").innerText(), /address|Social Security/i);
    await page.getByText("The text you saw").last().click();
    await page.getByText(/give Demo Hosted your full name, phone, and birthday, and agree/).waitFor();
    await picture(page, `optional-${name}-receipt`);
    await person.done();
  });

test("a switch works by keyboard, has a name and a state, and keeps the focus", async () => {
  const person = await it.person({ on: "desktop" });
  const { page } = person;
  await open(person);
  const address = toggle(page, "Share address");
  await address.focus();
  for (const [key, isOn] of [
    ["Space", "false"],
    ["Enter", "true"],
    ["Space", "false"],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await address.getAttribute("aria-checked"), isOn);
    assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), "Share address");
  }
  await page.getByRole("button", { name: "Share 4 details", exact: true }).waitFor();
  await person.at("review");
  await person.done();
});

test("required details have no switch, and the phone says that it is always shared", async () => {
  const person = await it.person();
  const { page } = person;
  const requests = [
    { type: "FullNameCredential", mandatory: "yes" },
    { type: "PhoneCredential" },
    { type: "EmailCredential", mandatory: "if_available" },
    { type: "EmployerNameCredential", mandatory: "if_available" },
  ];
  await open(person, "+12125550010", requests);
  assert.equal(await page.getByRole("switch").count(), 0);
  for (const [name, says] of [
    ["Full name", "Required"],
    ["Phone", "Always shared"],
    ["Email", "Required"],
  ] as const)
    await row(person, name).getByText(says).waitFor();
  await page.getByText("Not found: Employer").waitFor();
  await person.button("Edit").click();
  await person.box("Email").fill("");
  await person.button("Save").click();
  await page.getByText("Enter your email.").waitFor();
  await person.done();
});

test("what the person empties in the form is left out, and its switch brings it back", async () => {
  const person = await it.person({ on: "desktop" });
  const { page, box, button } = person;
  const { uuid } = await open(person);
  await button("Edit").click();
  for (const label of ["First name", "Middle name", "Last name", "Street address", "City", "ZIP code"])
    await page.getByLabel(label).first().fill("");
  await button("Change birthday").click();
  await button("Change Social Security number").click();
  await button("Save").click();
  await person.at("review");
  await picture(page, "optional-emptied");
  assert.equal(await page.getByText(/Not found/).count(), 0);
  assert.equal(await page.getByText("Won’t be shared").count(), 4);
  assert.ok(await button("Edit").isDisabled(), "the head stays, so that the list does not move");
  await toggle(page, "Share full name").click();
  await row(person, "Full name").getByText("Richard Harrison Hendricks").waitFor();
  await button("Edit").click();
  assert.equal(await box("City").count(), 0, "the form has no fields of what is left out");
  await button("Cancel").click();
  await page.getByRole("button", { name: "Share 2 details", exact: true }).click();
  await person.at("done");
  const { credentials } = (await hosted.readOneClick({ params: { uuid } })).body;
  assert.deepEqual(Object.keys(credentials ?? {}), ["fullName", "phone"]);
  await person.done();
});

test("an address of which only a state is left is refused in the form", async () => {
  const person = await it.person();
  const { page, box, button } = person;
  await open(person);
  await button("Edit").click();
  await box("City").fill("");
  await button("Save").click();
  await page.getByText("Enter your city.").waitFor();
  await person.at("review");
  await picture(page, "optional-no-city");
  await person.done();
});

test("if everything is left out, Share is off and the text says what to do", async () => {
  const person = await it.person();
  const { page, button } = person;
  await open(person, "+12125550010", [{ type: "FullNameCredential" }, { type: "BirthDateCredential" }]);
  for (const name of ["Share full name", "Share birthday"]) await toggle(page, name).click();
  await page.getByText("Turn on at least one detail to share, or choose “Don’t share.”").waitFor();
  await person.at("review");
  await picture(page, "optional-nothing");
  const share = button("Share");
  assert.equal(await share.getAttribute("aria-disabled"), "true");
  await share.click({ force: true });
  await person.at("review");
  await toggle(page, "Share birthday").click();
  await page.getByRole("button", { name: "Share 1 detail", exact: true }).click();
  await person.at("done");
  await person.done();
});

test("a detail of several can be left out while its list is open, and its switch keeps the focus", async () => {
  const person = await it.person();
  const { page, button } = person;
  await open(person, "+12125550010", [{ type: "AddressCredential", multi: true }, { type: "PhoneCredential" }]);
  await button("Change (3 found) Address").click();
  await toggle(page, "Share address").press("Space");
  assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), "Share address");
  await person.at("review");
  await picture(page, "optional-several");
  await page.getByRole("button", { name: "Share 1 detail", exact: true }).waitFor();
  await person.done();
});

test("the brand's descriptions of parts and of the birth date are in the form, beside our hints", async () => {
  const person = await it.person();
  const { page, button } = person;
  await open(person, "+12125550010", [
    {
      type: "FullNameCredential",
      children: [{ type: "FirstNameCredential", description: "As on your passport" }, { type: "LastNameCredential" }],
    },
    { type: "BirthDateCredential", description: "To check your age" },
    { type: "EmployerNameCredential" },
  ]);
  await button("Edit").click();
  await page.getByText("As on your passport").waitFor();
  await button("Change birthday").click();
  await page.getByText("MM/DD/YYYY · To check your age").waitFor();
  await person.at("review");
  await person.done();
});

test("in a frame, a detail is left out as on a page", async () => {
  const site = await brandSite(it);
  const brand = await it.brand({ integrationType: "sdk" });
  const person = await visitor(it, site);
  const { sessionKey } = (await brand.api.createSession({ body: {} })).body;
  await person.begin(sessionKey);
  await person.at("phone");
  await person.phone("2125550010");
  await person.code();
  await person.at("review");
  await toggle(person.inside, "Share Social Security number").click();
  await person.picture("optional");
  await person.inside.getByRole("button", { name: "Share 4 details", exact: true }).click();
  const { identityUuid } = await person.result();
  const { credentials } = (await brand.api.readOneClick({ params: { uuid: String(identityUuid) } })).body;
  assert.deepEqual(Object.keys(credentials ?? {}), ["fullName", "phone", "address", "birthDate"]);
  await person.done();
});

test("v1's review has one instruction, and its read has only what was shared", async () => {
  const v1 = "sk_sandbox_demo_v1";
  const person = await it.person();
  const { page, enter, at, button } = person;
  const payload = { phone: "+12125550010", birthDate: "1989-08-01" };
  const { body } = await it.inject({ method: "POST", url: "/1-click", headers: { authorization: v1 }, payload });
  const { url, uuid } = body as { url: string; uuid: string };
  await page.goto(url);
  await enter("111111");
  await at("review");
  await page.getByText("Make sure everything is correct:").waitFor();
  assert.equal(await page.locator("main .lead").count(), 1);
  await picture(page, "optional-v1");
  await toggle(page, "Share birthday").click();
  await button("Share").click();
  await at("done");
  const read = await it.inject({ method: "GET", url: `/1-click/${uuid}`, headers: { authorization: v1 } });
  assert.equal("birthDate" in (read.body as { credentials: object }).credentials, false);
  await person.done();
});
