/** A brand's reporting pages and the sandbox's own pages, used as people use them. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { testStart } from "../../../../service/src/test/harness/sandbox.ts";
import { busyBrand } from "../harness/busy-brand.ts";
import { browserDashboard, type DashboardBrowser } from "../harness/dashboard.ts";

const it = await browserDashboard();
type At = Parameters<DashboardBrowser["member"]>[0];

test("figures have charts and tables, in light and dark mode, on a desktop and a tablet", async () => {
  const { uuid } = await busyBrand(it);
  const all: [string, At][] = [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["tablet", { on: "tablet", colorScheme: "dark" }],
  ];
  for (const [name, at] of all) {
    const person = await it.member({ ...at, role: "viewer" });
    const { page } = person;
    await page.goto(`/brands/${uuid}/sandbox/figures`);
    await person.at("figures");
    await page.getByRole("img", { name: /^Errors by code: 6/ }).waitFor();
    await person.picture(`figures-busy-${name}`);
    await page.getByText("Verification as a table").focus();
    await page.keyboard.press("Enter");
    const table = page.getByRole("figure", { name: "Verification" }).getByRole("table");
    await table.getByRole("columnheader", { name: "Verified" }).waitFor();
    assert.equal(await table.getByRole("row").count(), 4);
    await person.choice("Range").selectOption("month");
    await person.at("figures");
    const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    assert.ok(Number(overflow) <= 0, `${overflow} px too wide (${name})`);
    await page.goto(`/brands/${uuid}/sandbox/usage`);
    await person.at("usage");
    await person.picture(`usage-busy-${name}`);
    await page.goto(`/brands/${uuid}/sandbox/log`);
    await person.at("log");
    await person.picture(`log-busy-${name}`);
    await person.done();
  }
});

test("shows alarms about unanswered texts above the figures", async () => {
  const { uuid } = await it.brand();
  const now = it.deps.clock.now();
  const row = { environment: "sandbox" as const, brand_uuid: uuid, window_start: now, raised_at: now - 60_000 };
  await it.store.db
    .insertInto("conversion_alarm")
    .values([
      { ...row, kind: "brand", key: Buffer.from(uuid), sent: 120, verified: 3 },
      { ...row, kind: "block", key: Buffer.alloc(32), sent: 24, verified: 1 },
    ])
    .execute();
  const person = await it.member({ role: "viewer" });
  await person.page.goto(`/brands/${uuid}/sandbox/figures`);
  await person.page.getByText("3 of this brand's 120 texts were answered").waitFor();
  await person.page.getByText("1 of 24 texts to one block of numbers were answered").waitFor();
  await person.at("figures");
  await person.picture("figures-alarms");
  await person.done();
});

test("downloads the monthly usage as a CSV file", async () => {
  const { uuid } = await it.brand();
  const person = await it.member({ role: "viewer" });
  await person.page.goto(`/brands/${uuid}/sandbox/usage`);
  await person.at("usage");
  const waiting = person.page.waitForEvent("download");
  await person.button("Download CSV of the months").click();
  assert.equal((await waiting).suggestedFilename(), "usage-sandbox.csv");
  await person.done();
});

test("shows a text with its link, copies its code, and does not render HTML in a brand name", async () => {
  const { uuid, api } = await it.brand({ externalName: "<img src=x onerror=alert(1)>" });
  const phone = freshPhone();
  const { uuid: proof } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid: proof }, body: { format: "codeAndLink" } });
  await it.runJobs();
  const person = await it.member({ role: "developer" });
  const { page } = person;
  await page.goto("/sandbox/outbox");
  await person.at("outbox");
  await person.picture("outbox-busy");
  const line = page.getByRole("listitem").filter({ hasText: phone });
  assert.equal(await page.locator("main img").count(), 0);
  const address = await line.getByRole("link").getAttribute("href");
  assert.match(address ?? "", /^http:\/\/localhost/);
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copy = line.getByRole("button", { name: /^Copy code \d{6}$/ });
  const code = (await copy.textContent())?.slice(-6);
  await copy.click();
  await line.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), code);
  assert.ok(uuid);
  await person.done();
});

test("moves the clock forward and back to real time", async () => {
  const person = await it.member({ role: "developer" });
  const { page } = person;
  await page.goto("/sandbox/clock");
  await person.at("clock");
  const before = it.deps.clock.now();
  await person.box("How many").fill("0");
  await page.keyboard.press("Enter");
  await page.locator(".problem").waitFor();
  await person.at("clock");
  await person.box("How many").fill("2");
  await person.choice("Unit").selectOption({ label: "Days" });
  await person.button("Move forward").click();
  await page.getByText(/^Moved\./).waitFor();
  assert.equal(it.deps.clock.now(), before + 2 * 24 * 60 * 60_000);
  await person.at("clock");
  await person.picture("clock-moved");
  const demo = demoBrands[0]?.uuid;
  const ahead = /^The sandbox is 2 d( \d+ h)? ahead of real time\.$/;
  for (const [path, step] of [
    ["log", "log"],
    ["settings/general", "settings"],
  ] as const) {
    await page.goto(`/brands/${demo}/sandbox/${path}`);
    await page.getByText(ahead).waitFor();
    await person.at(step);
  }
  await person.picture("clock-note");
  const colleague = await it.member({ role: "viewer", on: "phone", colorScheme: "dark" });
  await colleague.page.goto(`/brands/${demo}/sandbox/start`);
  await colleague.page.getByText(ahead).waitFor();
  assert.equal(await colleague.button("Back to real time").count(), 0);
  await colleague.at("start");
  await colleague.picture("clock-note-viewer");
  await colleague.done();
  await person.button("Back to real time").click();
  await page.getByText("on real time again").waitFor();
  assert.equal(it.deps.clock.now(), testStart);
  await page.goto("/sandbox/clock");
  await person.button("Move forward").click();
  await page.getByText(/^Moved\./).waitFor();
  await person.button("Back to real time").click();
  await page.getByText("on real time again").waitFor();
  await person.done();
});

test("shows a viewer which role the outbox and the clock need", async () => {
  const person = await it.member({ role: "viewer" });
  for (const [path, step] of [
    ["/sandbox/outbox", "outbox"],
    ["/sandbox/clock", "clock"],
  ] as const) {
    await person.page.goto(path);
    await person.at(step);
    await person.page.getByText("the role Developer").waitFor();
  }
  await person.done();
});
