/** Tests the frame in React, and in browsers that block third-party cookies. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "vite";
import { frameOf, hostPage, ordinary, pages, said } from "./pages.ts";

const it = await pages();

async function bundled(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, "strict-mode-page.ts"), formats: ["iife"], name: "page" },
    },
  });
  const [only] = Array.isArray(made) ? made : [made];
  const chunks = only !== undefined && "output" in only ? only.output : [];
  return chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}

test("in StrictMode the component has one frame, uses one key, and calls the latest callbacks", async () => {
  const script = await bundled();
  it.host.set("/react.js", () => ({ type: "text/javascript", body: script }));
  it.host.set("/react", () => ({ body: hostPage('<script src="/react.js"></script>') }));
  const page = await it.open("/react");
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  await page.evaluate(`begin("${it.walletUrl}")`);
  await said(page, 1);
  const frame = await frameOf(page);
  await frame.evaluate("say(event)");
  await said(page, 2);
  await frame.evaluate("say(result('USER_SHARED_CREDENTIALS'))");
  assert.deepEqual(await said(page, 3), [
    ["event", "SDK_READY", 0],
    ["event", "SDK_READY", 1],
    ["result", "first", "USER_SHARED_CREDENTIALS", 2],
  ]);
  assert.deepEqual(await frame.evaluate("keys.map(([key]) => key)"), ["first"]);
  assert.equal(await page.locator(".signup iframe").count(), 1);
  await page.evaluate("again('second')");
  await said(page, 4);
  assert.deepEqual(await (await frameOf(page)).evaluate("keys.map(([key]) => key)"), ["second"]);
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
