/** The settings: their tabs, the order of their parts, and the bar that saves. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Request } from "playwright-core";
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

test("the tabs keep their places when one is chosen, and the chosen tab keeps the focus", async () => {
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

test("the settings of state IDs fit on a phone, and say what requiring one means", async () => {
  const person = await open("settings/stateId", { on: "phone" });
  await person.page.getByText("Confirm with a state ID").first().waitFor();
  await person.at("settings");
  await person.picture("settings-state-id-phone");
  const width = await person.page.evaluate("document.documentElement.scrollWidth");
  assert.equal(width, 390);
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

test("the required sentence is above the declaration, and the logo is above the colors", async () => {
  const person = await open("settings/consent");
  const { page } = person;
  const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0;
  assert.ok((await top("What people must see")) < (await top("People see the required sentence and its link")));
  await page.goto(`${demo}/styling`);
  await person.at("styling");
  const [logo, primary, error] = [await top("Logo"), await top("Primary color"), await top("Error color")];
  assert.ok(0 < logo && logo < primary && primary < error, `${logo} ${primary} ${error}`);
  await person.done();
});

test("the switch of the risk signals says that turning them off is not recommended", async () => {
  const person = await open("settings/risk");
  const named = person.page.getByLabel("Score each identity");
  const description = await named.evaluate((one) =>
    (one.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" "),
  );
  assert.match(description, / Turning this off is not recommended\.$/);
  await person.done();
});

test("the save bar appears with the first change and disappears when the last change is undone", async () => {
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
  await person.button("Save changes").waitFor({ state: "detached" });
  await page.getByText("Saved.").waitFor();
  await person.at("settings");
  await person.done();
});

test("a default is named only if the value differs from it, and a pattern offers common patterns and a custom one", async () => {
  const person = await open("settings/formats");
  const { page } = person;
  assert.equal(await page.getByText(/Default:/).count(), 0);
  await person.choice("State").selectOption("full");
  await page.getByText("Default: Abbreviation (CA).").waitFor();
  await person.choice("Birthday").selectOption("Custom pattern…");
  await person.box("Pattern of birthday").fill("M/d/yy?");
  await person.button("Save changes").click();
  await page.locator('[id="credentialFormats.birthDate"][aria-invalid="true"]:focus').waitFor();
  await person.at("settings");
  await person.picture("settings-own-pattern");
  await person.button("Discard changes").click();
  await person.done();
});

test("the brand's id can be copied in General, and as the client ID in OpenID", async () => {
  const person = await open("settings/general");
  const { page } = person;
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.button("Copy Brand ID").press("Enter");
  await person.button("Copied. Brand ID").waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), brandOf("sdk"));
  await person.link("OpenID").click();
  await person.button("Copy Client ID").waitFor();
  await person.done();
});

test("settings that depend on a switch are below it, and can be used only if it is on", async () => {
  const person = await open("settings/risk");
  const check = (name: string) => person.page.getByRole("checkbox", { name, exact: true });
  await check("Score each identity").setChecked(false);
  assert.ok(await check("Carrier").isDisabled());
  await check("Score each identity").setChecked(true);
  await check("Carrier").setChecked(true);
  await person.at("settings");
  await person.done();
});

test("a brand with the SDK sees its origins first, and other brands see their links first", async () => {
  const person = await open("settings/redirects");
  const titles = ({ page }: Visitor) => page.locator("main form h3").allTextContents();
  await person.box("Redirect URL").waitFor();
  assert.deepEqual(await titles(person), ["Pages with the SDK", "Links and redirects"]);
  await person.done();
  const hosted = demoBrands.find(({ integrationType }) => integrationType === "hosted");
  const other = await it.member({ customerUuid: hosted?.customerUuid });
  await other.page.goto(`/brands/${hosted?.uuid}/sandbox/settings/redirects`);
  await other.box("Redirect URL").waitFor();
  assert.deepEqual(await titles(other), ["Links and redirects", "Pages with the SDK"]);
  await other.done();
});

test("the fields of a provider have visible labels", async () => {
  const person = await open("settings/health", { on: "phone" });
  await person.page.getByRole("checkbox", { name: "1-Click Health", exact: true }).setChecked(true);
  await person.button("Add a provider").click();
  const provider = person.page.getByRole("group", { name: /^Provider \d+$/ }).last();
  for (const label of ["Kind", "Name", "NPI (ten digits)"]) {
    await provider.getByLabel(label, { exact: true }).waitFor();
    await provider.getByText(label, { exact: true }).waitFor();
  }
  await person.at("settings");
  await person.picture("settings-provider-phone");
  await person.done();
});

test("all times have one format, and the page names their time zone once", async () => {
  const person = await open("settings/general");
  const { page } = person;
  assert.match(await page.locator("main time").innerText(), /^[A-Z][a-z]{2}.\d{1,2},.\d{4},.\d{1,2}:\d{2}.[AP]M$/);
  await page.getByText(/^Saved .+ UTC by Member \d+ · version \d+$/).waitFor();
  assert.equal(await page.locator(".zone-note").isVisible(), false);
  await person.done();
});

test("the required sentence is copied with its link, and becomes the brand’s own text", async () => {
  const person = await open("settings/consent");
  const { page } = person;
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.button("Copy the sentence with its link").click();
  await person.button("Copied. the sentence with its link").waitFor();
  const copied = String(await page.evaluate("navigator.clipboard.readText()"));
  assert.match(copied, /Terms of use \(http:.+\/terms\)/);
  await person.button("Use the required sentence").click();
  assert.equal(await person.box("Your text").inputValue(), copied);
  await person.button("Use the required sentence").waitFor({ state: "detached" });
  await person.button("Discard changes").click();
  await person.done();
});

test("the settings of v1 say that they have no effect for another type, and where to change it", async () => {
  const person = await open("settings/v1");
  await person.page.getByText("This brand’s integration type is SDK, so these settings have no effect.").waitFor();
  await person.page.getByText("It needs a push URL.").waitFor();
  await person.box("Push URL").fill("https://brand.example/push");
  await person.page.getByText("It needs a push URL.").waitFor({ state: "detached" });
  await person.button("Discard changes").click();
  await person.link("change the integration type").click();
  await person.choice("Integration type").waitFor();
  await person.done();
});

test("a viewer sees a brand’s colors and choices undimmed", async () => {
  const person = await open("styling", { role: "viewer" });
  const fields = person.page.locator("main fieldset :is(input, select):disabled:not(.hidden)");
  await person.choice("Font").waitFor();
  const opacities = await fields.evaluateAll((all) => all.map((one) => getComputedStyle(one).opacity));
  assert.deepEqual(new Set(opacities), new Set(["1"]));
  await person.done();
});

test("a viewer sees neither examples nor controls that a press would not change", async () => {
  const person = await open("settings/redirects", { role: "viewer" });
  const { page } = person;
  assert.equal(await person.box("Domain for code autofill").getAttribute("placeholder"), "Not set");
  await page.goto(`${demo}/requests`);
  await page.locator(".request").first().waitFor();
  const [shown, all] = [page.locator(".request .segments span:visible"), page.locator(".request:visible")];
  assert.equal(await shown.count(), await all.count());
  assert.equal(await page.locator(".bare :is(.grip, button, select):visible").count(), 0);
  await person.done();
});

test("edits that are made during a save stay unsaved, also an edit back to the earlier value", async () => {
  const [person, { uuid }] = await Promise.all([it.member(), it.brand()]);
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/settings/general`);
  const [name, type] = [person.box("External name"), person.choice("Integration type")];
  const [earlierName, earlierType] = [await name.inputValue(), await type.inputValue()];
  const held = Promise.withResolvers<void>();
  const isSave = (request: Request) => request.method() === "PATCH";
  await page.route("**/settings", async (route) => {
    if (isSave(route.request())) await held.promise;
    await route.continue();
  });
  await name.fill("Sent name");
  await Promise.all([page.waitForRequest(isSave), person.button("Save changes").click()]);
  await name.fill(earlierName);
  const typed = earlierType === "hosted" ? "sdk" : "hosted";
  await type.selectOption(typed);
  held.resolve();
  await page.getByText(/· version 2$/).waitFor();
  assert.deepEqual([await name.inputValue(), await type.inputValue()], [earlierName, typed]);
  assert.equal(await page.getByText("Saved.").count(), 0);
  await person.button("Discard changes").click();
  assert.deepEqual([await name.inputValue(), await type.inputValue()], ["Sent name", earlierType]);
  await person.done();
});
