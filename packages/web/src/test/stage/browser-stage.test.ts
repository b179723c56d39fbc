import assert from "node:assert/strict";
import { test } from "node:test";
import { scenarios } from "../../demo/scenarios.ts";
import { assertAccessible, browserSandbox, buttonNamed, picture } from "../harness/browser.ts";
import { lit, proof, stageVisitors } from "../harness/stage-visitor.ts";

const it = await browserSandbox();

const visitor = stageVisitors(it);
const outcomes: Record<string, { calls: string[]; log: RegExp; phone: RegExp }> = {
  share: { calls: ["POST 201", "GET 200"], log: /"line1": "5320 Newell Rd"/, phone: /Your account is open/ },
  decline: {
    calls: ["POST 201", "GET 200"],
    log: /"phone": "otp"(?![\s\S]*"credentials": \{\s*"fullName")/,
    phone: /Tell us about you/,
  },
  "wrong-code": {
    calls: ["POST 201", "GET 200"],
    log: /"ssn": "•••••6789" masked here/,
    phone: /Your account is open/,
  },
  expired: { calls: ["POST 201", "GET 200"], log: /"ssn": "•••••6789" masked here/, phone: /Your account is open/ },
  risk: {
    calls: ["POST 201", "GET 400"],
    log: /"score": 999/,
    phone: /Phone, verified\(404\) 555-1799[\s\S]*Create account/,
  },
  missing: { calls: ["POST 201", "GET 200"], log: /"ssn": "self_attested"/, phone: /•••-••-6789/ },
  addresses: { calls: ["POST 201", "GET 200"], log: /"line1": "100 Example Ave"/, phone: /100 Example Ave/ },
  insurance: {
    calls: ["POST 201", "GET 200", "GET 200"],
    log: /"coverageStatus": "active"/,
    phone: /You are registered[\s\S]*InsuranceAetna, member A\d+, active/,
  },
};

for (const { id } of scenarios)
  test(`the scenario “${id}” lights its arrows with real calls, and the server's log has the answers`, async () => {
    const { page, steps, rows, calls, done } = await visitor(id);
    await page.locator(".call").first().waitFor();
    assert.deepEqual([...new Set((await rows()).map((row) => row.split(" ")[1]))], ["expected"]);
    await steps();
    const expected = (lit[id] ?? "").split(" ");
    assert.deepEqual(
      await rows(),
      expected.map((one) => (one.endsWith("!") ? `${one.slice(0, -1)} refused` : `${one} done`)),
    );
    const outcome = outcomes[id];
    assert.ok(outcome);
    assert.deepEqual(
      (await calls()).map((call) => call.replace(/ \S+ /, " ")),
      outcome.calls,
    );
    const log = (await page.locator(".log-lines").textContent()) ?? "";
    assert.match(log, outcome.log);
    assert.match(log, /Authorization: sk_sandbox_demo_…/);
    assert.doesNotMatch(log, /sk_sandbox_demo_stage/);
    assert.match((await page.locator(".brand-page").textContent()) ?? "", outcome.phone);
    await done();
  });

test("an arrow waits for the answer of its call", async () => {
  const { page, steps, arrow, done } = await visitor("share");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/page/*/code", async (route) => {
    await held;
    await route.continue();
  });
  await steps("types the code");
  await page.locator('[data-arrow="code"].running').waitFor();
  assert.match((await arrow("view").getAttribute("class")) ?? "", /expected/);
  answer();
  await page.locator('[data-arrow="code"].done').waitFor();
  await page.locator('[data-arrow="view"].done').waitFor();
  await done();
});

test("a call without an answer or a session stops the stage, and Restart begins again", async () => {
  const { page, button, steps, rows, calls, done } = await visitor("share");
  await page.route("**/demo/calls", (route) => route.abort(), { times: 1 });
  await button("Step").click();
  await page.getByText("The service did not answer. Press Restart.").waitFor();
  assert.deepEqual((await rows()).slice(0, 3), ["ask running", "session refused", "open expected"]);
  await button("Restart").click();
  const refused = {
    method: "POST",
    path: "/v2/client/1-click",
    authorization: "sk_",
    status: 401,
    answer: {},
    durationMs: 1,
  };
  await page.route("**/demo/calls", (route) => route.fulfill({ json: refused }), { times: 1 });
  await button("Step").click();
  await page.getByText("The service refused a session. Press Restart.").waitFor();
  assert.deepEqual(await calls(), ["POST /v2/client/1-click 401"]);
  await button("Restart").click();
  await steps();
  await page.getByText("Your account is open").waitFor();
  await done();
});

test("a visitor can use the phone, and the diagram shows what they do", async () => {
  // On a desktop, the phone is drawn smaller than it is, and Playwright would click beside its controls.
  const { page, wallet, rows, code, done } = await visitor("share", { on: "phone" });
  await page.getByRole("button", { name: "Continue with your phone" }).click();
  await wallet.getByRole("textbox", { name: "Phone number" }).fill("(415) 555-0199");
  await page.locator(".bubble").waitFor();
  await wallet
    .getByRole("textbox", { name: "Verification code" })
    .fill((await code()) === "123456" ? "654321" : "123456");
  await page.locator('[data-arrow="code"].refused').waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Fill in" }).click();
  await wallet.getByRole("button", buttonNamed("Don’t share")).click();
  await page.getByText("Tell us about you").waitFor();
  assert.deepEqual(
    await rows(),
    `${proof} refused code view sources decision result read end`
      .split(/ (?!refused)/)
      .map((one) => (one.includes(" ") ? one : `${one} done`)),
  );
  await done();
});

test("Play plays the person to the end, and a touch of the visitor pauses it", async () => {
  const { page, wallet, button, done } = await visitor("decline");
  await button("Play").click();
  await wallet.locator('main[data-step="phone"]').waitFor();
  // The phone is scaled, so the touch may land beside the heading.
  await wallet.locator("h1").click({ force: true });
  await page.getByText("Paused.").waitFor();
  await button("Play").click();
  await page.getByText("Tell us about you").waitFor();
  await button("Replay").waitFor();
  assert.match((await page.getByRole("link", { name: "Build this" }).getAttribute("href")) ?? "", /\/docs\/start\/$/);
  await button("Play another").click();
  await page.locator(".chip[aria-pressed=true]", { hasText: "Wrong code" }).waitFor();
  await done();
});

test("two visitors with the same person do not meet, and the expired code of one leaves the other's valid", async () => {
  const [one, other] = [await visitor("missing"), await visitor("missing")];
  await one.steps("types the phone number");
  await other.steps("types the phone number");
  await Promise.all([one.page.locator(".bubble").waitFor(), other.page.locator(".bubble").waitFor()]);
  const expiring = await visitor("expired");
  await expiring.steps("does nothing for five minutes");
  await Promise.all([one.steps(), other.steps(), expiring.steps()]);
  for (const { page, rows, done } of [one, other, expiring]) {
    await page.getByText("Your account is open").waitFor();
    assert.equal((await rows()).filter((row) => row === "text done").length, page === expiring.page ? 2 : 1);
    await done();
  }
  assert.equal((await it.api.readClock()).body.offsetMs, 0);
});

test("while Step plays the person, it keeps the keyboard's focus, and Tab still leads into the wallet", async () => {
  const { page, wallet, steps, button, done } = await visitor("share");
  await button("Step").focus();
  await page.keyboard.press("Enter");
  await wallet.locator('main[data-step="phone"]').waitFor();
  await page.locator("button:focus", { hasText: "Step" }).waitFor();
  // At once: the visitor's next key must not go to the wallet.
  const focused = await page.evaluate(`{
    document.querySelector(".frame iframe").contentDocument.querySelector("#phone").focus();
    document.activeElement.textContent;
  }`);
  assert.equal(focused, "Step");
  await steps("types the phone number");
  await page.locator("button:focus", { hasText: "Step" }).waitFor();
  for (let tabs = 0; tabs < 8; tabs += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate('document.activeElement?.tagName === "IFRAME"')) break;
  }
  assert.ok(await page.evaluate('document.activeElement?.tagName === "IFRAME"'));
  await done();
});

