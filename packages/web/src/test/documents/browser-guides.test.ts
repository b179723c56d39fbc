/** Runs the page of the SDK's guide in a browser. `browser-guides-pictures.test.ts` takes the pictures of the documents. */
import assert from "node:assert/strict";
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
