/** Visitors of the stage, and what its scenarios show. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { BrowserSandbox } from "./browser.ts";

type Options = NonNullable<Parameters<BrowserSandbox["person"]>[0]>;

/** Opens the stage for visitors. Without movement, unless the test asks for it. */
export function stageVisitors(it: BrowserSandbox) {
  return async (scenario: string, options: Options = {}) => {
    const person = await it.person({ on: "desktop", reducedMotion: "reduce", ...options });
    await person.page.goto(`${it.walletUrl}/demo?scenario=${scenario}`);
    return { ...person, ...controls(person.page) };
  };
}

function controls(page: Page) {
  const wallet = page.frameLocator(".frame iframe");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const arrow = (name: string) => page.locator(`[data-arrow="${name}"]`);
  const ready = page.locator(".controls button:not([aria-disabled])", { hasText: "Step" });
  const over = page.getByText("The end.", { exact: true });
  /** Presses Step until the person has done `label`, or until the end. Returns what they did. */
  const steps = async (label?: string) => {
    const did: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      await ready.or(over).waitFor();
      if (await over.isVisible()) return did;
      const next = (await page.locator(".next .what").textContent()) ?? "";
      await button("Step").click();
      did.push(next.replace("Next: Richard ", ""));
      if (label !== undefined && next.includes(label)) return did;
    }
    return assert.fail(`the signup did not end: ${did.join(" ")}`);
  };
  const rows = () =>
    page.locator(".call").evaluateAll((all) =>
      all.map((one) => {
        const state = ["expected", "running", "done", "refused"].find((name) => one.classList.contains(name));
        return `${one.getAttribute("data-arrow")} ${state}`;
      }),
    );
  const calls = () =>
    page
      .locator(".entry > summary")
      .evaluateAll((all) =>
        all.map((one) =>
          [".method", ".path", ".status"].map((part) => one.querySelector(part)?.textContent ?? "").join(" "),
        ),
      );
  const code = async () => /\d{6}/.exec((await page.locator(".bubble").textContent()) ?? "")?.[0] ?? "";
  return { wallet, button, arrow, steps, rows, calls, code };
}

/** What each scenario lights, in order, and which arrows are red. */
export const proof = "ask session open phone text code";
const shared = "view sources decision result read end";
export const lit: Record<string, string> = {
  share: `${proof} ${shared}`,
  decline: `${proof} ${shared}`,
  "wrong-code": `${proof}! code ${shared}`,
  expired: `ask session open phone text later code! phone text code ${shared}`,
  risk: `${proof} view sources! result read! end`,
  missing: `${proof} ${shared}`,
  addresses: `${proof} ${shared}`,
  insurance: `${proof} view sources decision search payers plan result read health end`,
};
