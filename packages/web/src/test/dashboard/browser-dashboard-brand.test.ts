import assert from "node:assert/strict";
import test from "node:test";
import { png } from "../../../../service/src/test/harness/logo-pictures.ts";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const brandUuidIn = (url: string) => /\/brands\/([0-9a-f-]{36})\//.exec(url)?.[1] ?? "";
const settingsOf = async (uuid: string) => (await it.as(demoKey).readSandboxBrand({ params: { uuid } })).body.settings;

/** Creates a brand through the page and returns its uuid. */
async function brand(person: Awaited<ReturnType<typeof it.member>>, name: string): Promise<string> {
  await person.page.goto("/brands/new");
  await person.at("newBrand");
  await person.box("Name").fill(name);
  await person.button("Create brand").click();
  await person.button("I’ve saved it").click();
  await person.at("start");
  return brandUuidIn(person.page.url());
}

test("creates a brand by keyboard alone, and its key works", async () => {
  const person = await it.member();
  const { page } = person;
  await page.goto("/brands");
  await person.at("brands");
  await person.link("Create a brand").focus();
  await page.keyboard.press("Enter");
  await person.at("newBrand");
  await page.keyboard.type("Pied Piper");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const secret = page.locator(".secret code");
  await secret.waitFor();
  await person.at("newBrand");
  await person.picture("key-shown-once");
  const apiKey = (await secret.textContent()) ?? "";
  await page.keyboard.press("Escape");
  await person.at("start");
  const answer = await it.as(apiKey).createOneClick({ body: { phone: "+12125550010" } });
  assert.equal(answer.status, 201);
  await person.done();
});

test("the older integration types are collapsed, and a brand with one of them can be created", async () => {
  const person = await it.member({ on: "phone" });
  await person.page.goto("/brands/new");
  await person.at("newBrand");
  await person.page.getByRole("radio", { name: /^SDK/ }).waitFor();
  const hosted = person.page.getByRole("radio", { name: /^Hosted/ });
  assert.equal(await hosted.isVisible(), false);
  await person.page.getByText("Older integration types").click();
  await hosted.check();
  await person.at("newBrand");
  await person.picture("new-brand-older");
  await person.box("Name").fill("Gavin");
  await person.button("Create brand").click();
  await person.button("I’ve saved it").click();
  await person.at("start");
  await person.page.getByText("It also contains the code").waitFor();
  await person.done();
});

test("the list of brands shows the state of each environment and the last request", async () => {
  const person = await it.member();
  const { page } = person;
  const uuid = await brand(person, "Endframe");
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Endframe" }) });
  const states = () => row.locator(".tag").allTextContents();
  const list = async () => {
    await page.goto("/brands");
    await person.at("brands");
    return await states();
  };
  assert.deepEqual(await list(), ["Active", "Not set up"]);
  await row.getByText("No requests yet").waitFor();
  await person.member.call("POST", `/api/brands/${uuid}/production`, { sourceVersion: 1 });
  assert.deepEqual(await list(), ["Active", "Not approved"]);
  const now = it.deps.clock.now();
  await it.store.db
    .insertInto("brand_approval")
    .values({ brand_uuid: uuid, environment: "production", approval: "production", granted_at: now })
    .execute();
  await it.store.db.updateTable("api_key").set({ last_used_at: now }).where("brand_uuid", "=", uuid).execute();
  assert.deepEqual(await list(), ["Active", "Live"]);
  assert.equal(await row.getByText("No requests yet").count(), 0);
  await row.getByText(/^Last request .+ ago$/).waitFor();
  await person.picture("brands-states");
  await person.done();
});

test("saves a valid setting, and shows the error of an invalid one beside its field", async () => {
  const person = await it.member();
  const uuid = await brand(person, "Hooli");
  await person.page.goto(`/brands/${uuid}/sandbox/settings/redirects`);
  await person.at("settings");
  await person.box("Redirect URL").fill("http://evil.example");
  await person.button("Save changes").click();
  await person.page.locator(".problem").waitFor();
  await person.at("settings");
  await person.picture("settings-problem");
  assert.equal(await person.box("Redirect URL").getAttribute("aria-invalid"), "true");
  await person.box("Redirect URL").fill("https://hooli.example/welcome");
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  assert.equal((await settingsOf(uuid)).redirectUrl, "https://hooli.example/welcome");
  await person.page.goto("/audit");
  await person.at("audit");
  await person.page.getByText("Redirects and origins · Redirect URL:").first().waitFor();
  await person.done();
});

