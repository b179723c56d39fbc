/** A brand's page on another site that embeds the SDK, and a person who uses it. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { errorMessages, type SdkError, type SdkErrorReason } from "../../../../sdk/src/messages.ts";
import { assertAccessible, type BrowserSandbox, buttonNamed, picture, type Viewport } from "./browser.ts";

type Told = { who: "onResult" | "onError" | "onEvent"; what: Record<string, unknown> };

/** All code that a brand writes. The page stores the SDK's callbacks in `told`. */
const hostPage = (walletUrl: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Brand</title>
<style>:root{color-scheme:light dark}</style></head>
<body><h1>Sign up</h1><button id="begin">Begin</button><div id="place"></div><button id="behind">Behind</button>
<script src="${walletUrl}/sdk.js"></script>
<script>
window.told = [];
window.make = (sessionKey, walletUrl = ${JSON.stringify(walletUrl)}, locale) => {
  const tell = (who) => (what) => window.told.push({ who, what });
  return new Countersign({ sessionKey, walletUrl, locale, onResult: tell("onResult"), onError: tell("onError"), onEvent: tell("onEvent") });
};
window.begin = (sessionKey, walletUrl, locale) => {
  window.sdk = window.make(sessionKey, walletUrl, locale);
  window.sdk.show(document.getElementById("place"));
};
</script></body></html>`;

/** Serves the brand's page on 127.0.0.1, a different site than localhost. `body`: more of the page. */
export async function brandSite(
  it: BrowserSandbox,
  { headers = {}, body = "" }: { headers?: Record<string, string>; body?: string } = {},
): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(`${hostPage(it.walletUrl)}${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}/`;
}

/** Opens the brand's page as a person. `begin` starts a session; controls in the frame are found as in the wallet. */
export async function visitor(
  it: BrowserSandbox,
  site: string,
  { alsoAsks = [], ...options }: BrowserContextOptions & { on?: Viewport; alsoAsks?: string[] } = {},
) {
  const person = await it.person({
    ...options,
    alsoAsks: [new URL(site).host, new URL(it.deps.addresses.apiUrl).host, ...alsoAsks],
  });
  const { page } = person;
  await page.goto(site);
  return { ...person, ...framed(page) };
}
export type Visitor = Awaited<ReturnType<typeof visitor>>;

function framed(page: Page) {
  const inside = page.frameLocator("#place iframe");
  const box = (name: string) => inside.getByRole("textbox", { name, exact: true });
  const button = (name: string) => inside.getByRole("button", buttonNamed(name));
  const told = (): Promise<Told[]> => page.evaluate("window.told");
  const first = async (who: Told["who"]): Promise<Record<string, unknown>> => {
    await page.waitForFunction(`window.told.some((one) => one.who === "${who}")`);
    return (await told()).find((one) => one.who === who)?.what ?? {};
  };
  /** Waits for a step in the frame and returns its heading. */
  const at = async (step: string): Promise<string> => {
    await inside.locator(`main[data-step="${step}"]`).waitFor();
    await assertAccessible(frameOf(page));
    assert.equal(await inside.locator("h1").count(), 1);
    return (await inside.locator("h1").textContent()) ?? "";
  };
  return {
    inside,
    box,
    button,
    told,
    begin: (sessionKey: string, walletUrl?: string) =>
      page.evaluate(`window.begin(${JSON.stringify(sessionKey)}, ${JSON.stringify(walletUrl)})`),
    /** Waits for the first result and returns it. To check that there was only one, read `told`. */
    result: () => first("onResult"),
    error: () => first("onError"),
    at,
    /** Consents on the first screen of a person whose phone the brand knows. */
    async consent(): Promise<void> {
      await at("consent");
      await button("Continue").click();
    },
    picture: (name: string) => picture(page, `frame-${name}`),
    /** Types a phone. Its tenth digit sends it. */
    phone: (phone: string) => box("Phone number").fill(phone),
    code: (code = "111111") => box("Verification code").fill(code),
  };
}

/** What `onError` gets for a reason. The message ends with the service's error code if there is one. */
export function errorOf(reason: SdkErrorReason, requestId: string | null = null): SdkError {
  return { reason, message: errorMessages[reason], requestId };
}

export function frameOf(page: Page): Frame {
  const found = page.frames().find((one) => one.url().includes("/sdk?"));
  assert.ok(found, "the page has no frame");
  return found;
}
