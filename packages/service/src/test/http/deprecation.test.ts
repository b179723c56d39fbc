import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const textOf = (path: string) => readFile(new URL(`../../../../../${path}`, import.meta.url), "utf8");

test("v1 and v2.0 responses have the release's date in Deprecation, and a link; v2.1 responses have neither", async () => {
  const of = async (url: string, authorization: string) => {
    const { headers } = await it.inject({
      method: "POST",
      url,
      headers: { authorization },
      payload: { phone: "+12125550010" },
    });
    return [headers.deprecation, headers.sunset, headers.link];
  };
  const changelog = await textOf("CHANGELOG.md");
  const [, released = ""] = /^## 1\.0\.0 \((\d{4}-\d{2}-\d{2})\)$/m.exec(changelog) ?? [];
  const header = `@${Date.parse(released) / 1000}`;
  const marked = [header, undefined, '</docs/guides/migrating>; rel="deprecation"; type="text/html"'];
  assert.deepEqual(await of("/v2/1-click", "sk_sandbox_demo_semi_hosted"), marked);
  assert.deepEqual(await of("/1-click", "sk_sandbox_demo_v1"), marked);
  assert.deepEqual(await of("/1-click", "no key"), marked);
  assert.deepEqual(await of("/v2/1-click", demoKey), [undefined, undefined, undefined]);
  const guide = await textOf("docs/guides/migrating.md");
  assert.ok(guide.includes(`Deprecation: ${header}`));
});
