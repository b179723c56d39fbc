/** Getting around: the palette, the brand switcher, and the navigation beside a long page. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { browserDashboard, type DashboardBrowser } from "../harness/dashboard.ts";

const it = await browserDashboard();
const demo = demoBrands.find(({ integrationType }) => integrationType === "sdk") ?? assert.fail();
const other = demoBrands.find(({ integrationType }) => integrationType === "hosted") ?? assert.fail();

async function open(path: string, step: string, at: Parameters<DashboardBrowser["member"]>[0] = {}) {
  const person = await it.member({ role: "viewer", ...at });
  const { page } = person;
  await page.goto(path);
  await person.at(step);
  const palette = page.getByRole("dialog", { name: "Find a page, brand, key, call or test person" });
  const field = palette.getByRole("combobox");
  const option = (name: string | RegExp) => page.getByRole("option", { name });
  return { ...person, palette, field, option };
}

test("the palette opens a page by keyboard alone, and the page's heading takes the focus", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/start`, "start");
  const { page } = person;
  await page.keyboard.press("Control+k");
  await person.option(/^Webhooks/).waitFor();
  await person.at("start");
  await person.picture("palette");
  await page.keyboard.type("redirects");
  await person.option(/^Settings: Redirects/).waitFor();
  await page.keyboard.press("Enter");
  await person.at("settings");
  assert.match(page.url(), /sandbox\/settings\/redirects$/);
  await page.locator("h1:focus").waitFor();
  await page.keyboard.press("Control+k");
  // A setting is found by its name in the API too.
  for (const [typed, section] of [
    ["npi", "Health"],
    ["otporigin", "Redirects"],
  ] as const) {
    await person.field.fill(typed);
    await person.option(new RegExp(`^Settings: ${section}`)).waitFor();
  }
  await person.field.fill("no such page");
  await person.palette.getByText("Nothing found.").waitFor();
  await page.keyboard.press("Escape");
  await person.palette.waitFor({ state: "detached" });
  await person.done();
});

test("the palette finds brands, keys, calls by UUID, and test people", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/keys`, "keys", { colorScheme: "dark" });
  const { page } = person;
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.button("Find").click();
  await person.field.fill("+12125550020");
  await person.option(/^\+12125550020/).click();
  await person.palette.getByText("+12125550020 is copied.").waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), "+12125550020");
  assert.ok(!page.url().includes("0020"));
  await person.field.fill("_sdk");
  await person.option(/^first key/).waitFor();
  await person.field.fill(other.name);
  await person.option(new RegExp(`^${other.name}`)).waitFor();
  await person.at("keys");
  await person.picture("palette-dark");
  const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
  await person.field.fill(uuid);
  await person.field.press("Enter");
  await person.at("journey");
  assert.ok(page.url().endsWith(uuid));
  await person.done();
});

test("the palette does not say that nothing was found while it still loads", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/keys`, "keys");
  const { page } = person;
  const held = Promise.withResolvers<void>();
  await page.route("**/start", async (route) => {
    await held.promise;
    await route.continue();
  });
  await person.button("Find").click();
  await person.field.fill("+1212555");
  await person.palette.getByText("Loading").waitFor();
  assert.equal(await person.palette.getByText("Nothing found.").count(), 0);
  held.resolve();
  await person.option(/^\+12125550010/).waitFor();
  await person.done();
});

