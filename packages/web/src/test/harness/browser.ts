/** Opens the real service in a real Chromium and records errors in the browser. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { atProcessEnd } from "../../../../service/src/test/harness/process-end.ts";
import { type Sandbox, sandbox } from "../../../../service/src/test/harness/sandbox.ts";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Block third-party storage, as most browsers do. The frame must work without storage.
  "--test-third-party-cookie-phaseout",
  // Chromium would prepare its address bar's popup for each person. Replaces the list of playwright-core 1.65.
  `--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,${[
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
  ]}`,
];
/**
 * Draws a brand's page and the frame in it in one process. Across processes, a frame that has just grown gets its clicks
 * late, and a screenshot of the whole page cuts it off.
 */
const oneProcess = "--disable-site-isolation-trials";
const waitMs = 30_000;
export const viewports = {
  // A phone has more pixels, which only screenshots show.
  phone: {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: process.env.SCREENS === undefined ? 1 : 2,
  },
  desktop: { viewport: { width: 1280, height: 800 } },
} satisfies Record<string, BrowserContextOptions>;
export type Viewport = keyof typeof viewports;

const { source: axeSource }: { source: string } = createRequire(import.meta.url)("axe-core");

/**
 * `shell` is the headless shell, in which opening a person's context takes a fifth of the CPU time. `browser` is the
 * whole browser, which also blocks third-party storage and keeps two sites apart.
 */
export type BrowserKind = "shell" | "browser";
const shared = new Map<string, Promise<Browser>>();

/** Returns this process's browser of a kind. Each person has a separate context in it. */
export function sharedBrowser(kind: BrowserKind = "shell", ...more: string[]): Promise<Browser> {
  const key = [kind, ...more].join();
  const known = shared.get(key);
  if (known !== undefined) return known;
  const launched = launchBrowser(kind, { args: [...flags, ...more] });
  shared.set(key, launched);
  atProcessEnd(async () => (await launched).close());
  return launched;
}

/** Starts a browser that the caller closes. */
export function launchBrowser(kind: BrowserKind, more: LaunchOptions = {}): Promise<Browser> {
  const { CHROMIUM_PATH, CHROMIUM_SHELL_PATH = CHROMIUM_PATH } = process.env;
  const executablePath = kind === "shell" ? CHROMIUM_SHELL_PATH : CHROMIUM_PATH;
  if (executablePath === undefined) throw new Error("no Chromium: run the tests with npm test, or set CHROMIUM_PATH");
  return chromium.launch({ executablePath, args: flags, ...more });
}

/** Starts the sandbox with a browser in front of it. */
export async function browserSandbox(kind: BrowserKind = "shell") {
  const it = await sandbox();
  await it.wallet.listen({ host: "127.0.0.1", port: 0 });
  await it.app.listen({ host: "127.0.0.1", port: 0 });
  const walletUrl = `http://localhost:${portOf(it.wallet)}`;
  it.deps.addresses.walletUrl = walletUrl;
  it.deps.addresses.apiUrl = `http://localhost:${portOf(it.app)}`;
  for (const { uuid } of demoBrands.filter((one) => ["hosted", "v1"].includes(one.integrationType)))
    await it.api.patchSandboxBrand({ params: { uuid }, body: { redirectUrl: `${walletUrl}/demo/landing` } });
  const browser = await sharedBrowser(kind, oneProcess);
  const contexts: BrowserContext[] = [];
  after(() => Promise.all(contexts.map((context) => context.close())));
  const person = async (options: Options = {}) => {
    const made = await newPerson(browser, walletUrl, options);
    contexts.push(made.context);
    return made;
  };
  /**
   * Declares one test for a phone and one for a desktop, each with a new person and an empty browser. `npm test` runs the
   * first, `npm run test:rest` the second.
   */
  const everywhere = (title: string, run: (person: Person, on: Viewport) => Promise<void>) => {
    for (const on of (["phone", "desktop"] as const).filter((one) => one === (process.env.TEST_VIEWPORT ?? one)))
      test(`${on}: ${title}`, async () => {
        const someone = await person({ on });
        await run(someone, on);
        await someone.done();
      });
  };
  return { ...it, walletUrl, person, everywhere };
}

/** `alsoAsks`: hosts besides the wallet's that the person's pages may contact. */
type Options = BrowserContextOptions & { on?: Viewport; alsoAsks?: string[] };

/**
 * Opens an empty browser for a person. Page errors, policy violations and requests to other hosts are recorded as
 * faults.
 */
async function newPerson(browser: Browser, walletUrl: string, options: Options) {
  const { on = "phone", alsoAsks = [], ...more } = options;
  // A screen that is still coming in has no final place and contrast. Tests of the motion ask for it.
  const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...viewports[on], ...more });
  context.setDefaultTimeout(waitMs);
  const faults: string[] = [];
  await context.addInitScript(
    'document.addEventListener("securitypolicyviolation", (e) => console.error("policy:", e.violatedDirective, e.blockedURI))',
  );
  await context.addInitScript(holdableRedirect);
  context.on("console", (message) => {
    if (/policy:|Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  context.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (/^http/.test(protocol) && ![new URL(walletUrl).host, ...alsoAsks].includes(host))
      faults.push(`request to ${request.url()}`);
  });
  const page = await context.newPage();
  return { context, page, faults, ...controls(page), done: () => leave(context, faults) };
}

/**
 * Lets a test hold the redirect of the last step, which has a timer of 2.5 or 4 seconds. Without this, a slow machine
 * redirects while a test still looks at the step.
 */