test("when two tabs edit settings, the second sees the changes and can apply its edits on top", async () => {
  const person = await it.member();
  const colleague = await it.member();
  const uuid = await brand(person, "Aviato");
  const path = `/brands/${uuid}/sandbox/settings/formats`;
  await person.page.goto(path);
  await colleague.page.goto(path);
  await person.at("settings");
  await colleague.at("settings");
  await colleague.choice("Birthday").selectOption("MM/dd/yyyy");
  await colleague.button("Save changes").click();
  await colleague.page.getByText("Saved.").waitFor();
  await person.choice("State").selectOption("full");
  await person.button("Save changes").click();
  await person.page.getByText("changed these settings while you edited them").waitFor();
  await person.at("settings");
  await person.picture("settings-conflict");
  await person.page.getByRole("cell", { name: "MM/dd/yyyy" }).waitFor();
  // The choice stands in place of the bar that saves.
  await person.page.locator(".conflict h2:focus").waitFor();
  assert.equal(await person.page.getByRole("button", { name: /^(Save|Discard) changes$/ }).count(), 0);
  assert.equal((await settingsOf(uuid)).credentialFormats.state, "abbreviation");
  await person.button("Keep my changes").click();
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  const { birthDate, state } = (await settingsOf(uuid)).credentialFormats;
  assert.deepEqual([birthDate, state], ["MM/dd/yyyy", "full"]);
  await person.done();
  await colleague.done();
});

test("credential requests are reordered by keyboard and by dragging, added, changed, and removed", async () => {
  const person = await it.member();
  const uuid = await brand(person, "Bachmanity");
  await person.page.goto(`/brands/${uuid}/sandbox/requests`);
  await person.at("requests");
  await person.button("Move Full name").focus();
  await person.page.keyboard.press("ArrowDown");
  await person.page.getByText("Full name is now 2 of 5.").waitFor();
  assert.equal(await person.page.evaluate("document.activeElement.textContent"), "⠿Move Full name");
  await person.button("Move Birthday").dragTo(person.button("Move Phone"));
  await person.page.getByText("Birthday is now 1 of 5.").waitFor();
  await person.button("Options SSN").click();
  await person.button("Move up SSN").click();
  await person.button("Remove SSN").click();
  await person.choice("Add a credential").selectOption("EmailCredential");
  const preview = person.page.frameLocator(".preview iframe");
  await preview.locator(".row").nth(4).filter({ hasText: "Email" }).waitFor();
  await person.button("Options Email").click();
  await person.box("Description").fill("Where we send your receipt");
  await preview.getByText("Where we send your receipt").waitFor();
  await person.page.getByRole("group", { name: "Requirement of Email" }).getByText("Required").click();
  await person.page.getByText("Parts: Line 1").click();
  await person.page.getByRole("group", { name: "Requirement of City" }).getByText("If available").click();
  await person.at("requests");
  await person.picture("requests-edited");
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  const saved = (await settingsOf(uuid)).defaultCredentialRequests;
  const types = saved.map(({ type }) => type.replace("Credential", ""));
  assert.deepEqual(types, ["BirthDate", "Phone", "FullName", "Address", "Email"]);
  const city = saved[3]?.children?.find(({ type }) => type === "CityCredential");
  assert.deepEqual(
    [saved[4]?.description, saved[4]?.mandatory, city?.mandatory],
    ["Where we send your receipt", "yes", "if_available"],
  );
  await person.done();
});

test("a wrong issuer is shown at its request, whose options open", async () => {
  const person = await it.member({ on: "phone", colorScheme: "dark" });
  const uuid = await brand(person, "Nucleus");
  await person.page.goto(`/brands/${uuid}/sandbox/requests`);
  await person.at("requests");
  await person.button("Options Phone").click();
  await person.box("Only from these issuers (one UUID per line)").fill("somebody");
  await person.button("Options Phone").click();
  await person.button("Save changes").click();
  await person.page.getByText("Use a UUID. (line 1)").waitFor();
  await person.at("requests");
  await person.picture("requests-problem");
  await person.done();
});

