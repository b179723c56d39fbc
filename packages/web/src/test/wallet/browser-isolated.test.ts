/** Pages of brands that are cross-origin isolated, and brands that open our pages in a popup. */
import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox } from "../harness/browser.ts";
import { brandSite, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const piper = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });

/** Policies of pages that use SharedArrayBuffer, or that follow a scanner's advice. */
const isolation: Record<string, string>[] = [
  { "cross-origin-embedder-policy": "require-corp", "cross-origin-opener-policy": "same-origin" },
  { "cross-origin-embedder-policy": "credentialless", "cross-origin-opener-policy": "same-origin" },
  { "cross-origin-embedder-policy": "require-corp", "cross-origin-opener-policy": "same-origin-allow-popups" },
  { "document-isolation-policy": "isolate-and-require-corp" },
];
for (const headers of isolation)
  test(`the frame works on a page with ${Object.values(headers).join(" and ")}`, async () => {
    const site = await brandSite(it, { headers });
    const person = await visitor(it, site);
    await person.begin((await piper.api.createSession({})).body.sessionKey);
    await person.at("phone");
    await person.phone("2125550010");
    await person.at("verificationCode");
    await person.code();
    await person.at("review");
    await person.button("Share").click();
    assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
    if (headers["cross-origin-opener-policy"] === "same-origin")
      assert.equal(await person.page.evaluate("crossOriginIsolated"), true);
    await person.done();
  });

test("a page that is isolated can show our public pictures and load the script with CORS", async () => {
  const pictures = ["/mark.svg", "/favicon.ico"].map((path) => `<img src="${it.walletUrl}${path}">`).join("");
  const withCors = `<img crossorigin src="${it.walletUrl}/mark.svg"><script crossorigin src="${it.walletUrl}/sdk.js"></script>`;
  const site = await brandSite(it, { headers: isolation[0] ?? {}, body: `${pictures}${withCors}` });
  const person = await visitor(it, site);
  await person.page.waitForLoadState("load");
  assert.deepEqual(await person.page.evaluate("[...document.images].map(({ naturalWidth }) => naturalWidth > 0)"), [
    true,
    true,
    true,
  ]);
  await person.done();
});

test("a brand's popup with our page can still reach its opener when it is back at the brand", async () => {
  const site = await brandSite(it);
  const { url } = await begin(it, "+12125550010");
  const person = await it.person({ alsoAsks: [new URL(site).host] });
  await person.page.goto(site);
  const [popup] = await Promise.all([
    person.page.waitForEvent("popup"),
    person.page.evaluate(`void (self.popup = open(${JSON.stringify(url)}))`),
  ]);
  await popup.locator("main[data-step=verificationCode]").waitFor();
  assert.equal(await person.page.evaluate("self.popup.closed"), false);
  // As the page's own redirect does. A navigation by the test would cut the opener.
  await popup.evaluate(`void (location.href = ${JSON.stringify(site)})`);
  await popup.waitForURL(site);
  assert.equal(await popup.evaluate("self.opener !== null"), true);
  await person.done();
});
