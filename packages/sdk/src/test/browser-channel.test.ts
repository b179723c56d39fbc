/** Tests which messages the SDK accepts, and who gets the session key. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { frameOf, ordinary, pages, said, sessionKey } from "./pages.ts";

const it = await pages();

test("sends the key once, by message to the wallet's origin, and puts only its hash in the URL", async () => {
  const page = await it.open("/", `${ordinary} hello(); hello();`);
  await page.evaluate("make().show(document.querySelector('#place'))");
  assert.deepEqual(await said(page, 1), [["event", "SDK_READY"]]);
  const frame = await frameOf(page);
  const hash = createHash("sha256").update(sessionKey).digest("base64url");
  assert.equal(frame.url(), `${it.walletUrl}/sdk?s=${hash}`);
  assert.deepEqual(await frame.evaluate("keys"), [[sessionKey, it.hostUrl, 1]]);
});

test("reports the result once and in order, and nothing after it", async () => {
  const page = await it.open();
  await page.evaluate("make().show()");
  const frame = await frameOf(page);
  await frame.evaluate(
    "opened.then(() => say({ type: 'error', reason: 'SHARE_CREDENTIALS_ERROR' }, result('USER_OPTED_OUT'), result('USER_SHARED_CREDENTIALS'), { type: 'error', reason: 'SESSION_TIMEOUT' }, event, { type: 'resize', height: 600 }))",
  );
  await page.waitForFunction("document.querySelector('iframe').offsetHeight === 600");
  const all = await said(page, 3);
  const told = all.map((one) => JSON.stringify(one).replace(/,"step".*/, ""));
  assert.deepEqual(told, [
    '["event","SDK_READY"]',
    '["error","SHARE_CREDENTIALS_ERROR"]',
    '["result",{"type":"USER_OPTED_OUT","outcome":"declined"',
  ]);
});

const hello = '{ source: "countersign", type: "hello" }';

/** Each script sends a hello without being the frame. The page has received it once `heard` is not empty. */
const forgers: Record<string, string> = {
  "the page itself": `postMessage(${hello}, "*")`,
  "an event that a script created": `dispatchEvent(new MessageEvent("message", { data: ${hello}, origin: WALLET, source: FRAME.contentWindow }))`,
  "another frame of the wallet's origin": `{ const one = document.createElement("iframe"); one.src = WALLET + "/forger"; document.body.append(one); }`,
  "a frame inside the frame": `FRAME.contentWindow.postMessage("nest", "*")`,
  "another site in our frame": `FRAME.src = location.origin + "/forger"`,
  "our frame with an invalid hello": `FRAME.contentWindow.postMessage("mumble", "*")`,
};
const silent = `addEventListener("message", ({ data }) => {
  if (data === "nest") { const one = document.createElement("iframe"); one.src = "/nested"; document.body.append(one); }
  if (data === "mumble") parent.postMessage({ source: "countersign", type: "Hello" }, "*");
});`;

for (const [who, act] of Object.entries(forgers))
  test(`does not send the key to ${who}`, async () => {
    const forger = (target: string) => () => ({
      body: `<script>self.keys = []; addEventListener("message", (e) => keys.push(e.data)); ${target}.postMessage(${hello}, "*")</script>`,
    });
    it.wallet.set("/forger", forger("parent"));
    it.wallet.set("/nested", forger("top"));
    it.host.set("/forger", forger("parent"));
    const page = await it.open("/", "");
    it.wallet.set("/sdk", () => ({ body: `<script>self.opened = 1; self.keys = []; ${silent}</script>` }));
    await page.evaluate("make().show()");
    await frameOf(page);
    await page.evaluate(`{ const FRAME = document.querySelector("iframe"), WALLET = "${it.walletUrl}"; ${act}; }`);
    await page.waitForFunction("heard.length > 0");
    // The SDK's reply would arrive before this message.
    await page.evaluate(
      "new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); })",
    );
    for (const frame of page.frames()) assert.deepEqual(await frame.evaluate("self.keys ?? []"), [], frame.url());
    assert.deepEqual(await page.evaluate("said"), []);
    it.wallet.delete("/sdk");
    await page.close();
  });

