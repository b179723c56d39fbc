import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import type { HTTPMethods } from "fastify";
import { openMetrics } from "../../http/metrics.ts";
import { routesOperation } from "../../http/operation.ts";
import { createServer } from "../../http/server.ts";
import { paste } from "../harness/run-shell.ts";
import { assertEnvelope, sandbox } from "../harness/sandbox.ts";
import { routesOf } from "../harness/served-routes.ts";

const it = await sandbox();
const root = resolve(import.meta.dirname, "../../../../..");
const readme = await readFile(resolve(root, "README.md"), "utf8");
const apiUrl = await it.app.listen({ host: "127.0.0.1", port: 0 });

async function get(url: string, headers: Record<string, string> = {}) {
  const { statusCode: status, headers: answered, body } = await it.app.inject({ method: "GET", url, headers });
  return { status, headers: answered, text: body };
}

test("an OpenAPI document needs no key and is cacheable", async () => {
  const { status, headers } = await get("/openapi/v2.json");
  assert.deepEqual([status, headers["content-type"]], [200, "application/json; charset=utf-8"]);
  assert.equal(headers["cache-control"], "public, max-age=3600");
});

test("the served OpenAPI document is the committed one, has only local references, and its paths are all routed", async () => {
  const { text } = await get("/openapi/v2.json");
  assert.equal(text, await readFile(resolve(root, "docs/api/v2.json"), "utf8"));
  const document = JSON.parse(text) as { openapi: string; paths: Record<string, Record<string, unknown>> };
  assert.match(document.openapi, /^3\.1\./);
  for (const [, reference] of text.matchAll(/"\$ref": ?"([^"]*)"/g)) assert.match(reference ?? "", /^#\/components\//);
  for (const [path, operations] of Object.entries(document.paths)) {
    const url = path.replace(/\{(\w+)\}/g, ":$1");
    for (const method of Object.keys(operations).filter((one) => /^(get|post|patch|delete)$/.test(one)))
      assert.ok(it.app.hasRoute({ method: method.toUpperCase() as HTTPMethods, url }), `${method} ${path}`);
  }
});

test("every API route is in an OpenAPI document, under each of its prefixes", async () => {
  const described = new Set<string>();
  for (const name of ["v1", "v2"]) {
    const { paths } = JSON.parse((await get(`/openapi/${name}.json`)).text) as { paths: Record<string, object> };
    for (const [path, operations] of Object.entries(paths))
      for (const method of Object.keys(operations)) described.add(`${method.toUpperCase()} ${path}`);
  }
  const missing = routesOf(it.app, "api")
    .filter(({ endpoint }) => endpoint !== null)
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
    .filter((call) => !described.has(call));
  assert.deepEqual(missing, []);
});

test("/livez and /readyz return ok without a key and are not cached", async () => {
  for (const path of ["/livez", "/readyz"]) {
    const { status, headers, text } = await get(path);
    assert.deepEqual([status, text, headers["cache-control"]], [200, '{"status":"ok"}', "no-store"]);
  }
});

test("the metrics show the backlog of the job queue on each read", async () => {
  const now = it.deps.clock.now();
  const row = { environment: "sandbox", name: "no.such", subject: "a", payload: "{}", leased_until: 0 };
  // Lease the jobs so that no worker takes them.
  const leased = { ...row, leased_until: Number.MAX_SAFE_INTEGER };
  await it.stores.store.db
    .insertInto("job")
    .values([
      { ...leased, due_at: now - 90_000 },
      { ...leased, subject: "b", due_at: now },
      { ...leased, subject: "c", due_at: now + 1_000_000 },
      { ...leased, subject: "d", due_at: now, failed_at: now },
    ])
    .execute();
  const metric = async (name: string) =>
    Number(new RegExp(`^${name}\\{environment="sandbox"\\} (.+)$`, "m").exec((await get("/metrics")).text)?.[1]);
  assert.deepEqual(
    [await metric("jobs_due"), await metric("jobs_failed"), await metric("jobs_oldest_due_seconds")],
    [2, 1, 90],
  );
  await it.stores.store.db.deleteFrom("job").where("name", "=", "no.such").execute();
  assert.deepEqual([await metric("jobs_due"), await metric("jobs_failed")], [0, 0]);
});

