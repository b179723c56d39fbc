/**
 * The frame where a brand's page can run besides a browser: in the web views of apps, and in desktop apps. Chromium plays
 * them: with their user agents, without the features that they lack, and under the origins of their pages.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { browserSandbox } from "../harness/browser.ts";
import { brandSite, type Visitor, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const anySite = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });

/** Takes away what web views lack: codes from texts, passkeys, windows, and storage in frames of other sites. */
const lacking = `
  delete window.OTPCredential;
  Object.defineProperty(navigator, "credentials", { value: undefined });
  window.open = () => null;
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
`;
const webViews: [string, string, string][] = [
  [
    "an iPhone's web view",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "",
  ],
  [
    "Android's web view",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/BP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/139.0.0.0 Mobile Safari/537.36",
    "",
  ],
  [
    "React Native's web view",
    "Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/139.0.0.0 Mobile Safari/537.36",
    "window.ReactNativeWebView = { postMessage() {} };",
  ],
  [
    "Electron",
    "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) shop/1.0.0 Chrome/140.0.0.0 Electron/38.1.0 Safari/537.36",
    "window.process = { type: 'renderer' };",
  ],
];

/** The whole way, from the phone to the shared data. */
async function share(person: Visitor, brand = anySite): Promise<void> {
  await person.begin((await brand.api.createSession({})).body.sessionKey);
  await person.at("phone");
  await person.phone("2125550010");
  await person.at("verificationCode");
  await person.code();
  await person.at("review");
  await person.button("Share").click();
  assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
  await person.done();
}

for (const [name, userAgent, more] of webViews)
  test(`the frame works in ${name}`, async () => {
    const person = await visitor(it, site, { userAgent });
    await person.context.addInitScript(lacking + more);
    await person.page.reload();
    await share(person);
  });

test("the frame works in a Capacitor or Ionic app on Android, whose pages are at https://localhost", async () => {
  const brand = await it.brand({
    integrationType: "sdk",
    allowedOrigins: ["https://localhost", "capacitor://localhost"],
  });
  const person = await visitor(it, site, { alsoAsks: ["localhost"] });
  const body = await (await fetch(site)).text();
  // The answer of a route has no address, so Chromium takes the page for one of the internet.
  await person.context.grantPermissions(["local-network-access"], { origin: "https://localhost" });
  await person.context.route("https://localhost/", (route) => route.fulfill({ contentType: "text/html", body }));
  await person.page.goto("https://localhost/");
  await share(person, brand);
});

test("the frame works in a desktop app whose page is a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sdk-file-"));
  after(() => rm(folder, { recursive: true }));
  const file = join(folder, "index.html");
  await writeFile(file, await (await fetch(site)).text());
  const person = await visitor(it, site);
  await person.page.goto(pathToFileURL(file).href);
  await share(person);
});

test("the frame of a brand that names an app's origin names it to the web view", async () => {
  const allowedOrigins = ["capacitor://localhost", "ionic://localhost", "app://shop"];
  const brand = await it.brand({ integrationType: "sdk", allowedOrigins });
  const { sessionKey } = (await brand.api.createSession({})).body;
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(sessionKey)));
  const { headers } = await it.wallet.inject({ url: `/sdk?s=${hash.toString("base64url")}` });
  assert.match(
    String(headers["content-security-policy"]),
    /frame-ancestors capacitor:\/\/localhost ionic:\/\/localhost app:\/\/shop;/,
  );
});
