/** Tests of timeouts, delays and the back/forward cache. No test waits: each one moves the page's clock. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { flags, inOneProcess } from "../../../web/src/test/harness/browser.ts";
import { frameOf, hostPage, ordinary, pages, said } from "./pages.ts";

const it = await pages({
  // Playwright disables the back/forward cache, which these tests need.
  ignoreDefaultArgs: ["--disable-back-forward-cache"],
  // A page that blocks its process must not block the frame.
  args: flags.filter((flag) => flag !== inOneProcess),
});

/** A clock that stands still. `pass(ms)` runs all due timers in the current task, as on a busy page. */
const manualClock = `<script>
  { let now = 0, count = 0; const timers = new Map();
    performance.now = () => now;
    self.setTimeout = (call, ms) => { timers.set(++count, { call, at: now + (ms ?? 0) }); return count; };
    self.clearTimeout = (id) => timers.delete(id);
    self.pass = (ms, step = ms) => { for (const end = now + ms; now < end; ) { now = Math.min(end, now + step);
      for (const [id, { call, at }] of [...timers]) if (at <= now && timers.delete(id)) call(); } };
    self.pending = () => timers.size; }
</script>`;

async function openWithManualClock(script: string): Promise<Page> {
  it.host.set("/held", () => ({ body: `${manualClock}${hostPage("")}` }));
  const page = await it.open("/held", script);
  await page.evaluate("self.sdk = make(); sdk.show()");
  await frameOf(page);
  return page;
}

test("a frame that sends nothing within ten seconds is UNREACHABLE, and gets no key later", async () => {
  const page = await openWithManualClock("");
  await page.evaluate("pass(9_999, 1)");
  assert.deepEqual(await page.evaluate("said"), []);
  await page.evaluate("pass(1, 1)");
  assert.deepEqual(await page.evaluate("said"), [["error", "UNREACHABLE"]]);
  assert.equal(await page.getByRole("progressbar").count(), 0);
  const frame = await frameOf(page);
  await frame.evaluate("hello()");
  await page.waitForFunction("heard.length > 0");
  await page.evaluate("pass(60_000, 100)");
  assert.deepEqual([await frame.evaluate("keys"), await page.evaluate("said.length")], [[], 1]);
});

test("a connected or destroyed frame leaves no timer running", async () => {
  const heard = await openWithManualClock("hello(); opened.then(() => say(event))");
  await said(heard, 1);
  const gone = await openWithManualClock("");
  await gone.evaluate("sdk.destroy()");
  for (const page of [heard, gone]) {
    assert.equal(await page.evaluate("pending()"), 0);
    await page.evaluate("pass(60_000, 100)");
  }
  assert.deepEqual(await heard.evaluate("said"), [["event", "SDK_READY"]]);
  assert.deepEqual(await gone.evaluate("said"), []);
});

/**
 * The page requests `/block` and stays blocked until the response. The response arrives once the frame has sent all its
 * messages, so they are all in the page's queue.
 */
function blockable() {
  let frameWaits: ServerResponse | undefined;
  let pageWaits: ServerResponse | undefined;
  const text = { type: "text/plain", headers: { "access-control-allow-origin": "*" } };
  it.wallet.set("/go", (response) => {
    frameWaits = response;
    return undefined;
  });
  it.host.set("/block", (response) => {
    pageWaits = response;
    frameWaits?.writeHead(200).end("go");
    return undefined;
  });
  it.wallet.set("/done", () => {
    pageWaits?.writeHead(200).end("done");
    return { ...text, body: "done" };
  });
  return { waits: () => frameWaits !== undefined };
}
const block = `{ const request = new XMLHttpRequest(); request.open("GET", "/block", false); request.send(); }`;

test("a hello sent while the page was busy is accepted after the timeout", async () => {
  const { waits } = blockable();
  const page = await openWithManualClock(
    "fetch('/go').then((one) => one.text()).then(() => { hello(); return fetch('/done'); }); opened.then(() => say(ready, event))",
  );
  await goAheadRequested(waits, page);
  // All in one task: the page is blocked until the hello is queued, and then every timer is late.
  await page.evaluate(`${block} pass(13_000)`);
  assert.deepEqual(await said(page, 1), [["event", "SDK_READY"]]);
  await page.evaluate("pass(60_000, 100)");
  assert.deepEqual(await page.evaluate("said"), [["event", "SDK_READY"]]);
});

test("messages sent while the page was busy are neither lost nor delivered twice", async () => {
  const { waits } = blockable();
  const page = await openWithManualClock(
    `hello(); opened.then(async () => { say(ready); await (await fetch("/go")).text();
      for (let i = 0; i < 50; i += 1) hello();
      say(event, event, result("USER_SHARED_CREDENTIALS"), result("USER_SHARED_CREDENTIALS"), event, { type: "resize", height: 600 });
      await fetch("/done"); })`,
  );
  await goAheadRequested(waits, page);
  await page.evaluate(`${block} pass(3_000)`);
  await page.waitForFunction("document.querySelector('iframe').offsetHeight === 600");
  const told = (await said(page, 3)).map((one) => JSON.stringify(one).slice(0, 20));
  assert.deepEqual(told, ['["event","SDK_READY"', '["event","SDK_READY"', '["result",{"type":"U']);
  assert.equal(await (await frameOf(page)).evaluate("keys.length"), 1);
});

/** Waits until the frame has requested its go-ahead. */
async function goAheadRequested(waits: () => boolean, page: Page): Promise<void> {
  const frame = await frameOf(page);
  while (!waits()) await frame.evaluate("new Promise((done) => requestAnimationFrame(done))");
}

test("a page restored from the back/forward cache still receives messages", async () => {
  it.host.set("/elsewhere", () => ({ body: "<title>elsewhere</title>" }));
  // Playwright cannot reach a frame in the back/forward cache, so the frame's own script sends the messages.
  const back = "addEventListener('pageshow', ({ persisted }) => persisted && say(event, result('USER_OPTED_OUT')))";
  const page = await it.open("/", `${ordinary}${back}`);
  await page.evaluate("addEventListener('pageshow', ({ persisted }) => { self.isBack = persisted; }); make().show()");
  await said(page, 1);
  await page.goto(`${it.hostUrl}/elsewhere`);
  // No load event fires, because the restored page was already complete.
  await page.goBack({ waitUntil: "commit" });
  const told = (await said(page, 3)).map((one) => JSON.stringify(one).slice(0, 20));
  assert.deepEqual(told, ['["event","SDK_READY"', '["event","SDK_READY"', '["result",{"type":"U']);
  assert.equal(await page.evaluate("isBack"), true);
});
