/** The request log, used as people use it. */
import assert from "node:assert/strict";
import test from "node:test";
import { busyBrand, logged } from "../harness/busy-brand.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();

/** Opens a brand's log. `rows` waits for a number of lines. */
async function logOf(uuid: string, at: Parameters<typeof it.member>[0] = {}, query = "") {
  const person = await it.member({ role: "viewer", ...at });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/log${query}`);
  await person.at("log");
  const search = page.getByRole("searchbox", { name: "Search" });
  const lines = page.locator("tbody tr:not(.group-row)");
  const rows = async (count: number) => {
    await lines.nth(count - 1).waitFor();
    await lines.nth(count).waitFor({ state: "detached" });
  };
  const find = async (text: string) => {
    await search.fill(text);
    await page.keyboard.press("Enter");
  };
  return { ...person, search, lines, rows, find };
}

test("a phone shows the calls and their details", async () => {
  const { uuid } = await busyBrand(it);
  const log = await logOf(uuid, { on: "phone" });
  await log.rows(24);
  await log.page.getByRole("button", { name: /^POST/ }).first().click();
  await log.page.getByRole("heading", { name: "What it did" }).waitFor();
  await log.at("log");
  await log.picture("log-details-phone");
  assert.equal(await log.lines.first().isVisible(), false);
  await log.page.goBack();
  await log.rows(24);
  await log.lines.first().waitFor();
  await log.done();
});

test("every part of a row opens its call, and the frame is there before the service answers", async () => {
  const { uuid } = await busyBrand(it);
  const log = await logOf(uuid);
  const { page } = log;
  await log.rows(24);
  // The button covers the cells.
  for (const [at, part] of ["td.figure", "td.when", ".outcome .tag"].entries()) {
    await log.lines.nth(at).locator(part).click({ force: true });
    await page.getByRole("heading", { name: "What it did" }).waitFor();
    await log.lines.and(page.locator("[aria-current=true]")).waitFor();
    assert.equal(await log.lines.nth(at).getAttribute("aria-current"), "true");
  }
  const held = Promise.withResolvers<void>();
  await page.route("**/api/me", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await page.locator(".top-bar .product").waitFor();
  held.resolve();
  await log.rows(24);
  await log.done();
});

test("one field finds calls by phone, last digits, error code, endpoint, UUID and request id", async () => {
  const { uuid, phone } = await busyBrand(it);
  const log = await logOf(uuid);
  const { page } = log;
  await log.rows(24);
  await log.picture("log");
  await log.find(phone);
  await log.rows(3);
  await log.find(phone.slice(-4));
  await log.rows(3);
  assert.equal(new URL(page.url()).search, "");
  await log.find("/verify");
  await log.rows(3);
  await log.find("400");
  await log.rows(6);
  await log.find("oce011");
  await log.rows(3);
  assert.equal(new URL(page.url()).search, "?q=oce011");
  await page.getByRole("button", { name: /^POST/ }).first().press("Enter");
  const panel = page.getByRole("region", { name: "Call details" });
  const requestId = (await panel.getByRole("definition").last().locator("code").textContent()) ?? "";
  await log.at("log");
  await log.picture("log-details");
  await panel
    .getByRole("button", { name: /^Show its calls/ })
    .first()
    .click();
  await panel.waitFor({ state: "detached" });
  await log.rows(1);
  await log.find(requestId);
  await log.rows(1);
  await log.find("12");
  await page.getByText("Enter a UUID, an error code").waitFor();
  assert.equal(await log.search.getAttribute("aria-invalid"), "true");
  await log.at("log");
  await log.button("Clear").click();
  await log.rows(24);
  await log.done();
});

test("the details stand beside the list, and the arrow keys and Escape move and close them", async () => {
  const { uuid } = await busyBrand(it);
  const log = await logOf(uuid, { colorScheme: "dark" });
  const { page } = log;
  await log.rows(24);
  const panel = page.getByRole("region", { name: "Call details" });
  const opened = (place: number) =>
    log.lines
      .nth(place - 1)
      .and(page.locator('[aria-current="true"]'))
      .waitFor();
  await log.lines.nth(0).getByRole("button").press("Enter");
  await opened(1);
  await page.locator("#call-title:focus").waitFor();
  assert.ok(await panel.getByRole("button", { name: "Newer call" }).isDisabled());
  await page.keyboard.press("ArrowDown");
  await opened(2);
  await panel.getByRole("button", { name: "Older call" }).click();
  await opened(3);
  await page.keyboard.press("ArrowUp");
  await opened(2);
  await log.at("log");
  await log.picture("log-panel-dark");
  await page.setViewportSize({ width: 820, height: 1180 });
  await log.at("log");
  await log.picture("log-panel-tablet");
  await page.setViewportSize({ width: 1280, height: 800 });
  const url = page.url();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  assert.equal(
    await log.lines
      .nth(1)
      .getByRole("button")
      .evaluate((one) => one === document.activeElement),
    true,
  );
  await page.goto(url);
  await opened(2);
  await log.search.focus();
  await page.keyboard.press("Escape");
  assert.equal(await panel.count(), 1);
  await panel.getByRole("button", { name: "Close" }).click();
  await panel.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).search, "");
  await log.done();
});

test("on a phone the filters are collapsed under a button that counts them", async () => {
  const { uuid } = await busyBrand(it);
  const log = await logOf(uuid, { on: "phone" }, "?status=refused");
  await log.rows(6);
  assert.equal(await log.choice("Outcome").count(), 0);
  await log.button("Filters (1)").press("Enter");
  await log.at("log");
  await log.picture("log-phone-filters");
  await log.choice("Outcome").selectOption("");
  await log.rows(24);
  await log.button("Filters").click();
  assert.equal(await log.choice("Outcome").count(), 0);
  await log.done();
});

test("a reload and a copied link show the same calls, but neither keeps a phone", async () => {
  const { uuid, phone } = await busyBrand(it);
  const log = await logOf(uuid);
  const { page } = log;
  await log.choice("Outcome").selectOption("refused");
  await log.rows(6);
  await log.choice("Time").selectOption("week");
  await log.find("OCE011");
  await log.rows(3);
  await page.reload();
  await log.at("log");
  await log.rows(3);
  assert.equal(await log.search.inputValue(), "OCE011");
  const copied = new URL(page.url()).search;
  const other = await logOf(uuid, { on: "phone", colorScheme: "dark" }, copied);
  await other.rows(3);
  await other.picture("log-phone-filtered");
  await other.done();
  await log.find(phone);
  await page.getByText("No call matches").waitFor();
  assert.ok(!page.url().includes(phone.slice(-4)));
  await page.goto(`/brands/${uuid}/sandbox/log?q=${encodeURIComponent(phone)}`);
  await log.rows(24);
  await log.choice("Time").selectOption("own");
  await page.getByLabel("To", { exact: true }).fill("2000-01-01T00:00");
  await page.getByText("No call matches").waitFor();
  await log.at("log");
  await log.done();
});

test("new calls appear only while the view is live", async () => {
  const { uuid, api } = await it.brand();
  const log = await logOf(uuid);
  await log.page.getByText("No calls yet").waitFor();
  const call = () => api.createOneClick({ body: { phone: "+12125550010" } });
  await call();
  await log.rows(1);
  const live = log.button(/^Live: o/);
  await log.page.clock.install();
  await live.press("Enter");
  assert.equal(await live.textContent(), "Live: off");
  await call();
  await logged(it, uuid, 2);
  const asked: string[] = [];
  log.page.on("request", (request) => asked.push(request.url()));
  await log.page.clock.runFor(60_000);
  assert.deepEqual(asked, []);
  await live.click();
  await log.page.clock.runFor(3_000);
  await log.rows(2);
  await log.done();
});

test("a call is copied as a command without its key, and an error code links to its explanation", async () => {
  const { uuid, phone } = await busyBrand(it);
  const log = await logOf(uuid, {}, "?q=OCE011");
  const { page } = log;
  await log.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // The code in a row is part of the row, which opens the call.
  await page
    .getByRole("cell", { name: /OCE011/ })
    .first()
    .click({ force: true });
  const link = page.getByRole("link", { name: /^OCE011/ }).first();
  assert.match((await link.getAttribute("href")) ?? "", /\/docs\/reference\/errors#oce011/);
  await page.getByText("The phone alone does not identify one person.").waitFor();
  await log.button("Copy Copy as curl").click();
  await log.button("Copied. Copy as curl").waitFor();
  const copied = String(await page.evaluate("navigator.clipboard.readText()"));
  assert.match(copied, /^curl -X POST 'http.+\/v2\/1-click'/);
  assert.match(copied, /"Authorization: \$COUNTERSIGN_KEY"/);
  assert.ok(!copied.includes(phone.slice(-4)) && !copied.includes("0020"));
  await log.done();
});

test("on a phone, no word of a line is broken", async () => {
  const { uuid } = await busyBrand(it);
  const log = await logOf(uuid, { on: "phone" });
  await log.rows(24);
  await log.picture("log-phone");
  const broken = await log.page.evaluate(`[...document.querySelectorAll("tbody td")].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      for (const { 0: word, index } of node.data.matchAll(/[\\w:]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (range.getClientRects().length > 1) found.push(word);
      }
    return found;
  })`);
  assert.deepEqual(broken, []);
  await log.done();
});

test("the log counts its calls and names their day once, and open details collapse the filters", async () => {
  const { uuid } = await busyBrand(it);
  const log = await logOf(uuid);
  const { page } = log;
  await log.rows(24);
  await page.getByText("24 calls", { exact: true }).waitFor();
  const days = await page.locator("tbody .group-row").allTextContents();
  assert.ok(days.length > 0 && days.length <= 2, days.join());
  assert.match(days[0] ?? "", /^[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}$/);
  await log.choice("Outcome").selectOption("refused");
  await page.getByText("6 calls", { exact: true }).waitFor();
  await log.lines.first().getByRole("button").click();
  await log.choice("Outcome").waitFor({ state: "hidden" });
  await log.button("Filters (1)").press("Enter");
  await log.choice("Outcome").waitFor();
  await log.at("log");
  await log.picture("log-panel-filters");
  await log.done();
});

test("a call's details list the ignored members of its body", async () => {
  const { uuid, apiKey } = await it.brand();
  const headers = { authorization: apiKey, "content-type": "application/json" };
  const payload = { phone: "+12125550010", birthdate: "1989-08-01" };
  await it.inject({ method: "POST", url: "/v2/1-click", headers, payload });
  await logged(it, uuid, 1);
  const log = await logOf(uuid);
  await log.button(/^POST/).click();
  const panel = log.page.getByRole("region", { name: "Call details" });
  await panel.getByText("Unknown member birthdate ignored; nearest known member: birthDate").waitFor();
  await log.at("log");
  await log.done();
});
