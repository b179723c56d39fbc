/** How the service serves a build of the documentation site, here a small one. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type DocumentedUrls, routesDocs } from "../../http/docs.ts";
import { createServer } from "../../http/server.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const folder = await mkdtemp(join(tmpdir(), "countersign-site-"));
after(() => rm(folder, { recursive: true, force: true }));
const app = createServer({ traced: false, trustedProxies: [], onRequestDone: () => {}, onBreakdown: () => {} });
let urls: DocumentedUrls = ["http://localhost:4000", "http://localhost:4001", "http://localhost:4002"];
routesDocs(app, {}, { urls: () => urls, folder, hasDemo: true });
/** A server without demo brands, as operators run it. */
const operated = createServer({ traced: false, trustedProxies: [], onRequestDone: () => {}, onBreakdown: () => {} });
routesDocs(operated, {}, { urls: () => urls, folder, hasDemo: false });

async function get(url: string, headers: Record<string, string> = {}, from = app) {
  const {
    statusCode: status,
    headers: answered,
    body,
    rawPayload,
  } = await from.inject({ method: "GET", url, headers });
  return { status, headers: answered, body, rawPayload };
}

async function publish(version: string, files: Record<string, string>): Promise<void> {
  const facts = { scriptHashes: ["sha256-abc"] };
  for (const [path, text] of Object.entries({ ...files, "site.json": JSON.stringify(facts) })) {
    await mkdir(dirname(join(folder, version, path)), { recursive: true });
    await writeFile(join(folder, version, path), text);
  }
  await writeFile(join(folder, "current"), version);
}

test("without a build, /docs says that it is being built and what to run, and reloads by itself", async () => {
  const { status, headers, body } = await get("/docs/");
  assert.deepEqual([status, headers["retry-after"], headers["cache-control"]], [503, "5", "no-store"]);
  assert.match(body, /npm run build -- docs/);
  assert.match(body, /http-equiv="refresh"/);
});

test("without a build, /docs of an operated server says that its operator builds it, and does not reload", async () => {
  const { status, headers, body } = await get("/docs/", {}, operated);
  assert.deepEqual([status, headers["retry-after"]], [503, undefined]);
  assert.match(body, /Only the operator of this server can build it/);
  assert.doesNotMatch(body, /http-equiv="refresh"|npm start/);
});

test("an operated server shows the words for the reader's own key and brand instead of the demo's", async () => {
  const text = "curl localhost:4000 -H 'Authorization: sk_sandbox_demo_api_2' b0000000-0000-4000-8000-000000000001";
  await publish("demo", { "index.html": text, "assets/page.1.js": text, "404.html": "none", "mark.svg": text });
  assert.equal((await get("/docs/")).body, text);
  for (const path of ["/docs/", "/docs/assets/page.1.js"]) {
    const { body, headers } = await get(path, {}, operated);
    assert.equal(body, "curl localhost:4000 -H 'Authorization: YOUR_SANDBOX_API_KEY' YOUR_BRAND_ID");
    assert.equal(headers["cache-control"], "no-cache");
  }
  const [own, demo] = [await get("/docs/", {}, operated), await get("/docs/")];
  assert.notEqual(own.headers.etag, demo.headers.etag);
});

test("a build is served as soon as it exists, with clean URLs and a page for 404", async () => {
  await publish("one", {
    "index.html": "home",
    "404.html": "none",
    "reference/errors.html": "errors",
    "reference/errors.md": "# Errors",
    "assets/app.1.js": "1",
    "assets/app.1.js.br": "packed",
  });
  const seen = async (url: string) => {
    const { status, headers, body } = await get(url);
    return [status, headers["content-type"] ?? headers.location, body];
  };
  const html = "text/html; charset=utf-8";
  assert.deepEqual(await seen("/docs/"), [200, html, "home"]);
  assert.deepEqual(await seen("/docs/reference/errors"), [200, html, "errors"]);
  assert.deepEqual(await seen("/docs/reference/errors.md"), [200, "text/markdown; charset=utf-8", "# Errors"]);
  assert.deepEqual(await seen("/docs/nothing"), [404, html, "none"]);
  assert.deepEqual(await seen("/docs/..%2f..%2fcurrent"), [404, html, "none"]);
  assert.equal((await get("/docs")).headers.location, "/docs/");
  await publish("two", { "index.html": "new home", "404.html": "none" });
  assert.deepEqual(await seen("/docs/"), [200, html, "new home"]);
});