test("the preview shows a wallet page in the unsaved colors", async () => {
  const person = await it.member();
  const uuid = await brand(person, "Raviga");
  await person.page.goto(`/brands/${uuid}/sandbox/styling`);
  await person.at("styling");
  await person.box("Primary color").fill("#AA0000");
  const preview = person.page.frameLocator(".preview iframe");
  await preview.locator('link[href*="AA0000"]').waitFor({ state: "attached" });
  await person.picture("styling-edited");
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  assert.equal((await settingsOf(uuid)).styling.primaryColor, "#AA0000");
  await person.done();
});

test("uploads a logo, shows it in the preview, and removes it; rejects a file that is not an image", async () => {
  const person = await it.member();
  const uuid = await brand(person, "Homicide");
  await person.page.goto(`/brands/${uuid}/sandbox/styling`);
  await person.at("styling");
  const logo = person.page.locator('input[type="file"]');
  await logo.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await person.page.getByRole("alert").waitFor();
  await person.at("styling");
  await logo.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: png() });
  await person.button("Remove").waitFor();
  await person.at("styling");
  const framed = person.page.frameLocator("iframe");
  await framed.locator("header img:not(.by)").waitFor();
  await framed.getByText("Homicide").first().waitFor();
  await person.picture("styling-logo");
  assert.match((await settingsOf(uuid)).styling.logoUrl ?? "", /\/logo\/[0-9a-f]{64}\.png$/);
  await person.box("Primary color").fill("#AA0000");
  await person.button("Remove").click();
  await person.page.getByText("No logo yet.").waitFor();
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  const { logoUrl, primaryColor } = (await settingsOf(uuid)).styling;
  assert.deepEqual([logoUrl, primaryColor], [null, "#AA0000"]);
  await person.done();
});

test("copies a section to production, and shows why another setting is not copied", async () => {
  const person = await it.member();
  const uuid = await brand(person, "Intersite");
  await person.page.goto(`/brands/${uuid}/sandbox/compare`);
  await person.at("noProduction");
  await person.button("Prepare production settings").click();
  await person.button("Set up production").click();
  await person.at("approvals");
  await person.page.goto(`/brands/${uuid}/sandbox/settings/formats`);
  await person.choice("Birthday").selectOption("dd/MM/yyyy");
  await person.button("Save changes").click();
  await person.page.getByText("Saved.").waitFor();
  await person.page.goto(`/brands/${uuid}/production/compare`);
  await person.at("compare");
  await person.page.getByText("dd/MM/yyyy").waitFor();
  await person.page.getByText("The declaration applies only to the environment").waitFor();
  assert.ok(await person.button("Copy to production General").isDisabled());
  await person.link("Waiting for approval").waitFor();
  await person.picture("compare-differs");
  const lefts = await person.page
    .locator(".compare thead th:last-child")
    .evaluateAll((titles) => titles.map((one) => Math.round(one.getBoundingClientRect().left)));
  assert.ok(lefts.length > 1, "several sections differ");
  assert.equal(new Set(lefts).size, 1, `the columns begin at ${lefts}`);
  await person.button("Copy to production Formats").click();
  const question = person.page.getByRole("dialog");
  await question.getByText("dd/MM/yyyy").waitFor();
  await question.getByRole("button", { name: "Copy to production" }).click();
  await person.page.getByText("dd/MM/yyyy").waitFor({ state: "detached" });
  await person.link("Declare it in production").click();
  await person.page.waitForURL(`**/brands/${uuid}/production/settings/consent`);
  await person.done();
});

test("a viewer cannot create a brand, and is told who can", async () => {
  const person = await it.member({ role: "viewer" });
  await person.page.goto("/brands/new");
  await person.page.getByText("A developer or an owner can create a brand.").waitFor();
  await person.at("newBrand");
  assert.equal(await person.button("Create brand").count(), 0);
  await person.done();
});
