/** The audit log in the browser: filters in the URL, the CSV file, and a layout that phones can show. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const { uuid } = (await it.as(demoKey).createSandboxBrand({ body: { name: "Bachmanity Incorporated" } })).body;
// A URL that is longer than a line has to be broken, so this one is short.
const patch = { externalName: "Bachmanity", redirectUrl: "https://bachmanity.example/in" };
await it.as(demoKey).patchSandboxBrand({ params: { uuid }, body: patch });
await it.inject({ method: "POST", url: "/sandbox/clock", payload: { advanceMs: 60_000 } });

test("a filter is kept in the URL, a reload applies it, and the file has the filtered lines", async () => {
  const person = await it.member();
  const { page } = person;
  await page.goto("/audit");
  await person.at("audit");
  const rows = page.locator("tbody tr");
  await page.locator("strong").getByText("Moved the sandbox’s clock").waitFor();
  assert.match((await rows.first().locator("time").textContent()) ?? "", /^\w+\s\d+,\s2026, \d+:\d\d:\d\d\s[AP]M$/);
  assert.equal(await page.getByText("Times are in your time zone: UTC.").count(), 1);
  await person.choice("Who").selectOption({ label: "Any API key" });
  await person.choice("What").selectOption({ label: "Changed settings" });
  await page.locator("strong").getByText("Moved the sandbox’s clock").waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).search, "?actor=apiKey&action=settings.changed");
  await page.reload();
  await person.at("audit");
  assert.equal(await rows.count(), 1);
  assert.match((await rows.first().textContent()) ?? "", /API key .*sandbox control: PATCH .*Changed settings/);
  assert.equal(await person.choice("Who").inputValue(), "apiKey");
  // A setting has the name and the value that its page shows. The file has the names of the API.
  const changed = await page.locator(".changes").innerText();
  assert.match(changed, /General · External name: .+ → Bachmanity$/m);
  assert.match(changed, /Redirects and origins · Redirect URL: None → https:/i);
  assert.doesNotMatch(changed, /externalName|redirectUrl|"/);
  const downloading = page.waitForEvent("download");
  await person.button("Download CSV").click();
  const csv = await readFile(await (await downloading).path(), "utf8");
  assert.equal(csv.trim().split("\r\n").length, 2);
  assert.match(csv, /redirectUrl.+externalName/);
  await person.choice("Time").selectOption("own");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
  await page.getByText("No entries").waitFor();
  await person.button("Clear").click();
  await page.locator("strong").getByText("Moved the sandbox’s clock").waitFor();
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await person.button("Clear").count(), 0);
  await person.done();
});

test("at 390 pixels the page does not scroll sideways, and no word of the log is broken", async () => {
  const person = await it.member({ on: "phone" });
  await person.page.goto("/audit");
  await person.at("audit");
  await person.picture("audit-phone");
  const broken = await person.page.evaluate(() => {
    const words: string[] = [];
    for (const cell of document.querySelectorAll("tbody td")) {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        for (const found of (node.textContent ?? "").matchAll(/[\p{L}.]{2,24}/gu)) {
          const range = document.createRange();
          range.setStart(node, found.index);
          range.setEnd(node, found.index + found[0].length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) words.push(found[0]);
        }
    }
    return { words, wider: document.documentElement.scrollWidth - document.documentElement.clientWidth };
  });
  assert.deepEqual(broken, { words: [], wider: 0 });
  await person.done();
});

test("on a tablet a long URL is wrapped, so that no entry is cut", async () => {
  const person = await it.member({ on: "tablet" });
  const url = `http://localhost:2/${"a/rather/long/address/".repeat(4)}`;
  const webhook = { url, authentication: { type: "none" } };
  const made = await person.member.call("POST", `/api/brands/${uuid}/sandbox/webhooks`, webhook);
  assert.equal(made.status, 201);
  await person.page.goto("/audit");
  await person.at("audit");
  await person.page.getByText("Added a webhook").and(person.page.locator("strong")).waitFor();
  const hidden = await person.page.locator(".audit").evaluate((box) => box.scrollWidth - box.clientWidth);
  assert.equal(hidden, 0);
  await person.picture("audit-tablet");
  await person.done();
});
