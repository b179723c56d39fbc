/** The settings: their tabs, the order of their parts, and the bar that saves. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
const brandOf = (type: string) => demoBrands.find(({ integrationType }) => integrationType === type)?.uuid ?? "";
const demo = `/brands/${brandOf("sdk")}/sandbox`;

async function open(page: string, at: Parameters<typeof it.member>[0] = {}) {
  const person = await it.member(at);
  await person.page.goto(`${demo}/${page}`);
  await person.at(page.split("/")[0] ?? "");
  return person;
}
const tabs = ({ page }: Visitor) => page.getByRole("list", { name: "Settings" });
const places = (person: Visitor) =>
  tabs(person)
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => JSON.stringify(link.getBoundingClientRect())));

test("no tab moves when another is chosen, and the chosen one keeps the focus", async () => {
  const person = await open("settings/general");
  const before = await places(person);
  for (const name of ["Redirects and origins", "OpenID", "Consent"]) {
    await person.link(name).press("Enter");
    await person.page.getByRole("heading", { name, exact: true }).waitFor();
    assert.deepEqual(await places(person), before, name);
    assert.equal(await person.page.evaluate("document.activeElement?.textContent"), name);
  }
  await person.at("settings");
  await person.done();
});

test("on a phone the tabs are one line that scrolls to the chosen one", async () => {
  const person = await open("settings/consent", { on: "phone", colorScheme: "dark" });
  const [list, tab] = [await tabs(person).boundingBox(), await person.link("Consent").boundingBox()];
  assert.ok(list !== null && tab !== null && list.height < 60, JSON.stringify(list));
  assert.ok(tab.x >= 0 && tab.x + tab.width <= 390, JSON.stringify(tab));
  await person.picture("settings-tabs-phone");
  await person.done();
});

test("only a brand of v1 has the settings of v1, in the tabs and in the palette", async () => {
  const person = await open("settings/general");
  const { page } = person;
  await person.link("Consent").waitFor();
  assert.equal(await person.link("v1").count(), 0);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await field.fill("settings: consent");
  await page.getByRole("option", { name: /^Settings: Consent/ }).waitFor();
  await field.fill("settings: v1");
  await page.getByText("Nothing found.").waitFor();
  assert.equal(await page.getByRole("option", { name: /^Settings: v1/ }).count(), 0);
  await person.done();
  const other = await it.member({ customerUuid: demoBrands.find(({ uuid }) => uuid === brandOf("v1"))?.customerUuid });
  await other.page.goto(`/brands/${brandOf("v1")}/sandbox/settings/general`);
  await other.link("v1").waitFor();
  await other.done();
});

test("the required sentence stands above the declaration, and the logo above the colors", async () => {
  const person = await open("settings/consent");
  const { page } = person;
  const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0;
  assert.ok((await top("What your users must see")) < (await top("We show the required sentence and links")));
  await page.goto(`${demo}/styling`);
  await person.at("styling");
  const [logo, primary, error] = [await top("Logo"), await top("Primary color"), await top("Error color")];
  assert.ok(0 < logo && logo < primary && primary < error, `${logo} ${primary} ${error}`);
  await person.done();
});

test("the bar that saves appears with the first change and goes with the last", async () => {
  const person = await open("settings/general", { on: "phone" });
  const { page } = person;
  const field = person.box("External name");
  const before = await field.inputValue();
  assert.equal(await person.button("Save changes").count(), 0);
  await field.fill("Another name");
  await person.button("Save changes").waitFor();
  await person.at("settings");
  await person.picture("save-bar-phone");
  await field.fill(before);
  await person.button("Save changes").waitFor({ state: "detached" });
  await field.fill(`${before} Inc.`);
  await person.button("Save changes").press("Enter");
  await page.getByText("Saved.").waitFor();
  await page.locator("[role=status]:focus").waitFor();
  await field.fill(before);
  await field.press("Enter");
  await page.getByText("Saved.").waitFor();
  await person.at("settings");
  await person.done();
});
