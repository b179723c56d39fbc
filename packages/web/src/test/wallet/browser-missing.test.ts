// desktop: the steps are the same in a wide window
/** Values that were not found, and what a person who declines sees. */
import assert from "node:assert/strict";
import { begin, browserSandbox, type Person, picture, type Viewport } from "../harness/browser.ts";

const it = await browserSandbox();
const income = { type: "AnnualIncomeCredential", mandatory: "yes" };
const name = { type: "FullNameCredential" };
const isPictured = process.env.SCREENS !== undefined;

async function asked(person: Person, credentialRequests: object[], phone = "+12125550010") {
  const begun = await begin(it, phone, { body: { credentialRequests } });
  await person.page.goto(begun.url);
  await person.enter(begun.code);
  return begun;
}

/** Takes screenshots in both color schemes. */
async function seen({ page }: Person, on: Viewport, what: string): Promise<void> {
  if (!isPictured) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `missing-${what}-${on}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null });
}

it.everywhere(
  "shows only what is missing with its count, focuses it, and then leads to the review",
  async (person, on) => {
    const begun = await asked(person, [
      name,
      { type: "EmployerNameCredential", mandatory: "yes" },
      { type: "SsnCredential" },
    ]);
    assert.equal(await person.at("review"), "Add your employer");
    assert.deepEqual(await person.page.getByRole("textbox").count(), 1);
    assert.equal(await person.page.evaluate("document.activeElement.id"), "employerName");
    await seen(person, on, "one");
    await person.box("Employer").fill("Pied Piper");
    await person.box("Employer").press("Enter");
    await person.button("Share").waitFor();
    assert.equal(await person.at("review"), "Share with Demo Hosted?");
    await person.button("Edit").click();
    assert.equal(await person.at("review"), "Edit your details");
    await person.box("Employer").fill("Hooli");
    await person.button("Cancel").click();
    await person.page.getByText("Pied Piper", { exact: true }).waitFor();
    await person.button("Share").click();
    await person.landed();
    assert.equal((await begun.read()).body.credentials?.employerName, "Pied Piper");
  },
);

it.everywhere("asks only for the missing parts of an address, and counts each of them", async (person, on) => {
  const parts = ["Line1", "City", "State", "ZipCode"].map((part) => ({ type: `${part}Credential` }));
  const begun = await asked(
    person,
    [name, { type: "AddressCredential", mandatory: "yes", children: parts }],
    "+13135550032",
  );
  assert.equal(await person.at("review"), "Complete your address");
  assert.equal(await person.page.getByRole("textbox").count(), 2);
  await seen(person, on, "parts");
  await person.box("Street address").fill("5320 Newell Rd");
  await person.box("City").fill("Palo Alto");
  await person.button("Continue").click();
  await person.button("Share").click();
  await person.landed();
  const { address } = (await begun.read()).body.credentials ?? {};
  assert.deepEqual(address, { line1: "5320 Newell Rd", city: "Palo Alto", state: "CA", zipCode: "94303" });
});

it.everywhere(
  "an annual income is one field with its currency in front, and the amount is formatted",
  async (person, on) => {
    const begun = await asked(person, [name, income]);
    assert.equal(await person.at("review"), "Add your annual income");
    const box = person.box("Annual income");
    assert.equal(await person.page.getByRole("main").locator("input, select").count(), 1);
    assert.equal(await person.page.locator("#annualIncome-amount-prefix").innerText(), "USD");
    await person.button("Continue").click();
    await person.page.getByText("Enter a whole amount such as 85,000.").waitFor();
    await seen(person, on, "income");
    await box.fill("85k");
    await person.button("Continue").click();
    await person.page.getByText("Enter a whole amount such as 85,000.").waitFor();
    await box.fill("$85000.00");
    await box.blur();
    assert.equal(await box.inputValue(), "85,000");
    await person.button("Continue").click();
    await person.page.getByText("$85,000", { exact: true }).waitFor();
    await seen(person, on, "review");
    await person.button("Share").click();
    await person.landed();
    assert.equal((await begun.read()).body.credentials?.annualIncome, "USD 85000");
  },
);

it.everywhere("details that no source has are in one line, which the review does not count", async (person, on) => {
  await asked(person, [name, { type: "EmployerNameCredential" }, { type: "AnnualIncomeCredential" }]);
  await person.at("review");
  assert.equal(await person.page.getByText("Not found: Employer, annual income", { exact: true }).count(), 1);
  assert.equal(await person.page.locator(".list > .row:not(.lacking)").count(), 1);
  await seen(person, on, "not-found");
  await person.button("Edit").click();
  await person.box("Employer").fill("Hooli");
  await person.button("Save").click();
  await person.page.getByText("Not found: Annual income", { exact: true }).waitFor();
});

it.everywhere(
  "an address outside the US asks for a state or province and a postal code in text fields",
  async (person, on) => {
    const begun = await asked(person, [name, { type: "AddressCredential", mandatory: "yes" }]);
    await person.at("review");
    await person.button("Edit").click();
    await person.page.getByRole("combobox", { name: "Country" }).selectOption({ label: "Show all countries" });
    await person.page.getByRole("combobox", { name: "Country" }).selectOption("CA");
    await person.box("State or province").fill("");
    await person.box("Postal code").fill("");
    await person.button("Save").click();
    const region = person.page.getByText("Enter a code such as ON.");
    await region.waitFor();
    await person.page.getByText("Enter your postal code.").waitFor();
    assert.equal(await person.page.getByText("Choose a state.").count(), 0);
    await seen(person, on, "abroad");
    await person.box("Street address").fill("290 Bremner Blvd");
    await person.box("City").fill("Toronto");
    await person.box("State or province").fill("Ontario");
    await person.button("Save").click();
    await region.waitFor();
    await person.box("State or province").fill("ON");
    await person.box("Postal code").fill("M5V 3L9");
    await person.button("Save").click();
    await person.button("Share").click();
    await person.landed();
    assert.equal((await begun.read()).body.credentials?.address, "290 Bremner Blvd, Toronto, ON M5V 3L9, CA");
  },
);

it.everywhere("the button for a wallet app is below the field", async (person) => {
  await asked(person, [name, { type: "EmployerNameCredential", mandatory: "yes" }]);
  await person.at("review");
  const [other, first] = await Promise.all([
    person.button("Or use a card from your wallet app").boundingBox(),
    person.page.locator("main input").first().boundingBox(),
  ]);
  assert.ok(other !== null && first !== null && first.y + first.height <= other.y, JSON.stringify({ other, first }));
});

it.everywhere(
  "before a decline the page says what the brand still gets, and the confirmation stays for 4 s",
  async (person) => {
    await person.page.clock.install();
    await asked(person, [name]);
    await person.at("review");
    const still = "Demo Hosted still gets your phone number and a fraud-risk rating for it.";
    assert.equal(await person.button("Don’t share").getAttribute("aria-describedby"), "declining");
    assert.equal(await person.page.locator(".pinned #declining").innerText(), `If you don’t share, ${still}`);
    await person.page.clock.pauseAt(Number(await person.page.evaluate("Date.now()")) + 1_000);
    await person.button("Don’t share").click();
    // axe needs the clock, so the tours check this screen with it.
    await person.page.getByRole("heading", { name: "Your details weren’t shared" }).waitFor();
    assert.match(await person.page.locator("main").innerText(), new RegExp(still));
    await person.page.clock.runFor(3_500);
    assert.match(person.page.url(), /\/request\//);
    await person.page.clock.runFor(1_000);
    await person.landed("waited");
  },
);
