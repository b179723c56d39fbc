import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox } from "../../../web/src/test/harness/browser.ts";
import { brandSite, errorOf, frameOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const brand = await it.brand({ integrationType: "sdk" });
const primary = "+12125550010";
const newKey = async (api = brand.api) => (await api.createSession()).body.sessionKey;

/** Messages that a hostile page or frame could forge for the brand's page. */
const forged = ["USER_SHARED_CREDENTIALS", "USER_PHONE_VERIFIED", "USER_OPTED_OUT"].flatMap((type) => {
  const result = {
    type,
    step: "done",
    identityUuid: "forged",
    healthDataUuid: null,
    verificationUuid: null,
    redirectUrl: null,
  };
  return [
    { type: "result", result },
    { source: "countersign", type: "result", result },
    { source: "countersign", type: "hello" },
    { type: "error", reason: "SESSION_TIMEOUT" },
    { type: "VENDOR_CLIENT_SDK_FORM_SUBMISSION", data: result, source: "Countersign", timestamp: 1e15 },
    JSON.stringify({ type: "result", result }),
    null,
    [],
  ];
});

async function begun(): Promise<Visitor> {
  const person = await visitor(it, site);
  await person.begin(await newKey());
  await person.at("phone");
  return person;
}

async function share(person: Visitor): Promise<void> {
  await person.phone(primary);
  await person.code();
  await person.at("review");
  await person.button("Share").click();
}

const endings = async (person: Visitor) => (await person.told()).filter((one) => one.who !== "onEvent");

test("ignores messages that the page or another frame forges", async () => {
  const person = await begun();
  const messages = JSON.stringify(forged);
  await person.page.evaluate(`for (const one of ${messages}) window.postMessage(one, "*")`);
  await person.page.evaluate(`{
    const child = document.createElement("iframe");
    child.srcdoc = "<script>for (const one of " + ${JSON.stringify(messages.replaceAll("<", "\\u003c"))} + ") parent.postMessage(one, '*')</" + "script>";
    document.body.append(child);
  }`);
  await person.page.evaluate(
    `for (const one of ${messages}) document.querySelector("iframe").contentWindow.postMessage(one, "*")`,
  );
  await share(person);
  await person.result();
  const ends = await endings(person);
  assert.deepEqual(
    ends.map(({ who, what }) => [who, what.type]),
    [["onResult", "USER_SHARED_CREDENTIALS"]],
  );
  assert.notEqual(ends[0]?.what.identityUuid, "forged");
  await person.done();
});

test("the frame accepts a session key only once, from its parent page", async () => {
  const person = await begun();
  const frame = frameOf(person.page);
  const other = await newKey();
  await frame.evaluate(
    `window.postMessage({ source: "countersign", type: "key", sessionKey: ${JSON.stringify(other)}, colorScheme: "light" }, "*", [new MessageChannel().port2])`,
  );
  await person.page.evaluate(
    `document.querySelector("iframe").contentWindow.postMessage({ source: "countersign", type: "key", sessionKey: ${JSON.stringify(other)}, colorScheme: "light" }, "*", [new MessageChannel().port2])`,
  );
  await share(person);
  await person.result();
  const fresh = await visitor(it, site);
  await fresh.begin(other);
  await fresh.at("phone");
  for (const one of [person, fresh]) await one.done();
});

test("a page that is busy for seconds gets the result exactly once", async () => {
  const person = await begun();
  await person.phone(primary);
  await person.code();
  await person.at("review");
  await person.button("Share").focus();
  const busy = person.page.evaluate("{ const until = performance.now() + 3000; while (performance.now() < until); }");
  await frameOf(person.page).evaluate(
    `[...document.querySelectorAll("button")].find((one) => /^Share [0-9]/.test(one.textContent)).click()`,
  );
  await busy;
  await person.result();
  assert.equal((await endings(person)).length, 1);
  await person.done();
});

test("the browser blocks the frame on a site that the brand does not allow, and the page gets UNREACHABLE", async () => {
  const picky = await it.brand({ integrationType: "sdk", allowedOrigins: ["https://shop.example"] });
  const person = await visitor(it, site);
  await person.page.clock.install();
  await person.begin(await newKey(picky.api));
  await person.page.locator("iframe").waitFor({ state: "attached" });
  await person.page.clock.fastForward(10_000);
  assert.deepEqual(await person.error(), errorOf("UNREACHABLE"));
  person.faults.splice(0);
  await person.done();
  const named = await it.brand({ integrationType: "sdk", allowedOrigins: [new URL(site).origin] });
  const allowed = await visitor(it, site);
  await allowed.begin(await newKey(named.api));
  await allowed.at("phone");
  await allowed.done();
});

test("two instances on one page do not interfere, in any order of show and destroy", async () => {
  const person = await visitor(it, site);
  const [first, second] = [await newKey(), await newKey()];
  await person.page.evaluate(`{
    const one = window.make(${JSON.stringify(first)});
    const two = window.make(${JSON.stringify(second)});
    one.destroy();
    one.show();
    two.show(document.getElementById("place"));
    two.show(document.body);
    one.destroy();
  }`);
  await person.at("phone");
  assert.equal(await person.page.locator("iframe").count(), 1);
  await share(person);
  assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
  await person.page.evaluate("window.sdk?.destroy()");
  assert.equal((await endings(person)).length, 1);
  await person.done();
});

test("a session ends with SESSION_TIMEOUT after an hour, and the screen shows an error", async () => {
  const person = await visitor(it, site);
  await person.page.clock.install();
  await person.begin(await newKey());
  await person.at("phone");
  await person.page.clock.fastForward(60 * 60_000);
  assert.deepEqual(await person.error(), errorOf("SESSION_TIMEOUT"));
  await person.at("error");
  await person.done();
});

test("a reloaded frame has no key and gives SESSION_TIMEOUT; a new session works", async () => {
  const person = await begun();
  await person.page.clock.install();
  await frameOf(person.page).evaluate("location.reload()");
  assert.deepEqual(await person.error(), errorOf("SESSION_TIMEOUT"));
  await person.inside.locator('main[data-step="loading"]').waitFor();
  await person.page.clock.fastForward(10_000);
  await person.at("error");
  await person.page.evaluate("window.sdk.destroy()");
  await person.begin(await newKey());
  await person.at("phone");
  await person.done();
});

test("after going back to a cached page, the frame continues at the same step", async () => {
  const person = await begun();
  await person.phone(primary);
  await person.at("verificationCode");
  await person.page.goto(`${site}elsewhere`);
  await person.page.goBack();
  const kept = await person.page.evaluate("window.told.length > 0");
  if (kept) {
    await person.code();
    await person.at("review");
  } else {
    // The browser did not keep the page, so it reloads and starts over.
    await person.begin(await newKey());
    await person.at("phone");
  }
  await person.done();
});

test("the keyboard alone completes the frame, and the focus returns to the page", async () => {
  const person = await visitor(it, site, { on: "desktop" });
  const key = await newKey();
  await person.page.evaluate(
    `document.getElementById("begin").addEventListener("click", () => window.begin(${JSON.stringify(key)}))`,
  );
  const { keyboard } = person.page;
  await person.page.getByRole("button", { name: "Begin" }).press("Enter");
  await person.at("phone");
  await keyboard.type("2125550010");
  await person.at("verificationCode");
  await keyboard.type("111111");
  await person.at("review");
  const focused = () => frameOf(person.page).evaluate<string>("document.activeElement.textContent");
  for (let presses = 0; !/^Share \d/.test(await focused()); presses += 1) {
    assert.ok(presses < 16, "Tab does not reach Share");
    await keyboard.press("Tab");
  }
  await keyboard.press("Enter");
  assert.equal((await person.result()).type, "USER_SHARED_CREDENTIALS");
  await person.page.evaluate("window.sdk.destroy()");
  assert.equal(await person.page.evaluate("document.activeElement.id"), "begin");
  await person.done();
});
