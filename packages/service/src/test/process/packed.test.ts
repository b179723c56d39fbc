// rest: packs what is published, and installs it
/** What `npm run pack` writes: the service as a program that needs no clone, and its SBOM. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, test } from "node:test";
import type { Ready } from "../../service.ts";
import { callsTo } from "../harness/load.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const empty = await mkdtemp(join(tmpdir(), "countersign-packed-"));
after(() => rm(empty, { recursive: true, force: true }));
// A build in the same process may have set this, and npm leaves out packages then.
const env = { ...process.env, NODE_ENV: "production" };
execFileSync(process.execPath, ["tools/bootstrap.mjs", "pack"], { cwd: root, env });
const { name, version, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tarball = join(root, "dist", `${name}-${version}.tgz`);
const listed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");

test("npx starts the package in an empty folder, and it returns an identity and the documents", async () => {
  copyFileSync(tarball, join(empty, basename(tarball)));
  const ports = { API_PORT: "0", WALLET_PORT: "0", DASHBOARD_PORT: "0", OPERATOR_PORT: "0" };
  const child = spawn("npx", ["--yes", `./${basename(tarball)}`, "start"], {
    cwd: empty,
    detached: true,
    // npx keeps what it installs in npm's cache.
    env: { ...process.env, npm_config_cache: join(empty, "npm"), LOG_LEVEL: "silent", ...ports },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  after(() => child.exitCode ?? process.kill(-(child.pid ?? assert.fail()), "SIGKILL"));
  let said = "";
  for await (const part of child.stdout.setEncoding("utf8")) {
    said += part;
    if (said.includes("Request an identity")) break;
  }
  assert.match(said, /Countersign is ready/);
  const ready: Ready = JSON.parse(readFileSync(join(empty, ".data/ready.json"), "utf8"));
  const { apiUrl, walletUrl } = ready.environments.sandbox;
  const call = callsTo(apiUrl, "sk_sandbox_demo_api");
  assert.equal((await call("/v2/1-click", { body: { phone: "+12125550010" } })).status, 201);
  const documents = await (await fetch(`${apiUrl}/docs/`)).text();
  assert.ok(documents.includes("Verified identity data, with consent"), "the documents");
  const stage = await (await fetch(`${walletUrl}/demo`)).text();
  assert.ok(stage.includes("assets/demo-"), "the stage");
  process.kill(-(child.pid ?? assert.fail()), "SIGTERM");
  await closed;
});

test("the package has the files that the service reads, and none of tests, sources or this machine", () => {
  const others = listed.filter(
    (path) => !/^package\/(docs\/\.vitepress|packages\/(web|sdk|service)\/dist)\//.test(path),
  );
  assert.deepEqual(
    others.filter((path) => !/\.(png|svg)$/.test(path)).sort(),
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "THIRD-PARTY-LICENSES.txt",
      "docs/api/identity-source.json",
      "docs/api/risk-source.json",
      "docs/api/v1.json",
      "docs/api/v2.json",
      "package.json",
      "packages/service/bin/packed.mjs",
      "packages/service/package.json",
      "tools/run-pinned.mjs",
    ].map((path) => `package/${path}`),
  );
  assert.ok(!listed.some((path) => path.endsWith("packages.json")));
  const unpacked = execFileSync("tar", ["-xOzf", tarball], { maxBuffer: 256 << 20 });
  assert.ok(!unpacked.includes(root), "a path of this machine");
});

test("the notes of the release are what the changelog says about its version", () => {
  const notes = readFileSync(join(root, "dist/release-notes.md"), "utf8");
  assert.ok(readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(`## ${version} (`));
  assert.match(notes, /^The first release\./);
  assert.ok(!notes.includes("\n## "));
});

/** The package with the script of the API reference, which no bundler reads. */
const reference = "@scalar/fastify-api-reference";
type Sbom = { components: { name: string; version: string; licenses: unknown[]; hashes: unknown[] }[] };

test("the SBOM of each package lists what is inside, each with its license and hash", () => {
  const [service = assert.fail(), sdk = assert.fail()] = globSync("*.cdx.json", { cwd: join(root, "dist") })
    .sort()
    .map((path): Sbom => JSON.parse(readFileSync(join(root, "dist", path), "utf8")));
  assert.deepEqual(sdk.components, []);
  const names = new Set(service.components.map((one) => one.name));
  for (const inside of ["fastify", "pg", "kysely", "preact", "vue", reference, ...Object.keys(optionalDependencies)])
    assert.ok(names.has(inside), inside);
  for (const outside of ["vite", "typescript", "playwright-core"]) assert.ok(!names.has(outside), outside);
  for (const { name: of, licenses, hashes } of service.components)
    assert.deepEqual([licenses.length, hashes.length], [1, 1], of);
  const texts = execFileSync("tar", ["-xOzf", tarball, "package/THIRD-PARTY-LICENSES.txt"], { encoding: "utf8" });
  for (const inside of ["fastify", "pg", "kysely", "preact", "vue", reference])
    assert.match(texts, new RegExp(`^${inside} \\d`, "m"));
});