test("without its database, the service is live but not ready", async () => {
  const options = { traced: false, trustedProxies: [], onRequestDone: () => {}, onBreakdown: () => {} };
  const app = createServer(options);
  routesOperation(app, {
    ready: async () => false,
    metrics: () => openMetrics().registry.metrics(),
    metricsToken: null,
    metricsOpen: false,
    publicKeys: [],
  });
  assert.equal((await app.inject({ method: "GET", url: "/livez" })).statusCode, 200);
  const answer = await app.inject({ method: "GET", url: "/readyz" });
  assertEnvelope(503, answer.json());
  assert.deepEqual([answer.statusCode, answer.headers["retry-after"]], [503, "1"]);
});

test("metrics are public when DEMO is on; otherwise they need the token, and are closed if none is configured", async () => {
  const { status, headers, text } = await get("/metrics");
  assert.deepEqual([status, headers["content-type"]], [200, "text/plain; version=0.0.4; charset=utf-8"]);
  assert.match(
    text,
    /^http_server_requests_total\{environment="sandbox",method="GET",route="\/livez",status="200",error_code=""\} \d+$/m,
  );
  const asked = async (token: string | null, given?: string): Promise<number> => {
    const closed = await sandbox({}, { DEMO: "off", ...(token === null ? {} : { METRICS_TOKEN: token }) });
    const answer = await closed.inject({
      method: "GET",
      url: "/metrics",
      headers: given === undefined ? {} : { authorization: given },
    });
    if (answer.status >= 400) assertEnvelope(answer.status, answer.body);
    return answer.status;
  };
  const right = "the-right-token-of-metrics";
  assert.equal(await asked(right), 401);
  assert.equal(await asked(right, "wrong"), 401);
  assert.equal(await asked(right, `Bearer ${right}`), 200);
  assert.equal(await asked(null, "null"), 401);
});

test("metrics name routes by their template and contain no IDs, phones or keys", async () => {
  await get("/v2/1-click/5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21", { authorization: "sk_sandbox_demo_api" });
  await get("/nothing/+12125550010");
  const { text } = await get("/metrics");
  assert.match(text, /route="\/v2\/1-click\/:uuid",status="404",error_code="OCE015"/);
  assert.match(text, /route="unknown",status="404"/);
  assert.doesNotMatch(text, /5f0c2a52|2125550010|sk_sandbox/);
});

const section = /## The first hour\n(.*?)\n## /s.exec(readme)?.[1] ?? "";
const blocks = (text: string) => [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block ?? "");

test("the README's curl commands succeed or return the errors that it documents", async () => {
  const first = blocks(readme).filter((block) => block.startsWith("curl") && !section.includes(block));
  assert.equal(first.length, 1);
  const lines = [...first, ...blocks(section)].join("\n").replaceAll("localhost:4000", new URL(apiUrl).host);
  assert.ok(blocks(section).length >= 3);
  const { out, statuses } = await paste(lines);
  assert.equal(statuses.length, lines.match(/\bcurl /g)?.length);
  const refused = statuses.filter((status) => status < 200 || status > 299);
  const codes = [...out.matchAll(/"errorCode":"(\w+)"/g)].map(([, code]) => code ?? "");
  assert.equal(refused.length, codes.length, out);
  for (const code of codes) assert.ok(section.includes(code), `README does not mention ${code}`);
  assert.match(out, /"firstName":"Richard"/);
  assert.match(out, /"errorCode":"OCV007"/);
});

for (const path of ["packages/sdk/README.md"]) {
  test(`the curl commands in ${path} succeed as written`, async () => {
    const calls = blocks(await readFile(resolve(root, path), "utf8")).filter((block) => block.includes("curl"));
    const { out, statuses } = await paste(calls.join("\n").replaceAll("localhost:4000", new URL(apiUrl).host));
    assert.ok(calls.length > 0 && statuses.length === calls.length);
    for (const status of statuses) assert.ok(status >= 200 && status < 300, out);
  });
}