test("ignores results and errors sent as window messages, replayed or not", async () => {
  const page = await it.open();
  await page.evaluate("make().show()");
  await said(page, 1);
  const frame = await frameOf(page);
  await frame.evaluate(
    `[result("USER_SHARED_CREDENTIALS"), { type: "error", reason: "SESSION_TIMEOUT" }, { source: "countersign", ...event }].forEach((one) => parent.postMessage(one, "*"))`,
  );
  await page.waitForFunction("heard.length >= 4");
  await page.evaluate(`heard.splice(0).forEach((data) => {
    postMessage(data, "*");
    dispatchEvent(new MessageEvent("message", { data, origin: "${it.walletUrl}", source: document.querySelector("iframe").contentWindow }));
  })`);
  await frame.evaluate("say(event)");
  assert.deepEqual(await said(page, 2), [
    ["event", "SDK_READY"],
    ["event", "SDK_READY"],
  ]);
  assert.deepEqual(await frame.evaluate("keys.length"), 1);
});

test("drops malformed messages on the channel and reads the next valid one", async () => {
  const page = await it.open();
  await page.evaluate("make().show()");
  await said(page, 1);
  await (await frameOf(page)).evaluate(
    `say(null, "result", [], { type: "result" }, { type: "result", result: { type: "USER_SHARED_CREDENTIALS" } },
      { type: "error", reason: "OTHER" }, { type: "event", event: { type: "SDK_READY2" } }, { type: "resize", height: "600" },
      { type: "resize", height: NaN }, { ...result("USER_OPTED_OUT"), type: "toString" }, { ...result("USER_OPTED_OUT"), extra: 1 })`,
  );
  const [, last] = await said(page, 2);
  assert.deepEqual(last, [
    "result",
    {
      outcome: "declined",
      type: "USER_OPTED_OUT",
      step: "done",
      identityUuid: "b9cee304-691a-44f6-8b4a-29c7773f71ab",
      healthDataUuid: null,
      verificationUuid: null,
      redirectUrl: null,
    },
  ]);
  assert.equal(await page.locator("iframe").evaluate((frame) => frame.style.height), "500px");
});

test("a reloaded frame gets no second key, and its session ends with SESSION_TIMEOUT", async () => {
  const page = await it.open();
  await page.evaluate("make().show()");
  await said(page, 1);
  const frame = await frameOf(page);
  await frame.evaluate("location.reload()");
  assert.deepEqual(await said(page, 2), [
    ["event", "SDK_READY"],
    ["error", "SESSION_TIMEOUT"],
  ]);
  assert.deepEqual(await frame.evaluate("keys"), []);
});

test("a frame that reloads before it has the key still gets the key", async () => {
  const page = await it.open("/", "");
  await page.evaluate("make().show()");
  const frame = await frameOf(page);
  it.frame.script = ordinary;
  await frame.evaluate("location.reload()");
  assert.deepEqual(await said(page, 1), [["event", "SDK_READY"]]);
  await frame.waitForFunction("document.readyState === 'complete'");
  await frame.evaluate("say(event)");
  assert.deepEqual(await said(page, 2), [
    ["event", "SDK_READY"],
    ["event", "SDK_READY"],
  ]);
  await frame.evaluate("location.reload()");
  assert.deepEqual((await said(page, 3)).at(2), ["error", "SESSION_TIMEOUT"]);
});

test("late and repeated hellos belong to the same session until the frame reloads", async () => {
  const page = await it.open("/", "");
  await page.evaluate("make().show()");
  const frame = await frameOf(page);
  await frame.waitForFunction("document.readyState === 'complete'");
  await frame.evaluate("hello(); hello(); opened.then(() => say(event))");
  assert.deepEqual(await said(page, 1), [["event", "SDK_READY"]]);
  it.frame.script = ordinary;
  await frame.evaluate("location.reload()");
  assert.deepEqual((await said(page, 2)).at(1), ["error", "SESSION_TIMEOUT"]);
});

test("two instances on one page have separate frames, keys, and results", async () => {
  const page = await it.open();
  await page.evaluate(`self.two = ["a", "b"].map((name) => make({ sessionKey: name.repeat(8) + KEY.slice(8), onResult: ({ type }) => said.push([name, type]) }));
    two.forEach((one) => one.show())`);
  await said(page, 2);
  const [a, b] = [await frameOf(page, 0), await frameOf(page, 1)];
  assert.deepEqual([await a.evaluate("keys[0][0][0]"), await b.evaluate("keys[0][0][0]")].sort(), ["a", "b"]);
  const first = (await a.evaluate("keys[0][0][0]")) === "a" ? a : b;
  const second = first === a ? b : a;
  await page.evaluate("two[0].destroy()");
  await second.evaluate("say(result('USER_OPTED_OUT'))");
  assert.deepEqual((await said(page, 3)).at(2), ["b", "USER_OPTED_OUT"]);
  assert.equal(await page.locator("iframe").count(), 1);
});
