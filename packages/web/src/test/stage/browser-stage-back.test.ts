/** Back on the stage: a new signup that repeats all steps but the last. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSandbox } from "../harness/browser.ts";
import { lit, stageVisitors } from "../harness/stage-visitor.ts";

const it = await browserSandbox();
const visitor = stageVisitors(it);

for (const [scenario, label, reducedMotion] of [
  ["wrong-code", "mistypes the code", "reduce"],
  ["insurance", "chooses a plan", "reduce"],
  ["share", "shares", "no-preference"],
] as const)
  test(`Back returns to before “${label}” with new calls, and Step goes on from there to the end (${scenario}, ${reducedMotion})`, async () => {
    const { page, steps, button, rows, calls, done } = await visitor(scenario, { reducedMotion });
    const next = page.getByText(`Next: Richard ${label}.`, { exact: true });
    const until = async () => {
      for (let count = 0; count < 20; count += 1) {
        const now = (await page.getByText(/^Next: /).textContent()) ?? "";
        if (await next.isVisible()) return;
        await button("Step").click();
        // The next step may be there at once.
        await page.getByText(now, { exact: true }).waitFor({ state: "hidden" });
      }
      assert.fail(label);
    };
    const seen = async () => ({ rows: await rows(), calls: await calls() });
    assert.equal(await button("Back").getAttribute("aria-disabled"), "true");
    await until();
    const before = await seen();
    await button("Step").click();
    await next.waitFor({ state: "hidden" });
    await button("Back").focus();
    await page.keyboard.press("Enter");
    await next.waitFor();
    assert.deepEqual(await seen(), before);
    await page.locator("button:focus", { hasText: "Back" }).waitFor();
    await steps();
    assert.deepEqual(
      (await rows()).filter((row) => !row.endsWith("done")),
      (lit[scenario] ?? "").split(" ").flatMap((one) => (one.endsWith("!") ? [`${one.slice(0, -1)} refused`] : [])),
    );
    await button("Back").click();
    await page.getByText(/^Next: /).waitFor();
    assert.ok((await rows()).some((row) => row.endsWith("expected")));
    await done();
  });
