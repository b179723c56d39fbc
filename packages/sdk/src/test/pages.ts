/** A brand's page and a scripted stub wallet. They are two sites, so the frame is cross-origin. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Browser, Frame, LaunchOptions, Page } from "playwright-core";
import { launchBrowser, sharedBrowser } from "../../../web/src/test/harness/browser.ts";
import { buildScript } from "../../build.ts";

export const sessionKey = "9a1f6f0e-3d1c-4a7e-8a55-6c0d6e5b7f21";
const waitMs = 30_000;

/**
 * The script of the test page. `make(more)` creates a `Countersign` whose callbacks write to `said` and mark the page.
 */
const hostScript = (walletUrl: string) => `
  self.said = [];
  said.push = (one) => document.documentElement.setAttribute("data-said-" + Array.prototype.push.call(said, one), "");
  self.heard = [];
  addEventListener("message", (event) => heard.push(event.data));
  self.KEY = "${sessionKey}";
  self.make = (more = {}) => new Countersign({
    sessionKey: KEY, walletUrl: "${walletUrl}",
    onResult: (result) => said.push(["result", result]),
    onError: (error) => said.push(["error", error.reason]),
    onEvent: (event) => said.push(["event", event.type]),
    ...more,
  });
  self.violations = [];
  addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));
`;

/** The script of every stub wallet document. It defines \`say(message)\` once the key has arrived. */
const walletScript = `
  self.keys = []; self.heard = [];
  self.hello = (extra) => parent.postMessage({ source: "countersign", type: "hello", ...extra }, "*");
  self.opened = new Promise((resolve) => addEventListener("message", (event) => {
    keys.push([event.data.sessionKey, event.origin, event.ports.length]);
    self.locale = event.data.locale;
    const [port] = event.ports;
    port.onmessage = ({ data }) => heard.push(data);
    self.say = (...messages) => messages.forEach((message) => port.postMessage(message));
    resolve();
  }));
  self.result = (type) => ({ type: "result", result: { type, step: "done", identityUuid: "b9cee304-691a-44f6-8b4a-29c7773f71ab",
    healthDataUuid: null, verificationUuid: null, redirectUrl: null } });
  self.event = { type: "event", event: { type: "SDK_READY" } };
  self.ready = { type: "ready", height: 500 };
`;

/** The script of an ordinary frame: it sends hello, and then ready. */
export const ordinary = "hello(); opened.then(() => say(ready, event));";

export type Answer = { type?: string; body: string; headers?: Record<string, string> };

async function listen(answer: (path: string, response: ServerResponse) => Answer | undefined): Promise<number> {
  const server = createServer((request, response) => {
    const { type = "text/html", body, headers = {} } = answer(request.url ?? "/", response) ?? { body: "" };
    if (response.writableEnded || response.headersSent || body === "") return;
    response.writeHead(200, { "content-type": `${type}; charset=utf-8`, ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, done));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function ownBrowser(launch: LaunchOptions): Promise<Browser> {
  const browser = await launchBrowser("browser", launch);
  after(() => browser.close());
  return browser;
}

/** Starts both sites, and a whole browser of its own if `launch` options are given. */
export async function pages(launch?: LaunchOptions) {
  const folder = await mkdtemp(join(tmpdir(), "sdk-script-"));
  after(() => rm(folder, { recursive: true }));
  await buildScript(folder);
  const sdkScript = await readFile(join(folder, "sdk.js"), "utf8");
  /** Routes that a test adds, by path. The wallet's `/sdk` runs the script in `frame.script`. */
  const host = new Map<string, (response: ServerResponse) => Answer | undefined>();
  const wallet = new Map<string, (response: ServerResponse) => Answer | undefined>();
  const frame = { script: ordinary };
  const pathOf = (url: string) => url.replace(/\?.*/, "");
  const walletPage = (script: string) => ({ body: `<title>wallet</title><script>${walletScript}${script}</script>` });
  const walletPort = await listen((url, response) => {
    const own = wallet.get(pathOf(url));
    return own === undefined ? walletPage(frame.script) : own(response);
  });
  const walletUrl = `http://localhost:${walletPort}`;
  const hostPort = await listen((url, response) => {
    const own = host.get(pathOf(url));
    if (own !== undefined) return own(response);
    if (url === "/sdk.js") return { type: "text/javascript", body: sdkScript };
    if (url === "/host.js") return { type: "text/javascript", body: hostScript(walletUrl) };
    return { body: hostPage("") };
  });
  const browser = launch === undefined ? await sharedBrowser() : await ownBrowser(launch);
  const opened: Page[] = [];
  after(() => Promise.all(opened.map((page) => page.close())));
  return {
    host,
    wallet,
    walletPage,
    frame,
    walletUrl,
    hostUrl: `http://127.0.0.1:${hostPort}`,
    /** Opens the brand's page in a new browser page. */
    async open(path = "/", script = ordinary): Promise<Page> {
      frame.script = script;
      const page = await browser.newPage();
      opened.push(page);
      page.setDefaultTimeout(waitMs);
      await page.goto(`http://127.0.0.1:${hostPort}${path}`);
      return page;
    },
  };
}

export function hostPage(script: string, body = "<main id='place'></main><button>before</button>"): string {
  return `<!doctype html><title>brand</title>${body}<script src="/sdk.js"></script><script src="/host.js"></script>${script}`;
}

/** The SDK's frame, once it exists. */
export async function frameOf(page: Page, index = 0): Promise<Frame> {
  const element = await page.locator("iframe[title=Countersign]").nth(index).elementHandle();
  const frame = await element?.contentFrame();
  if (frame === null || frame === undefined) throw new Error("the frame has no document");
  await frame.waitForFunction("self.opened !== undefined");
  return frame;
}

/** The arguments of the page's callbacks, once there are `count`. Also works on a page whose policy forbids `eval`. */
export async function said(page: Page, count: number): Promise<unknown[]> {
  await page.locator(`html[data-said-${count}]`).waitFor({ state: "attached" });
  return page.evaluate("said");
}
