/** Runs the page of the SDK's guide in a browser. `browser-guides-pictures.test.ts` takes the pictures of the documents. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { browserSandbox, buttonNamed } from "../harness/browser.ts";
import { guideSite } from "../harness/guide-site.ts";

const it = await browserSandbox();
const { url: site, said, printed } = await guideSite(it, { externalName: "Pied Piper" });

test("the page and the server of the SDK's guide get a person's data", async () => {
  said.out = "";
  const person = await it.person({
    on: "desktop",
    reducedMotion: "reduce",
    viewport: { width: 960, height: 1180 },
    deviceScaleFactor: 1.25,
    alsoAsks: [new URL(site).host, new URL(it.deps.addresses.apiUrl).host],
  });
  const { page } = person;
  await page.goto(site);
  const frame = page.frameLocator("#signup iframe");
  await frame.getByRole("textbox", { name: "Phone number" }).fill("2125550010");
  await frame.getByRole("textbox", { name: "Verification code" }).fill("111111");
  await frame.getByRole("button", buttonNamed("Share")).waitFor();
  const told = page.waitForResponse(/\/signup$/);
  await frame.getByRole("button", buttonNamed("Share")).click();
  assert.equal((await told).status(), 200);
  await printed("out", /^[0-9a-f-]{36} [\s\S]*Hendricks/);
  assert.equal(await page.locator("iframe").count(), 0);
  await person.done();
});

test("the guide to testing names the controls that lead to the review, and the one that leaves", async () => {
  const text = readFileSync(resolve(import.meta.dirname, "../../../../../docs/guides/testing.md"), "utf8");
  const [, row = ""] = /^\| phone, code \| (.*) \|$/m.exec(text) ?? [];
  const [phone, code, button] = [...row.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  assert.match(row, /text boxes .* continues by itself .* ends the signup/);
  const person = await it.person({ alsoAsks: [new URL(site).host, new URL(it.deps.addresses.apiUrl).host] });
  const { page } = person;
  const frame = page.frameLocator("#signup iframe");
  await page.goto(site);
  await frame.getByRole("textbox", { name: phone }).fill("2125550010");
  await frame.getByRole("textbox", { name: code }).fill("111111");
  await frame.locator("main[data-step=review]").waitFor();
  await page.goto(site);
  await frame.getByRole("button", { name: button }).click();
  await page.getByText("Your own signup form").waitFor();
  await person.done();
});
