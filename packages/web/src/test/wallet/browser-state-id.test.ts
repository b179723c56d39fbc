// desktop: a wallet app is also on another device, which the browser of a computer asks
import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { refusal } from "../../../../service/src/test/harness/sandbox.ts";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";
import { withWalletApp } from "../harness/phone-wallet.ts";

const it = await browserSandbox();
const noBirthDate = "+13135550034";
const nobody = "+14045551300";
const requests = [
  { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }] },
  { type: "BirthDateCredential", mandatory: "yes" },
];
const required = { type: "BirthDateCredential", mandatory: "yes" };

async function proven(
  person: Person,
  body: object = { credentialRequests: requests },
  phone = noBirthDate,
  apiKey?: string,
) {
  const begun = await begin(it, phone, { body, ...(apiKey === undefined ? {} : { apiKey }) });
  await person.page.goto(begun.url);
  await person.page.locator("main[data-step=verificationCode] input").fill(begun.code);
  return begun;
}
const choose = (page: Page, answer: object) => page.evaluate(`window.testAnswer = ${JSON.stringify(answer)}`);

it.everywhere("three presses from a missing detail to shared, without a field", async (person, on) => {
  const { page } = person;
  await page.addInitScript(withWalletApp);
  const begun = await proven(person);
  assert.equal(await person.at("review"), "Add your birthday");
  await picture(page, `state-id-missing-${on}`);
  assert.equal(await page.evaluate("window.asked"), 0, "nothing is asked before the press");
  assert.equal(await page.evaluate("document.activeElement?.tagName"), "H1", "no keyboard covers the button");
  await person.button("Use your state ID").click();
  await page.getByRole("heading", { name: "Share with Demo Hosted?" }).waitFor();
  await person.at("review");
  await page.getByText("Your California ID").waitFor();
  await page.getByText(/full name and birthday, partly from your state ID/).waitFor();
  await picture(page, `state-id-review-${on}`);
  await page.getByText("Your California ID").click();
  await page.getByText("It comes from the ID in your wallet app, and its state signed it.").waitFor();
  await person.button("Share").click();
  await person.at("done");
  const { credentials } = (await begun.read()).body;
  assert.deepEqual(credentials, { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate: "1989-08-01" });
  await person.landed("waited");
});

test("Safari’s protocol, and a narrow phone in Spanish", async () => {
  const person = await it.person({ locale: "es-US", viewport: { width: 320, height: 640 } });
  const { page } = person;
  await page.addInitScript(withWalletApp);
  await proven(person);
  await person.at("review");
  await picture(page, "state-id-missing-es-320");
  await choose(page, { protocol: "org-iso-mdoc" });
  await person.button("Usar su ID estatal").click();
  await page.getByText("Su identificación de California").waitFor();
  await person.at("review");
  await picture(page, "state-id-review-es-320");
  await person.button("Seguir leyendo").click();
  await person.button("Compartir").click();
  await person.at("done");
  await person.landed("waited");
  await person.done();
});

test("a refused ID says what to do, the person can try again, or type", async () => {
  const person = await it.person({ colorScheme: "dark" });
  const { page } = person;
  await page.addInitScript(withWalletApp);
  await proven(person);
  await person.at("review");
  for (const [answer, says] of [
    [{ mistake: "expired" }, /^This ID has expired\./],
    [{ mistake: "unknownIssuer" }, /^We don’t accept IDs from this state yet\./],
    [{ id: "arizona" }, /^This ID doesn’t match the owner of this phone\./],
  ] as const) {
    await choose(page, answer);
    await person.button("Use your state ID").click();
    await page.getByText(says).waitFor();
  }
  await person.at("review");
  await picture(page, "state-id-refused");
  await person.box("Birthday").fill("08/01/1989");
  await person.button("Continue").click();
  await page.getByText("Entered by you").waitFor();
  await person.done();
});

test("an ID answers the question of the page instead of typing", async () => {
  const person = await it.person();
  const { page } = person;
  await page.addInitScript(withWalletApp);
  await proven(person, {}, "+12125550022");
  await person.at("birthday");
  await picture(page, "state-id-question");
  await person.button("Use your state ID").click();
  await person.at("review");
  await person.done();
});

test("a brand that requires an ID asks for it before the review, and without a way to one says where to go", async () => {
  const settings = { integrationType: "hosted", externalName: "Pied Piper", governmentId: { required: true } };
  const { apiKey } = await it.brand(settings);
  const person = await it.person();
  const { page } = person;
  await page.addInitScript(withWalletApp);
  await proven(person, { credentialRequests: requests }, "+12125550010", apiKey);
  assert.equal(await person.at("review"), "Confirm with your state ID");
  await picture(page, "state-id-required");
  await person.button("Use your state ID").click();
  await page.getByRole("heading", { name: "Share with Pied Piper?" }).waitFor();
  await person.button("Share").click();
  await person.at("done");
  await person.done();

  const other = await it.person();
  await other.page.addInitScript(
    'delete window.DigitalCredential; document.addEventListener("DOMContentLoaded", () => delete document.documentElement.dataset.testWallet)',
  );
  await proven(other, { credentialRequests: requests }, "+12125550010", apiKey);
  await other.page.getByText("Start again on that phone, in Safari or Chrome.").waitFor();
  await other.at("review");
  await picture(other.page, "state-id-required-elsewhere");
  assert.equal(await other.button("Use your state ID").count(), 0);
  await other.button("Don’t share").click();
  await other.at("done");
  await other.done();
});

