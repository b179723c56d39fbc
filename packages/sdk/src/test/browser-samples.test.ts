/** Runs the samples of the README in a browser: the page, and the components for React, Vue and Svelte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "svelte/compiler";
import { compileScript, parse } from "vue/compiler-sfc";
import { bundled } from "./bundled.ts";
import { frameOf, hostPage, pages, said, sessionKey } from "./pages.ts";
import { samples } from "./samples.ts";

const it = await pages();
const readme = samples().filter(({ from }) => from === "packages/sdk/README.md");

/** The README's only sample that contains all of the words. */
function sampleOf(language: string, word = ""): string {
  const found = readme.filter((one) => one.language === language && one.code.includes(word));
  assert.equal(found.length, 1);
  return found[0]?.code ?? "";
}

/** Compiles a component as its framework's plugin for Vite does. */
const compilers: Readonly<Record<string, (code: string) => string>> = {
  vue(code) {
    const { descriptor, errors } = parse(code, { filename: "signup.vue" });
    assert.deepEqual(errors, []);
    return compileScript(descriptor, { id: "signup", inlineTemplate: true }).content;
  },
  svelte(code) {
    const { js, warnings } = compile(code, { filename: "signup.svelte", generate: "client", dev: true });
    assert.deepEqual(warnings, []);
    return js.code;
  },
};

/** How a page of each framework shows the component and removes it. */
const mounts = {
  tsx: `import { createElement, StrictMode } from "react"; import { createRoot } from "react-dom/client";
    import * as all from "signup";
    self.begin = (options, name = "Signup") => { const root = createRoot(place); self.end = () => root.unmount();
      root.render(createElement(StrictMode, null, createElement(all[name], options))); };`,
  vue: `import { createApp, h } from "vue"; import Signup from "signup";
    self.begin = (options) => { const app = createApp(() => h(Signup, { options })); app.mount(place); self.end = () => app.unmount(); };`,
  svelte: `import { mount, unmount } from "svelte"; import Signup from "signup";
    self.begin = (options) => { const made = mount(Signup, { target: place, props: { options } }); self.end = () => unmount(made); };`,
} as const;

/** Opens a page that loads a module. Errors of the page are collected. */
async function openWith(script: string, body?: string, frame?: string) {
  it.host.set("/sample.js", () => ({ type: "text/javascript", body: script }));
  it.host.set("/sample", () => ({ body: hostPage('<script type="module" src="/sample.js"></script>', body) }));
  const page = await it.open("/sample", frame);
  const failures: string[] = [];
  page.on("pageerror", (error) => failures.push(error.message));
  page.on("console", (message) => /error|warning/.test(message.type()) && failures.push(message.text()));
  return { page, failures };
}

const options = `{ sessionKey: KEY, walletUrl: "${it.walletUrl}", onEvent: ({ type }) => said.push(type),
  onResult: ({ outcome }) => said.push(outcome), onError: ({ message }) => said.push(message) }`;

for (const [language, name] of [["tsx", "Signup"], ["tsx", "SignupSection"], ["vue"], ["svelte"]] as const)
  test(`the README's ${language} ${name ?? "component"} shows the frame, tells the result, and removes the frame`, async () => {
    const code = sampleOf(language);
    const script = await bundled("entry", { entry: mounts[language], signup: compilers[language]?.(code) ?? code });
    const { page, failures } = await openWith(script);
    await page.waitForFunction("self.begin !== undefined");
    await page.evaluate(`begin(${options}, ${JSON.stringify(name)})`);
    assert.deepEqual(await said(page, 1), ["SDK_READY"]);
    assert.equal(await page.locator("#place iframe").count(), 1);
    const frame = await frameOf(page);
    await frame.evaluate("say(result('USER_SHARED_CREDENTIALS'))");
    assert.deepEqual(await said(page, 2), ["SDK_READY", "shared"]);
    assert.equal(await frame.evaluate("keys.length"), 1);
    await page.evaluate("end()");
    await page.locator("iframe").waitFor({ state: "detached" });
    assert.deepEqual(failures, []);
  });

const ownForm = '<div id="signup"></div><form id="own" hidden>Own</form>';

test("the README's page sends what was shared to its server, and otherwise shows its own form", async () => {
  it.host.set("/session", () => ({ type: "application/json", body: `{"sessionKey":"${sessionKey}"}` }));
  const sent = new Promise<string>((resolve) => {
    it.host.set("/signup", (response) => {
      response.req.on("data", (body) => resolve(String(body)));
      return { body: "ok" };
    });
  });
  const code = sampleOf("ts", 'sdk.show("#signup")').replace("https://wallet.example", it.walletUrl);
  const script = await bundled("entry", { entry: code });
  const end = (type: string) => `hello(); opened.then(() => say(ready, result("${type}")))`;
  const shared = await openWith(script, ownForm, end("USER_SHARED_CREDENTIALS"));
  assert.match(await sent, /^[0-9a-f-]{36}$/);
  assert.equal(await shared.page.locator("iframe").count(), 0);
  assert.equal(await shared.page.getByText("Own").isVisible(), false);
  const declined = await openWith(script, ownForm, end("USER_OPTED_OUT"));
  await declined.page.getByText("Own").waitFor();
  assert.equal(await declined.page.locator("iframe").count(), 0);
  assert.deepEqual([shared.failures, declined.failures], [[], []]);
});
