/** Runs the server of the guide to Hosted pages next to the real service, with a person who shares. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "../harness/document-blocks.ts";
import { forkedServer, listenAnywhere } from "../harness/forked-server.ts";
import { dataDir, start, suiteDatabase } from "../harness/service-process.ts";

const { ready } = await start(await dataDir(), await suiteDatabase());
const { apiUrl, walletUrl } = ready.environments.sandbox;
const folder = mkdtempSync(join(tmpdir(), "countersign-hosted-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the server on a free port, with the SDK's sources in place of the package. */
async function sampleServer() {
  const guide = readFileSync(resolve(root, "docs/guides/signup-hosted.md"), "utf8");
  const code = /```ts server-hosted\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail("the guide has no server");
  const sdk = pathToFileURL(resolve(root, "packages/sdk/src/server.ts")).href;
  const path = join(folder, "hosted.ts");
  const changed = code
    .replace("@countersign/sdk/server", sdk)
    .replace("http://localhost:4000", apiUrl)
    .replace("listen(4300)", listenAnywhere);
  assert.ok(changed.includes(listenAnywhere));
  writeFileSync(path, changed);
  return await forkedServer(path);
}

test("the Hosted server texts the code, redirects, and reads the data only for the visitor who started", async () => {
  const { url: site, printed } = await sampleServer();
  assert.match(await (await fetch(site)).text(), /<form method="post" action="\/signup">/);
  const body = new URLSearchParams({ phone: "(212) 555-0010" });
  const begun = await fetch(`${site}/signup`, { method: "POST", body, redirect: "manual" });
  const url = begun.headers.get("location") ?? "";
  const [cookie = ""] = begun.headers.getSetCookie().map((one) => one.split(";")[0]);
  assert.deepEqual([begun.status, url.startsWith(`${walletUrl}/request/`)], [303, true]);
  await printed("out", /^Text to \+12125550010: 111111 is your code\.\n/);
  const person = resolve(root, "packages/service/src/test/harness/person-by-fetch.ts");
  const answer = JSON.stringify({ url, code: "111111" });
  // A blocking call would keep `fetch` from seeing that the server closed its idle connection.
  const shared = await promisify(execFile)(process.execPath, [person, answer, walletUrl]);
  const { pathname, search } = new URL(shared.stdout.trim());
  assert.equal(pathname, "/back");
  const back = async (query: string, headers: Record<string, string>) => {
    const response = await fetch(`${site}/back${query}`, { headers });
    return [response.status, await response.text()];
  };
  const refused = [403, "This is not your signup."];
  assert.deepEqual(await back(search, {}), refused);
  assert.deepEqual(await back("?identityUuid=b9cee304-691a-44f6-8b4a-29c7773f71ab", { cookie }), refused);
  assert.deepEqual(await back(search, { cookie }), [200, "Shared: fullName, phone, address, birthDate, ssn"]);
  assert.deepEqual(await back(`${search}&optedOut=true`, { cookie }), [200, "You declined: here is our form."]);
});

test("an hour after its start, a signup's page is no longer found", async () => {
  const headers = { authorization: "sk_sandbox_demo_hosted", "content-type": "application/json" };
  const send = async (path: string, body: object) => {
    const response = await fetch(`${apiUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(response.ok);
    return await response.json();
  };
  const { url } = await send("/v2/1-click", { phone: "+12125550010", redirectUrl: "http://localhost:4300/back" });
  const page = async () => {
    const response = await fetch(url.replace("/request/", "/api/page/"));
    return (await response.json()).data?.errorCode;
  };
  assert.equal(await page(), undefined);
  await send("/sandbox/clock", { advanceMs: 3_600_000 });
  assert.equal(await page(), "OCE015");
});