test("the caption tells screen readers each step, and nothing moves if the visitor prefers less motion", async () => {
  const { page, steps, done } = await visitor("share");
  await page.evaluate(`window.told = []; new MutationObserver(() => {
    window.told.push(document.querySelector(".caption").textContent);
  }).observe(document.querySelector(".caption"), { childList: true, characterData: true, subtree: true })`);
  await steps();
  const told: unknown = await page.evaluate("window.told");
  assert.ok(Array.isArray(told));
  for (const words of [
    "The bank’s server creates a session key. It works once",
    "Countersign texts a code to the phone",
    "Countersign asks its sources about the risk and the details",
    "The bank’s server reads what the person shared",
  ])
    assert.ok(
      told.some((one) => String(one).startsWith(words)),
      `${words} is not among ${told.join(" | ")}`,
    );
  assert.equal(await page.locator(".caption").getAttribute("role"), "status");
  assert.equal(await page.evaluate("document.getAnimations().length"), 0);
  await done();
});

test("the wallet on the stage speaks the language of the visitor's browser", async () => {
  const { wallet, steps, done } = await visitor("share", { locale: "es-US" });
  await steps("taps the button");
  await wallet.locator('html[lang="es"] main[data-step="phone"]').waitFor();
  await done();
});

test("with motion, each arrow is shown for a moment, in the same order", async () => {
  const { page, steps, rows, done } = await visitor("share", { reducedMotion: "no-preference" });
  await steps();
  await page.getByText("Your account is open").waitFor();
  assert.deepEqual(
    await rows(),
    (lit.share ?? "").split(" ").map((one) => `${one} done`),
  );
  await done();
});

for (const [on, colorScheme] of [
  ["phone", "light"],
  ["desktop", "light"],
  ["phone", "dark"],
  ["desktop", "dark"],
] as const)
  test(`the stage is accessible on a ${on}, ${colorScheme}`, async () => {
    const { page, steps, button, done } = await visitor("share", { on, colorScheme });
    const see = async (name: string) => {
      await assertAccessible(page);
      await picture(page, `stage-${on}-${colorScheme}-${name}`);
    };
    await page.locator(".call").first().waitFor({ state: "attached" });
    await see("start");
    await steps("types the phone number");
    await page.locator(".bubble").waitFor();
    await see("text");
    await steps();
    await button("Replay").waitFor();
    await see("end");
    if (on === "desktop") return await done();
    const tab = (name: string) => page.getByRole("tab", { name });
    await tab("Phone").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(".calls").waitFor();
    await page.waitForFunction(`(() => {
      const list = document.querySelector(".calls");
      return list.scrollTop + list.clientHeight >= list.scrollHeight - 16;
    })()`);
    assert.equal(await page.locator(".device").isVisible(), false);
    await see("diagram");
    await tab("Server log").click();
    await page.locator(".log-lines").waitFor();
    await see("log");
    await done();
  });
