/** A brand's reporting pages and the sandbox's own pages, used as people use them. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { testStart } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();

test("downloads the monthly usage as a CSV file", async () => {
  const { uuid, api } = await it.brand();
  await api.createOneClick({ body: { phone: "+12125550010" } });
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
  const otherPhone = freshPhone();
  const other = await person.member.call("POST", "/api/brands", { name: "Hooli", integrationType: "api" });
  const otherApi = it.as(String(other.body.apiKey));
  const { uuid: otherProof } = (await otherApi.createVerification({ body: { channel: "sms", phone: otherPhone } }))
    .body;
  await otherApi.deliverVerification({ params: { uuid: otherProof } });
  await it.runJobs();
  await page.goto("/sandbox/outbox");
  await person.at("outbox");
  await person.picture("outbox-busy");
  const line = page.getByRole("listitem").filter({ hasText: phone });
  assert.equal(await page.locator("main img").count(), 0);
  const address = await line.getByRole("link", { name: /^http/ }).getAttribute("href");
  assert.match(address ?? "", /^http:\/\/localhost/);
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copy = line.getByRole("button", { name: /^Copy code \d{6}$/ });
  const code = (await copy.textContent())?.slice(-6);
  await copy.click();
  await line.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), code);
  assert.ok(uuid);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("no such text");
  await page.getByText(/^0 of \d+ messages?$/).waitFor();
  await page.getByRole("heading", { name: "No message found" }).waitFor();
  await search.fill(phone);
  await line.waitFor();
  const sender = page.getByRole("combobox", { name: "Brand", exact: true });
  await search.fill("");
  const another = page.getByRole("listitem").filter({ hasText: otherPhone });
  await another.waitFor();
  await sender.selectOption("Hooli");
  await line.waitFor({ state: "detached" });
  await another.waitFor();
  await sender.selectOption("All brands");
  await line.waitFor();
  assert.match((await page.locator("main .zone-note").textContent()) ?? "", /: UTC\.$/);
  assert.doesNotMatch((await line.locator("time").textContent()) ?? "", /UTC/);
  assert.equal(new URL(page.url()).search, "");
  await person.at("outbox");
  await person.done();
});

test("usage shows three months side by side, explains its items, and leaves out those without usage", async () => {
  const { uuid, api } = await it.brand();
  const person = await it.member({ role: "viewer", on: "phone" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/usage`);
  await page.getByRole("heading", { name: "No usage yet" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Download CSV/ }).count(), 0);
  await person.at("usage");
  await api.createOneClick({ body: { phone: "+12125550010" } });
  await page.reload();
  const table = page.getByRole("table").first();
  await table.getByRole("rowheader", { name: "Shared 1-Clicks 1-Clicks whose data was shared with you." }).waitFor();
  await person.at("usage");
  assert.equal(await table.getByRole("columnheader").count(), 4);
  assert.equal(await table.getByRole("rowheader", { name: "Texts" }).count(), 0);
  assert.equal(await table.getByText("0", { exact: true }).count(), 0);
  assert.equal(await person.button("Show older months").count(), 0);
  const box = await table.boundingBox();
  assert.ok(box !== null && box.x + box.width <= 390, JSON.stringify(box));
  await person.picture("usage-phone");
  await person.done();
});

test("moves the clock forward and back to real time", async () => {
  const person = await it.member({ role: "developer" });
  const { page } = person;
  await page.goto("/sandbox/clock");
  await person.at("clock");
  const before = it.deps.clock.now();
  await page.getByText("Enter a duration or a time").click();
  await person.box("How many").fill("0");
  await page.keyboard.press("Enter");
  await page.locator(".problem").waitFor();
  await person.at("clock");
  await person.box("How many").fill("1");
  await person.choice("Unit").selectOption({ label: "Days" });
  await person.button("Move forward").click();
  await page.getByText(/^Moved\./).waitFor();
  const moved = page.waitForResponse(
    (answer) => answer.request().method() === "POST" && answer.url().endsWith("/clock"),
  );
  await Promise.all([moved, person.button("+1 day").click()]);
  await page.getByText(/^Moved\./).waitFor();
  assert.equal(it.deps.clock.now(), before + 2 * 24 * 60 * 60_000);
  await person.at("clock");
  await person.picture("clock-moved");
  const demo = demoBrands[0]?.uuid;
  const ahead = /^Sandbox is 2 d ahead$/;
  for (const [path, step] of [
    ["log", "log"],
    ["settings/general", "settings"],
  ] as const) {
    await page.goto(`/brands/${demo}/sandbox/${path}`);
    await person.button(ahead).waitFor();
    await person.at(step);
  }
  await person.picture("clock-note");
  const colleague = await it.member({ role: "viewer", on: "phone", colorScheme: "dark" });
  await colleague.page.goto(`/brands/${demo}/sandbox/start`);
  await colleague.button(ahead).click();
  await colleague.page.getByText(/^The sandbox is 2 d( \d+ h)? ahead of real time\.$/).waitFor();
  assert.equal(await colleague.button("Back to real time").count(), 0);
  await colleague.at("start");
  await colleague.picture("clock-note-viewer");
  await colleague.done();
  await person.button(ahead).press("Enter");
  await person.picture("clock-pill-open");
  await person.button("Back to real time").press("Enter");
  await page.getByRole("status").getByText("back on real time").waitFor();
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Real time");
  assert.equal(it.deps.clock.now(), testStart);
  await page.goto("/sandbox/clock");
  await page.getByText("Enter a duration or a time").click();
  await person.button("Move forward").click();
  await page.getByText(/^Moved\./).waitFor();
  await person.button("Back to real time").click();
  await page.getByText("back on real time").waitFor();
  await person.done();
});

test("while the clock moves, its page says so, and every button works and keeps the focus afterwards", async () => {
  const person = await it.member({ role: "developer" });
  const { page } = person;
  let held = Promise.withResolvers<void>();
  await page.route("**/api/sandbox/clock", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await page.goto("/sandbox/clock");
  await person.at("clock");
  await page.getByText("Enter a duration or a time").click();
  const status = page.locator("main [role=status]");
  for (const name of ["+1 hour", "Move forward", "+1 hour"]) {
    held = Promise.withResolvers<void>();
    const before = it.deps.clock.now();
    await person.button(name).press("Enter");
    // Not the result of the move before.
    await status.getByText("Moving the clock").waitFor();
    held.resolve();
    await status.getByText(/^Moved\./).waitFor();
    assert.equal(it.deps.clock.now(), before + 60 * 60_000);
    assert.equal(await page.evaluate("document.activeElement.textContent"), name);
    assert.equal(await page.locator("main .button:is(:disabled, .busy)").count(), 0);
  }
  await person.button("Back to real time").click();
  await status.getByText("back on real time").waitFor();
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
    await person.page
      .locator(".page-head")
      .getByText(/only a developer or an owner can/i)
      .waitFor();
  }
  await person.page.getByText("Sandbox time").waitFor();
  assert.equal(await person.button("Move forward").count(), 0);
  await person.done();
});
