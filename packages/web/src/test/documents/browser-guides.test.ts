/**
 * Runs the page of the SDK's guide in a browser, and takes the pictures of the documents on the way.
 * `PICTURES=1 npm test -- browser-guides` writes them to `docs/public/pictures`.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after } from "node:test";
import type { Page } from "playwright-core";
import { forkedServer, listenAnywhere } from "../../../../service/src/test/harness/forked-server.ts";
import { begin, browserSandbox, buttonNamed, sharedBrowser } from "../harness/browser.ts";
import { busyBrand } from "../harness/busy-brand.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const folder = join(root, "docs/public/pictures");
const isPictured = process.env.PICTURES !== undefined;
const bytesMax = 600 * 1024;
const schemes = ["light", "dark"] as const;
const pictures = ["wallet", "sdk", "dashboard", "stage"].flatMap((name) =>
  schemes.map((scheme) => `${name}-${scheme}.webp`),
);

const it = await browserSandbox();
const brandSettings = { externalName: "Pied Piper", styling: { primaryColor: "#0B6E4F" } };

/** Saves what a page shows as WebP. The browser converts it. */
async function take(page: Page, name: string): Promise<void> {
  const png = (await page.screenshot()).toString("base64");
  assert.ok(pictures.includes(`${name}.webp`), name);
  if (!isPictured) return;
  const blank = await (await sharedBrowser()).newPage();
  const webp: string = await blank.evaluate(`(async () => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64,${png}")).blob());
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1];
  })()`);
  await blank.close();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(webp, "base64"));
}

for (const colorScheme of schemes)
  test(`a person reviews their details on a phone, ${colorScheme}`, async () => {
    const { apiKey } = await it.brand({
      ...brandSettings,
      integrationType: "hosted",
      redirectUrl: `${it.walletUrl}/demo/landing`,
    });
    const person = await it.person({ colorScheme, reducedMotion: "reduce", deviceScaleFactor: 2 });
    const begun = await begin(it, "+12125550010", { apiKey });
    await person.page.goto(begun.url);
    await person.at("verificationCode");
    await person.enter(begun.code);
    await person.at("review");
    await take(person.page, `wallet-${colorScheme}`);
    await person.done();
  });

for (const colorScheme of schemes)
  test(`the stage shows a signup up to the person's decision, ${colorScheme}`, async () => {
    const { page, done } = await it.person({ on: "desktop", colorScheme, reducedMotion: "reduce" });
    await page.goto(`${it.walletUrl}/demo?scenario=share`);
    const next = page.locator(".next");
    const ready = page.locator(".controls button:not([aria-disabled])", { hasText: "Step" });
    for (let count = 0; count < 20; count += 1) {
      await ready.waitFor();
      if (/share/i.test((await next.textContent()) ?? "")) break;
      await page.getByRole("button", { name: "Step", exact: true }).click();
    }
    await page
      .frameLocator(".frame iframe")
      .getByRole("button", { name: /^(?:Share|Keep reading)/ })
      .waitFor();
    await take(page, `stage-${colorScheme}`);
    await done();
  });

/** The block of the SDK's guide, in the page of a brand. */
function brandPage(): string {
  const guide = readFileSync(join(root, "docs/guides/signup-sdk.md"), "utf8");
  const block = /```html page-signup\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail("the guide has no page");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pied Piper</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; background: light-dark(#f4f6f5, #111513) }
header { padding: 1rem 2rem; font-weight: 700; background: light-dark(#fff, #1a201d) }
main { width: 440px; margin: 1.5rem auto }
#signup { overflow: hidden; border: 1px solid light-dark(#dfe3e1, #333a36); border-radius: 1rem }
</style></head><body><header>Pied Piper</header><main><h1>Open your account</h1>
${block.replaceAll("http://localhost:4001", it.walletUrl)}</main></body></html>`;
}

/** Runs the server of the SDK's guide with its page. */
async function brandSite() {
  const { apiKey } = await it.brand({ ...brandSettings, integrationType: "sdk" });
  const guide = readFileSync(join(root, "docs/guides/signup-sdk.md"), "utf8");
  const server = /```js page-server\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail("the guide has no server");
  const own = mkdtempSync(join(tmpdir(), "countersign-guide-"));
  writeFileSync(join(own, "signup.html"), brandPage());
  const changed = server
    .replace("http://localhost:4000", it.deps.addresses.apiUrl)
    .replace("sk_sandbox_demo_sdk", apiKey)
    .replace("listen(4300)", listenAnywhere);
  const path = join(own, "server.mjs");
  assert.ok(changed.includes(listenAnywhere));
  writeFileSync(path, changed);
  const started = await forkedServer(path, { cwd: own });
  after(() => rmSync(own, { recursive: true, force: true }));
  return started;
}
const { url: site, said, printed } = await brandSite();

for (const colorScheme of schemes)
  test(`the page and the server of the SDK's guide get a person's data, ${colorScheme}`, async () => {
    said.out = "";
    const person = await it.person({
      on: "desktop",
      colorScheme,
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
    await take(page, `sdk-${colorScheme}`);
    const told = page.waitForResponse(/\/signup$/);
    await frame.getByRole("button", buttonNamed("Share")).click();
    assert.equal((await told).status(), 200);
    await printed("out", /^[0-9a-f-]{36} [\s\S]*Hendricks/);
    assert.equal(await page.locator("iframe").count(), 0);
    await person.done();
  });

test("the dashboard shows a brand's calls, light and dark", async () => {
  const dashboard = await browserDashboard();
  const { uuid } = await busyBrand(dashboard);
  for (const colorScheme of schemes) {
    const person = await dashboard.member({ colorScheme });
    await person.page.goto(`/brands/${uuid}/sandbox/analytics`);
    await person.at("analytics");
    await person.page.getByRole("img", { name: "Errors by code: OCE011 3, OCE013 3" }).waitFor();
    await take(person.page, `dashboard-${colorScheme}`);
    await person.done();
  }
});

test("the documents have every picture, and together they are small", () => {
  const sizes = pictures.map((name) => statSync(join(folder, name)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= bytesMax, `${total} bytes`);
});