test("the review names a contradiction, and which value the brand gets", async () => {
  const address = {
    type: "AddressCredential",
    children: ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential"].map((type) => ({ type })),
  };
  const settings = { integrationType: "hosted", externalName: "Pied Piper", governmentId: { required: true } };
  const { apiKey } = await it.brand(settings);
  const person = await it.person({ colorScheme: "dark" });
  const { page } = person;
  await page.addInitScript(withWalletApp);
  await proven(person, { credentialRequests: [...requests, address] }, "+12125550010", apiKey);
  await person.at("review");
  await choose(page, { id: "moved" });
  await person.button("Use your state ID").click();
  await page
    .getByText("Your California ID and our records differ in your address. Pied Piper gets what our records say.")
    .waitFor();
  await person.at("review");
  await picture(page, "state-id-conflict");
  await person.done();
});

test("a person whom no source knows can use a state ID, or continue without it", async () => {
  const person = await it.person({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await page.addInitScript(withWalletApp);
  const begun = await proven(person, { credentialRequests: requests }, nobody);
  assert.equal(await person.at("review"), "Use your state ID instead?");
  await picture(page, "state-id-instead");
  await choose(page, { mistake: "expired" });
  await person.button("Use your state ID").click();
  await page.getByText("This ID has expired. Update it in your wallet app.", { exact: true }).waitFor();
  await choose(page, { id: "georgia" });
  await person.button("Use your state ID").click();
  await page.getByRole("heading", { name: "Share with Demo Hosted?" }).waitFor();
  await person.button("Share").click();
  await person.at("done");
  const { credentials } = (await begun.read()).body;
  assert.deepEqual(credentials, { fullName: { firstName: "Dinesh", lastName: "Chugtai" }, birthDate: "1990-11-23" });
  await person.landed("waited");

  await proven(person, { credentialRequests: requests }, nobody);
  await person.button("Continue without it").click();
  assert.equal(await person.at("error"), "We couldn’t find your details");
  await person.done();
});

test("while the service accepts no state ID, a brand that requires one says so", async () => {
  const settings = { integrationType: "hosted", externalName: "Pied Piper", governmentId: { required: true } };
  const { apiKey } = await it.brand(settings);
  const { stateIds } = it.deps.vendors;
  it.deps.vendors.stateIds = { ...stateIds, authorities: async () => [] };
  try {
    const person = await it.person();
    await person.page.addInitScript(withWalletApp);
    await proven(person, { credentialRequests: requests }, "+12125550010", apiKey);
    await person.page.getByText("Pied Piper requires a state ID, and we can’t accept one right now.").waitFor();
    assert.equal(await person.at("review"), "This can’t be finished right now");
    await picture(person.page, "state-id-unavailable");
    assert.equal(await person.button("Use your state ID").count(), 0);
    await person.button("Don’t share").click();
    await person.at("done");
    await person.done();
  } finally {
    it.deps.vendors.stateIds = stateIds;
  }
});

test("without the browser’s API, the sandbox opens its test wallet, which can be closed", async () => {
  const person = await it.person();
  const { page } = person;
  await page.addInitScript("delete window.DigitalCredential");
  await proven(person, { credentialRequests: [required] });
  await person.at("review");
  const open = async () => {
    const opening = page.waitForEvent("popup");
    await person.button("Use your state ID").click();
    const wallet = await opening;
    await wallet.getByText("Countersign asks for details of a state ID.").waitFor();
    return wallet;
  };
  const first = await open();
  await picture(first, "state-id-test-wallet");
  // The click closes the window, which can interrupt the rest of the click.
  await first.getByRole("button", { name: "Cancel" }).dispatchEvent("click");
  await page.getByText("We got no state ID.").waitFor();
  const second = await open();
  await second.getByRole("button", { name: "Share with Countersign" }).click();
  await page.getByText("Your California ID").waitFor();
  await person.done();
});

test("without the browser’s API and without a test wallet, no button appears", async () => {
  const person = await it.person();
  await person.page.addInitScript(
    'delete window.DigitalCredential; document.addEventListener("DOMContentLoaded", () => delete document.documentElement.dataset.testWallet)',
  );
  await proven(person);
  assert.equal(await person.at("review"), "Add your birthday");
  assert.equal(await person.button("Use your state ID").count(), 0);
  assert.equal(await person.page.evaluate("document.activeElement?.tagName"), "INPUT");
  await person.done();
});

it.everywhere("if the other tab uses a state ID, this tab shows it before anything is shared", async (person, on) => {
  const { page } = person;
  await page.addInitScript(withWalletApp);
  const begun = await proven(person);
  await person.at("review");
  const other = await person.context.newPage();
  await other.addInitScript(withWalletApp);
  await other.goto(begun.url);
  await other.locator('main[data-step="review"]').waitFor();
  await person.box("Birthday").fill("08/02/1989");
  await person.button("Continue").click();
  await page.getByText("Entered by you").waitFor();
  await other.getByRole("button", { name: "Use your state ID" }).click();
  await other.getByText("Your California ID").waitFor();
  await page.bringToFront();
  await person.button("Share").click();
  // The focus follows the notice a moment later.
  await page.locator(":focus", { hasText: /^This changed while it was open\. Please check it again\.$/ }).waitFor();
  await page.getByText("Your California ID").waitFor();
  assert.equal(await page.getByText("Entered by you").count(), 0);
  assert.equal((await refusal(begun.read())).errorCode, "OCE015");
  await picture(page, `state-id-changed-${on}`);
  await person.button("Share").click();
  await person.at("done");
  assert.equal((await begun.read()).body.credentials?.birthDate, "1989-08-01");
});