const holdableRedirect = `{
  const after = window.setTimeout;
  let isHeld = false;
  let go = () => {};
  window.setTimeout = (run, ms, ...rest) =>
    after(ms === 2500 || ms === 4000 ? () => (isHeld ? (go = run) : run()) : run, ms, ...rest);
  window.redirect = {
    hold: () => { isHeld = true; },
    allow: () => { isHeld = false; go(); },
  };
}`;

export function portOf(app: Sandbox["wallet"]): number {
  const address = app.server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}
export type BrowserSandbox = Awaited<ReturnType<typeof browserSandbox>>;
export type Person = Awaited<ReturnType<typeof newPerson>>;

async function leave(context: { close(): Promise<void> }, faults: string[]): Promise<void> {
  await context.close();
  assert.deepEqual(faults, []);
}

/** Finds controls by role and name. */
function controls(page: Page) {
  const box = (name: string) => page.getByRole("textbox", { name, exact: true });
  const button = (name: string) => page.getByRole("button", buttonNamed(name));
  const step = (name: string) => page.locator(`main[data-step="${name}"]`);
  let isHeld = false;
  const holdRedirect = async () => {
    await page.evaluate("redirect.hold()");
    isHeld = true;
  };
  return {
    box,
    button,
    /**
     * Waits for a step and returns its heading. Each step must pass axe, and have one heading and a title. The step
     * `done` stays until `landed` is called.
     */
    async at(name: string): Promise<string> {
      await step(name).waitFor();
      if (name === "done") await holdRedirect();
      await assertAccessible(page);
      assert.equal(await page.locator("h1").count(), 1);
      const heading = (await page.locator("h1").textContent()) ?? "";
      assert.ok((await page.title()).startsWith(heading), await page.title());
      return heading;
    },
    /** Types a code. The sixth digit sends it. */
    enter: (code: string) => box("Verification code").fill(code),
    /**
     * Returns the brand's URL that the person lands on, after pressing the button or after waiting for the redirect.
     */
    async landed(how: "pressed" | "waited" = "pressed"): Promise<URL> {
      if (how === "pressed") {
        await step("done").waitFor();
        await holdRedirect();
        await step("done").getByRole("button").click();
      } else if (isHeld) await page.evaluate("redirect.allow()");
      isHeld = false;
      await page.waitForURL(/\/demo\/landing/);
      return new URL(page.url());
    },
  };
}

const accessible = new Set<unknown>();

/**
 * What axe-core judges: the elements with their attributes, whether they are visible and have text. The words, numbers
 * and the count of equal rows differ from test to test, and do not change its judgment.
 */
const structure = `{
  const anyValue = /^(?:value|href|src|content|alt|title|placeholder|aria-label|d|points)$/;
  const signature = (one) => [
    one.tagName,
    ...Array.from(one.attributes, ({ name, value }) =>
      name + "=" + (anyValue.test(name) ? value.trim() !== "" : value.replace(/[\\w-]*\\d[\\w-]*/g, "0"))),
    one.checkVisibility(),
    Array.from(one.childNodes).some((child) => child.nodeType === 3 && child.data.trim() !== ""),
    ...new Set(Array.from(one.children, signature)),
  ].join(" ") + ";";
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  [innerWidth, isDark, document.getElementById("theme")?.href, document.activeElement?.id, signature(document.body)].join();
}`;

/**
 * Checks that axe-core finds nothing, including color contrast, and that the page does not scroll sideways. A screen is
 * skipped if one of the same structure, colors and width has passed.
 */
export async function assertAccessible(page: Pick<Page, "evaluate">): Promise<void> {
  // `innerWidth` grows with a page that is too wide on a phone. `clientWidth` does not.
  const tooWide: unknown = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.equal(tooWide, 0, "the page is as wide as its window");
  const screen: unknown = await page.evaluate(structure);
  if (accessible.has(screen)) return;
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  const found: unknown = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then((run) => run.violations.map((one) => [one.id, ...one.nodes.map((node) => [node.html, node.failureSummary])]))",
  );
  assert.deepEqual(found, []);
  accessible.add(screen);
}

/**
 * Takes a screenshot if `SCREENS` is set: `SCREENS=1 npm test -- browser-look`. Files go to `artifacts/screens`. A screen
 * with a bar at its bottom is pictured as its window shows it, at its top and at its end.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = fileURLToPath(new URL("../../../../../artifacts/screens", import.meta.url));
  if (process.env.SCREENS === undefined) return;
  mkdirSync(folder, { recursive: true });
  const take = (end: string, fullPage: boolean) =>
    page.screenshot({ path: join(folder, `${name}${end}.png`), fullPage });
  if (!(await page.evaluate('document.querySelector(".stuck, .short") !== null'))) {
    await take("", true);
    return;
  }
  const place = Number(await page.evaluate("scrollY"));
  await take("", false);
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await take("-end", false);
  await page.evaluate(`scrollTo(0, ${place})`);
}

/** Begins a hosted 1-Click and returns its page's URL and the code that the brand texts. */
export async function begin(it: Sandbox, phone: string, more: { apiKey?: string; body?: object } = {}) {
  const api = it.as(more.apiKey ?? "sk_sandbox_demo_hosted");
  const { uuid, url, code } = (await api.beginOneClick({ body: { phone, ...more.body } })).body;
  assert.ok(url !== undefined && code !== undefined);
  return { uuid, url, code, read: () => api.readOneClick({ params: { uuid } }) };
}

/** The whole name of a button. "Share" also finds "Share 4 details", whatever the number is. */
export function buttonNamed(name: string): { name: string | RegExp; exact: boolean } {
  const isShare = name === "Share" || name === "Compartir";
  return { name: isShare ? new RegExp(`^${name}( \\d+ (details?|datos?))?$`) : name, exact: true };
}
