/** Tests the frame in React, and in browsers that block third-party cookies. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { bundled } from "./bundled.ts";
import { frameOf, hostPage, ordinary, pages, said } from "./pages.ts";

const it = await pages({});

const script = await bundled(join(import.meta.dirname, "strict-mode-page.ts"));
it.host.set("/react.js", () => ({ type: "text/javascript", body: script }));
it.host.set("/react", () => ({ body: hostPage('<script type="module" src="/react.js"></script>') }));

async function openReact() {
  const page = await it.open("/react");
  await page.waitForFunction("self.begin !== undefined");
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  return { page, failures };
}

/** The first digit of each key that the page's frame got. */
const keysIn = async (page: Page) => (await frameOf(page)).evaluate("keys.map(([key]) => key[0]).join()");

test("in StrictMode the component has one frame, uses one key, and calls the latest callbacks", async () => {
  const { page, failures } = await openReact();
  await page.evaluate(`begin("${it.walletUrl}", "WithComponent")`);
  await said(page, 1);
  const frame = await frameOf(page);
  await frame.evaluate("say(event)");
  await said(page, 2);
  await frame.evaluate("say(result('USER_SHARED_CREDENTIALS'))");
  assert.deepEqual(await said(page, 3), [
    ["event", "SDK_READY", 0],
    ["event", "SDK_READY", 1],
    ["result", "USER_SHARED_CREDENTIALS", 2],
  ]);
  assert.equal(await keysIn(page), "1");
  assert.equal(await frame.evaluate("locale"), "es");
  assert.equal(await page.locator(".signup iframe").count(), 1);
  await page.evaluate("again('2' + KEY.slice(1))");
  await said(page, 4);
  assert.equal(await keysIn(page), "2");
  await page.evaluate("end()");
  assert.equal(await page.locator("iframe").count(), 0);
  assert.deepEqual(failures, []);
});

test("in StrictMode the hook waits for the key, and its session ends with the element or the component", async () => {
  const { page, failures } = await openReact();
  await page.evaluate(`begin("${it.walletUrl}", "WithHook")`);
  await page.locator("section").waitFor({ state: "attached" });
  assert.equal(await page.locator("iframe").count(), 0);
  await page.evaluate("again('3' + KEY.slice(1))");
  await said(page, 1);
  assert.equal(await page.locator("section iframe").count(), 1);
  assert.equal(await keysIn(page), "3");
  await page.evaluate("hide(true)");
  await page.locator("section").waitFor({ state: "detached" });
  await page.evaluate("again('4' + KEY.slice(1))");
  await page.evaluate("hide(false)");
  await said(page, 2);
  assert.equal(await keysIn(page), "4");
  await page.evaluate("again('')");
  assert.deepEqual((await said(page, 3)).at(2), ["error", "INVALID_SESSION_KEY"]);
  await page.evaluate("end()");
  assert.equal(await page.locator("iframe").count(), 0);
  assert.deepEqual(failures, []);
});

test("works without third-party cookies", async () => {
  const kept = "document.cookie = 'a=1; Secure; SameSite=None'; self.kept = document.cookie;";
  const page = await it.open("/", `${kept} ${ordinary} opened.then(() => say(result("USER_PHONE_VERIFIED")))`);
  await page.evaluate("make().show()");
  const told = (await said(page, 2)).map((one) => JSON.stringify(one).slice(0, 40));
  assert.deepEqual(told, ['["event","SDK_READY"]', '["result",{"type":"USER_PHONE_VERIFIED",']);
  assert.equal(await (await frameOf(page)).evaluate("kept"), "");
});

test("a DOM without media queries, animations and color schemes, such as that of jsdom, shows the frame", async () => {
  const page = await it.open("/");
  await page.evaluate(`
    window.matchMedia = undefined;
    Element.prototype.animate = undefined;
    window.getComputedStyle = () => ({});
    make().show();
  `);
  assert.deepEqual(await said(page, 1), [["event", "SDK_READY"]]);
});

test("a DOM without WebCrypto and channels gets an error, and nothing throws", async () => {
  const page = await it.open("/");
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await page.evaluate(`
    Object.defineProperty(window, "crypto", { value: undefined });
    window.MessageChannel = undefined;
    make().show();
  `);
  assert.deepEqual(await said(page, 1), [["error", "UNREACHABLE"]]);
  assert.deepEqual(failures, []);
});
