/** Opens the real dashboard in a real Chromium. */
import assert from "node:assert/strict";
import { after } from "node:test";
import type { MemberRole } from "@countersign/contract/member";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { signedIn } from "../../../../service/src/test/harness/dashboard-member.ts";
import { sandbox } from "../../../../service/src/test/harness/sandbox.ts";
import { assertAccessible, type BrowserKind, buttonNamed, picture, portOf, sharedBrowser } from "./browser.ts";

const waitMs = 30_000;
export const screens = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
type At = { on?: keyof typeof screens; colorScheme?: "light" | "dark"; role?: MemberRole; customerUuid?: string };

/** A window of its own, in English and UTC. `faults` collects errors of its pages. */
export async function openContext(browser: Browser, options: BrowserContextOptions) {
  const context = await browser.newContext({ locale: "en-US", timezoneId: "UTC", ...options });
  context.setDefaultTimeout(waitMs);
  const faults: string[] = [];
  context.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(String(error.error())));
  return { context, faults };
}

/** Starts the sandbox with its dashboard and wallet listening. */
export async function browserDashboard(environment: Record<string, string> = {}, kind: BrowserKind = "shell") {
  const it = await sandbox({}, environment);
  for (const listener of [it.dashboard, it.wallet]) await listener.listen({ host: "127.0.0.1", port: 0 });
  const dashboardUrl = `http://localhost:${portOf(it.dashboard)}`;
  it.accounts.addresses.dashboardUrl = dashboardUrl;
  it.deps.addresses.walletUrl = `http://localhost:${portOf(it.wallet)}`;
  const browser = await sharedBrowser(kind);
  const contexts: BrowserContext[] = [];
  after(() => Promise.all(contexts.map((context) => context.close())));

  const visitor = async ({ on = "desktop", colorScheme = "light" }: At = {}) => {
    const { context, faults } = await openContext(browser, { baseURL: dashboardUrl, colorScheme, ...screens[on] });
    contexts.push(context);
    context.on("dialog", (dialog) => void dialog.accept());
    const page = await context.newPage();
    return {
      context,
      page,
      faults,
      ...dashboardControls(page),
      async done() {
        await context.close();
        assert.deepEqual(faults, []);
      },
    };
  };
  return {
    ...it,
    dashboardUrl,
    visitor,
    /** Opens the dashboard as a member who is already signed in. */
    async member({ role, customerUuid, ...at }: At = {}) {
      const person = await visitor(at);
      const member = await signedIn(it, { role, customerUuid });
      await person.context.addCookies([
        { name: "countersign", value: member.token, url: dashboardUrl, httpOnly: true, sameSite: "Strict" },
      ]);
      return { ...person, member };
    },
  };
}

export type DashboardBrowser = Awaited<ReturnType<typeof browserDashboard>>;
export type Visitor = Awaited<ReturnType<DashboardBrowser["visitor"]>>;

/** Finds controls by role and name. `at` waits for a page and checks it with axe. `app`: begins the names of pictures. */
export function dashboardControls(page: Page, app = "dashboard") {
  return {
    box: (name: string) => page.getByRole("textbox", { name, exact: true }),
    button: (name: string | RegExp) =>
      page.getByRole("button", typeof name === "string" ? buttonNamed(name) : { name }),
    link: (name: string) => page.getByRole("link", { name, exact: true }),
    choice: (name: string) => page.getByRole("combobox", { name, exact: true }),
    async at(step: string): Promise<void> {
      await page.locator(`main[data-step="${step}"]`).waitFor();
      await page.locator("body:not(:has(.loading))").waitFor();
      await assertAccessible(page);
      assert.equal(await page.locator("h1").count(), 1);
    },
    /**
     * A picture of the whole page. The preview's frame is drawn only in view, so the window gets the page's height. On a
     * phone the frame is hidden until a button opens it. A page with touch that is higher than its window would be drawn
     * as with a mouse, so its window grows too, unless a bar at its bottom needs the window's height.
     */
    async picture(name: string): Promise<void> {
      if (process.env.SCREENS === undefined) return;
      const frame = page.locator(".device:not(.loading) iframe");
      const size = page.viewportSize();
      const hasFrame = await frame.isVisible();
      const grows = "matchMedia('(pointer: coarse)').matches && document.querySelector('.stuck, .short') === null";
      const isTall = size !== null && (hasFrame || (await page.evaluate(grows)) === true);
      if (isTall) {
        // The preview grows with the window, and the page with the preview.
        for (let grown = 0; grown < 2; grown += 1) {
          const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
          await page.setViewportSize({ ...size, height });
        }
        const drawn = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))";
        if (hasFrame) await frame.contentFrame().locator("body").evaluate(drawn);
      }
      await picture(page, `${app}-${name}`);
      if (isTall) await page.setViewportSize(size);
    },
  };
}
