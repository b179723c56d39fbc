/** The page and the server of the SDK's guide, as a brand's site. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { forkedServer, listenAnywhere } from "../../../../service/src/test/harness/forked-server.ts";
import type { BrowserSandbox } from "./browser.ts";

const root = resolve(import.meta.dirname, "../../../../..");

/** The block of the SDK's guide, in the page of a brand. */
function brandPage(walletUrl: string): string {
  const guide = readFileSync(join(root, "docs/guides/signup-sdk.md"), "utf8");
  const block = /```html page-signup\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail("the guide has no page");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pied Piper</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; background: light-dark(#f4f6f5, #111513) }
header { padding: 1rem 2rem; font-weight: 700; background: light-dark(#fff, #1a201d) }
main { width: 440px; margin: 1.5rem auto }
#signup { overflow: hidden; border: 1px solid light-dark(#dfe3e1, #333a36); border-radius: 1rem }
</style></head><body><header>Pied Piper</header><main><h1>Open your account</h1>
${block.replaceAll("http://localhost:4001", walletUrl)}</main></body></html>`;
}

/** Runs the server of the SDK's guide with its page. */
export async function guideSite(it: BrowserSandbox, settings: Record<string, unknown>) {
  const { apiKey } = await it.brand({ ...settings, integrationType: "sdk" });
  const guide = readFileSync(join(root, "docs/guides/signup-sdk.md"), "utf8");
  const server = /```js page-server\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail("the guide has no server");
  const own = mkdtempSync(join(tmpdir(), "countersign-guide-"));
  writeFileSync(join(own, "signup.html"), brandPage(it.walletUrl));
  const changed = server
    .replace("http://localhost:4000", it.deps.addresses.apiUrl)
    .replace("sk_sandbox_demo_sdk", apiKey)
    .replace("listen(4300)", listenAnywhere);
  const path = join(own, "server.mjs");
  assert.ok(changed.includes(listenAnywhere));
  writeFileSync(path, changed);
  const started = await forkedServer(path, { cwd: own });
  after(() => rmSync(own, { recursive: true, force: true }));
  return started;
}