test("letters that are typed while the palette loads are in its field", async () => {
  const person = await open("/brands", "brands");
  const { page, field } = person;
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/palette-*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("webhoxs");
  for (let wrong = 0; wrong < 2; wrong += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("oks");
  held.resolve();
  await field.waitFor();
  assert.equal(await field.inputValue(), "webhooks");
  await person.done();
});

test("the arrow keys choose a result", async () => {
  const person = await open("/brands", "brands");
  await person.page.keyboard.press("Control+k");
  await person.option(/^Get started/).waitFor();
  const selected = (place: number) => person.page.locator(`#found-${place}[aria-selected="true"]`).waitFor();
  await selected(0);
  await person.field.press("ArrowDown");
  await selected(1);
  await person.field.press("ArrowUp");
  await selected(0);
  await person.field.press("ArrowUp");
  await selected((await person.page.getByRole("option").count()) - 1);
  await person.done();
});

test("the brand switcher finds a brand and keeps the page", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/log?status=refused`, "log", { on: "tablet" });
  const { page } = person;
  await person.button("Menu").click();
  await person.button(`Switch brand: ${demo.name}`).click();
  const field = page.getByRole("combobox", { name: "Find a brand" });
  await field.fill(other.name);
  await person.option(new RegExp(`^${other.name}`)).waitFor();
  await person.at("log");
  await person.picture("switcher");
  await field.press("Enter");
  await page.waitForURL(`**/brands/${other.uuid}/sandbox/log`);
  await person.at("log");
  await person.done();
});

test("the menu of a phone is a sheet that keeps the focus, and closes on Escape and with a choice", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/keys`, "keys", { on: "phone", colorScheme: "dark" });
  const { page } = person;
  const menu = person.button("Menu");
  const sheet = page.getByRole("dialog", { name: "Menu" });
  // A closed dialog has no role, and is removed a moment later.
  const menuRemoved = () => page.locator("dialog.sheet").waitFor({ state: "detached" });
  await menu.press("Enter");
  await sheet.getByRole("link", { name: "API keys" }).waitFor();
  await person.at("keys");
  await person.picture("menu-sheet");
  await page.keyboard.press("Escape");
  await menuRemoved();
  assert.equal(await menu.evaluate((one) => one === document.activeElement), true);
  await menu.press("Enter");
  await sheet.getByRole("link", { name: "Webhooks" }).press("Enter");
  await person.at("webhooks");
  await menuRemoved();
  await page.locator("h1:focus").waitFor();
  await person.done();
});

test("a page that does not exist leads to the brand and to all brands", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/nothing`, "missing");
  const { page } = person;
  await person.link(`Open ${demo.name}`).click();
  await person.at("overview");
  await page.goto("/nothing");
  await person.at("missing");
  await person.link("See all brands").click();
  await person.at("brands");
  await page.goto(`/brands/${crypto.randomUUID()}/sandbox/start`);
  await person.at("missing");
  assert.equal(await person.link("Back to your brand").count(), 0);
  await person.done();
});

test("pages of the account keep the brand's navigation and environment, also after a reload", async () => {
  const person = await open(`/brands/${demo.uuid}/production/start`, "noProduction");
  const { page } = person;
  const side = page.locator("nav.side");
  const target = (name: string) => side.getByRole("link", { name, exact: true }).getAttribute("href");
  for (const [name, step] of [
    ["Team", "team"],
    ["Audit log", "audit"],
    ["Account security", "mine"],
    ["Brands", "brands"],
  ] as const) {
    await side.getByRole("link", { name, exact: true }).click();
    await person.at(step);
    assert.equal(await target("API keys"), `/brands/${demo.uuid}/production/keys`);
  }
  await page.reload();
  await person.at("brands");
  assert.equal(await target("API keys"), `/brands/${demo.uuid}/production/keys`);
  assert.equal(await target("Sandbox"), `/brands/${demo.uuid}/sandbox/overview`);
  const first = await open("/team", "team");
  await first.page.locator("nav.side").getByRole("link", { name: "API keys" }).waitFor();
  await person.done();
  await first.done();
});

test("production has its own color, and hides the sandbox's pages", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/start`, "start");
  const { page } = person;
  const side = page.locator("nav.side");
  const band = () => page.evaluate("getComputedStyle(document.querySelector('.dash'), '::before').borderTopWidth");
  const chosen = () =>
    side.locator(".switch [aria-current]").evaluate((link) => getComputedStyle(link).backgroundColor);
  await side.getByRole("link", { name: "Outbox" }).waitFor();
  const inSandbox = { band: await band(), chosen: await chosen() };
  await side.getByRole("link", { name: "Production", exact: true }).click();
  await person.at("noProduction");
  assert.equal(await side.getByRole("link", { name: "Outbox" }).count(), 0);
  assert.equal(await band(), "4px");
  assert.notEqual(inSandbox.band, "4px");
  assert.notEqual(await chosen(), inSandbox.chosen);
  await person.picture("production");
  await person.done();
});

test("the navigation of a brand fits into a window of 800 pixels", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/start`, "start");
  const hidden = await person.page.locator("nav.side").evaluate((side) => side.scrollHeight - side.clientHeight);
  assert.ok(hidden <= 0, `${hidden} px are out of view`);
  await person.done();
});

test("the navigation stays in view beside a long page", async () => {
  const person = await open(`/brands/${demo.uuid}/sandbox/start`, "start");
  const { page } = person;
  await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
  const box = await person.link("Get started").boundingBox();
  assert.ok(box !== null && box.y > 0 && box.y < 800, JSON.stringify(box));
  await person.picture("sticky");
  await person.done();
});
