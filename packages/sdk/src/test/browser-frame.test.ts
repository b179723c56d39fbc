/** Tests the frame on the page: its size, its focus, and its removal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../../../web/src/test/harness/browser.ts";
import { frameOf, hostPage, pages, said } from "./pages.ts";

const it = await pages();

test("the frame has the specified attributes and is hidden behind a loading state until it is ready", async () => {
  const page = await it.open("/", "hello()");
  await page.evaluate("make().show(document.querySelector('#place'))");
  const frame = await frameOf(page);
  await frame.evaluate("opened");
  const box = page.locator("#place > [data-countersign]");
  assert.equal(await box.getAttribute("aria-busy"), "true");
  await page.getByRole("progressbar", { name: "Loading" }).waitFor();
  const iframe = page.locator("iframe");
  assert.equal(await iframe.isVisible(), false);
  const attributes = await iframe.evaluate((element) =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  );
  const { src: _, style: __, ...rest } = attributes;
  assert.deepEqual(rest, {
    title: "Countersign",
    allow: "otp-credentials; digital-credentials-get",
    referrerpolicy: "no-referrer",
    sandbox: "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox",
  });
  await frame.evaluate("say(ready)");
  await iframe.waitFor({ state: "visible" });
  assert.equal(await box.getAttribute("aria-busy"), "false");
  assert.equal(await page.getByRole("progressbar").count(), 0);
});

test("in Spanish, the loading state has a Spanish name", async () => {
  const page = await it.open("/", "");
  await page.evaluate("make({ locale: 'es-MX' }).show()");
  await page.getByRole("progressbar", { name: "Cargando" }).waitFor();
});

test("the frame is as high as its content within limits, and never wider than its container or 440 px", async () => {
  const page = await it.open();
  await page.evaluate("make().show(document.querySelector('#place'))");
  await said(page, 1);
  const frame = await frameOf(page);
  const size = () =>
    page.evaluate("[document.querySelector('iframe').offsetWidth, document.querySelector('iframe').offsetHeight]");
  assert.deepEqual(await size(), [440, 500]);
  for (const [asked, given] of [
    [812.2, 813],
    [1, 320],
    [1e9, 4000],
  ]) {
    await frame.evaluate(`say({ type: "resize", height: ${asked} }, event)`);
    await page.waitForFunction(`document.querySelector("iframe").offsetHeight === ${given}`);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  assert.deepEqual(
    await page.evaluate(
      "[document.documentElement.scrollWidth, document.querySelector('[data-countersign]').offsetWidth <= 320]",
    ),
    [320, true],
  );
});

test("the focus moves into a frame opened by a click, and back when the frame is destroyed", async () => {
  const page = await it.open();
  await page.evaluate("document.querySelector('button').onclick = () => { self.sdk = make(); sdk.show(); }");
  await page.getByRole("button").click();
  await said(page, 1);
  const frame = await frameOf(page);
  await frame.waitForFunction("heard.length === 1 && document.hasFocus()");
  assert.deepEqual(await frame.evaluate("heard"), [{ type: "focus" }]);
  await page.evaluate("sdk.destroy()");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "before");
});

test("the focus stays where the person moved it while the frame was loading", async () => {
  const page = await it.open("/", "hello()");
  await page.evaluate("document.querySelector('#place').innerHTML = '<input>'");
  await page.evaluate("document.querySelector('button').onclick = () => { self.sdk = make(); sdk.show(); }");
  await page.getByRole("button").click();
  const frame = await frameOf(page);
  await page.getByRole("textbox").focus();
  await frame.evaluate("opened.then(() => say(ready, event))");
  await said(page, 1);
  assert.deepEqual(await frame.evaluate("heard"), []);
  await page.evaluate("sdk.destroy()");
  assert.equal(await page.evaluate("document.activeElement.tagName"), "INPUT");
});

test("a frame opened without a click does not take the focus", async () => {
  it.host.set("/auto", () => ({ body: hostPage("<script>make().show()</script>") }));
  const page = await it.open("/auto");
  await said(page, 1);
  const frame = await frameOf(page);
  await frame.evaluate("say(event)");
  await said(page, 2);
  assert.deepEqual(
    [await frame.evaluate("heard"), await page.evaluate("document.activeElement.tagName")],
    [[], "BODY"],
  );
});

test("show and destroy work in any order and number, and leave no elements behind", async () => {
  const page = await it.open();
  const orders = [
    "destroy",
    "show,show",
    "show,destroy,destroy",
    "destroy,show",
    "show,destroy,show",
    "show,show,destroy,show,destroy",
  ];
  for (const order of orders) {
    await page.evaluate(`{ self.sdk = make(); for (const act of "${order}".split(",")) sdk[act](); }`);
    const isShown = order === "show,show";
    if (isShown) await said(page, 1);
    assert.equal(await page.locator("iframe").count(), isShown ? 1 : 0, order);
    assert.equal(await page.locator("[data-countersign]").count(), isShown ? 1 : 0, order);
    await page.evaluate("sdk.destroy()");
  }
  assert.deepEqual(await page.evaluate("said"), [["event", "SDK_READY"]]);
  assert.equal(await page.locator("[data-countersign]").count(), 0);
});

test("show accepts a selector or an element, and throws a CountersignUsageError if there is none", async () => {
  const page = await it.open();
  for (const place of ["'#place'", "document.querySelector('main')"]) {
    await page.evaluate(`self.sdk = make(); sdk.show(${place})`);
    assert.equal(await page.locator("#place > [data-countersign]").count(), 1, place);
    await page.evaluate("sdk.destroy()");
  }
  for (const [place, name] of [
    ["'#none'", "#none"],
    ["'##'", "##"],
    ["null", "null"],
    ["{ append() {} }", "[object Object]"],
  ]) {
    const thrown = await page.evaluate(
      `{ const sdk = make(); try { sdk.show(${place}); } catch (error) { [error.name, error instanceof Error, error.message]; } }`,
    );
    const fix = `show(${name}) found no element: pass a selector or an element of the page.`;
    assert.deepEqual(thrown, ["CountersignUsageError", true, fix]);
  }
  await page.evaluate("{ const sdk = make(); try { sdk.show('#none'); } catch {} sdk.show('#place'); }");
  await said(page, 1);
});

test("no callback runs after destroy, even for messages that were already queued", async () => {
  const ends = "result('USER_OPTED_OUT'), { type: 'error', reason: 'SESSION_TIMEOUT' }";
  const page = await it.open("/", `hello(); opened.then(() => say(ready, event, event, ${ends}))`);
  await page.evaluate(
    "self.sdk = make({ onEvent: ({ type }) => { said.push(['event', type]); if (said.length === 2) sdk.destroy(); } }); sdk.show()",
  );
  await said(page, 2);
  assert.equal(await page.locator("iframe").count(), 0);
  it.frame.script = "hello(); opened.then(() => say(event))";
  await page.evaluate("make({ onEvent: () => said.push('the next one') }).show()");
  assert.deepEqual(await said(page, 3), [["event", "SDK_READY"], ["event", "SDK_READY"], "the next one"]);
});

test("an error thrown by a callback becomes the page's error, and later callbacks still run", async () => {
  const page = await it.open();
  await page.evaluate(`self.onerror = (message) => { said.push(["thrown", message]); };
    make({ onEvent() { throw new Error("mine") }, onError() { throw new Error("mine too") } }).show()`);
  await said(page, 1);
  await (await frameOf(page)).evaluate(
    "say({ type: 'error', reason: 'SHARE_CREDENTIALS_ERROR' }, result('USER_OPTED_OUT'))",
  );
  const told = (await said(page, 3)).map((one) => JSON.stringify(one).slice(0, 30));
  assert.deepEqual(told, [
    '["thrown","Uncaught Error: min',
    '["thrown","Uncaught Error: min',
    '["result",{"type":"USER_OPTED_',
  ]);
});

test("the frame works on a page whose policy allows only its own scripts and the frame", async () => {
  const policy = `default-src 'none'; script-src 'self'; frame-src ${it.walletUrl}; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'`;
  it.host.set("/show.js", () => ({ type: "text/javascript", body: "make().show()" }));
  it.host.set("/strict", () => ({
    body: hostPage('<script src="/show.js"></script>'),
    headers: { "content-security-policy": policy, "cross-origin-opener-policy": "same-origin" },
  }));
  const page = await it.open("/strict");
  assert.deepEqual(await said(page, 1), [["event", "SDK_READY"]]);
  assert.deepEqual(await page.evaluate("violations"), []);
  assert.deepEqual(
    await page.evaluate(
      "{ const frame = document.querySelector('iframe'); [frame.offsetWidth, frame.offsetHeight, getComputedStyle(frame).visibility] }",
    ),
    [440, 500, "visible"],
  );
});

test("without WebCrypto, the SDK reports UNREACHABLE and shows no frame", async () => {
  const page = await it.open();
  await page.evaluate("Object.defineProperty(crypto, 'subtle', { value: undefined }); make().show()");
  assert.deepEqual(await said(page, 1), [["error", "UNREACHABLE"]]);
  assert.equal(await page.locator("iframe").count(), 0);
  assert.equal(await page.getByRole("progressbar").count(), 0);
});

test("the loading state and the frame are accessible", async () => {
  it.host.set("/whole", () => ({
    body: hostPage("<script>document.documentElement.lang = 'en'</script>", "<main id='place'><h1>Sign up</h1></main>"),
  }));
  const page = await it.open(
    "/whole",
    "hello(); document.documentElement.lang = 'en'; document.body.innerHTML = '<main><h1>Phone</h1></main>'",
  );
  await page.evaluate("make().show(document.querySelector('#place'))");
  const frame = await frameOf(page);
  await assertAccessible(page);
  await frame.evaluate("opened.then(() => say(ready, event))");
  await said(page, 1);
  await assertAccessible(page);
});