test("files with a hash in their name are cached forever; others are checked by their tag; both are compressed", async () => {
  await publish("one", { "index.html": "home", "assets/app.1.js": "1", "assets/app.1.js.br": "packed" });
  const asset = await get("/docs/assets/app.1.js", { "accept-encoding": "gzip, br" });
  assert.equal(asset.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.deepEqual(
    [asset.headers["content-encoding"], asset.headers.vary, asset.body],
    ["br", "accept-encoding", "packed"],
  );
  const page = await get("/docs/");
  assert.deepEqual([page.headers["cache-control"], page.headers["content-encoding"]], ["no-cache", undefined]);
  const again = await get("/docs/", { "if-none-match": String(page.headers.etag) });
  assert.deepEqual([again.status, again.body], [304, ""]);
});

test("with other ports or public URLs, the documents name the service's own, and each browser gets them", async (t) => {
  const before = urls;
  t.after(() => (urls = before));
  const text =
    "curl localhost:4000/v2, <http://localhost:4001/sdk.js>, &quot;http://localhost:4002&quot; localhost:40000";
  await publish("three", {
    "index.html": text,
    "index.html.br": "packed",
    "index.html.gz": "packed",
    "index.md": text,
    "404.html": "none",
    "assets/page.1.js": text,
    "assets/app.1.js": "1",
    "mark.svg": text,
  });
  const written = await get("/docs/");
  assert.equal(written.body, text);
  assert.equal((await get("/docs/assets/page.1.js")).headers["cache-control"], "no-cache", "its URLs can change");
  urls = ["http://localhost:5100", "https://me.example", "http://localhost:5102"];
  const own = "curl localhost:5100/v2, <https://me.example/sdk.js>, &quot;http://localhost:5102&quot; localhost:40000";
  for (const [encoding, unpack] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const packed = await get("/docs/", { "accept-encoding": encoding });
    assert.equal(packed.headers["content-encoding"], encoding);
    assert.equal(packed.headers["content-length"], String(packed.rawPayload.length));
    assert.equal(unpack(packed.rawPayload).toString(), own);
  }
  const page = await get("/docs/", { "if-none-match": String(written.headers.etag) });
  assert.deepEqual([page.status, page.body], [200, own]);
  assert.equal((await get("/docs/", { "if-none-match": String(page.headers.etag) })).status, 304);
  assert.equal((await get("/docs/index.md")).body, own);
  const asset = await get("/docs/assets/page.1.js");
  assert.deepEqual([asset.body, asset.headers["cache-control"]], [own, "no-cache"]);
  assert.match(String((await get("/docs/assets/app.1.js")).headers["cache-control"]), /immutable/);
  assert.equal((await get("/docs/mark.svg")).rawPayload.toString(), text);
  urls = ["https://api.example", "https://me.example", "https://dashboard.example"];
  const hosted = await get("/docs/", { "if-none-match": String(page.headers.etag) });
  assert.match(hosted.body, /^curl https:\/\/api\.example\/v2, /);
  urls = ["https://api.example", "", "https://dashboard.example"];
  assert.match((await get("/docs/")).body, /, <http:\/\/localhost:4001\/sdk\.js>, /, "an unknown URL is not replaced");
});

test("the policy of a page allows no resources of other hosts, and no inline scripts except the build's own", async () => {
  const policy = String((await get("/docs/")).headers["content-security-policy"]);
  assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-abc';/);
  const sources = new Set(policy.split(";").flatMap((one) => one.trim().split(" ").slice(1)));
  assert.deepEqual([...sources].sort(), ["'none'", "'self'", "'sha256-abc'", "'unsafe-inline'", "data:"]);
});

test("the API reference may use demo keys from this origin; other keys, origins and environments get nothing", async () => {
  const it = await sandbox();
  const body = JSON.stringify({ phone: "+12125550010" });
  const call = async (headers: Record<string, string>, from = it.app) => {
    const sent = { "content-type": "application/json", host: "localhost", ...headers };
    return await from.inject({ method: "POST", url: "/docs/try/v2/1-click", headers: sent, payload: body });
  };
  const here = { "sec-fetch-site": "same-origin", origin: "http://localhost" };
  const answer = await call({ ...here, "x-demo-key": demoKey });
  assert.equal(answer.statusCode, 201, answer.body);
  assert.equal(
    answer.json<{ identity: { credentials: { birthDate: string } } }>().identity.credentials.birthDate,
    "1989-08-01",
  );
  const own = (await it.brand()).apiKey;
  assert.equal((await call({ ...here, "x-demo-key": own })).statusCode, 403);
  assert.equal((await call({ ...here, "x-demo-key": own, authorization: own })).statusCode, 418);
  for (const site of ["same-site", "cross-site", "none"])
    assert.equal((await call({ "sec-fetch-site": site, "x-demo-key": demoKey })).statusCode, 403, site);
  assert.equal((await call(here)).statusCode, 401);
  const closed = await sandbox({}, { DEMO: "off" });
  assert.ok((await call({ ...here, "x-demo-key": demoKey }, closed.app)).statusCode >= 400);
});
