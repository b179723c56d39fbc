/** The packages that others install: their names, their changesets, and the workflow that publishes them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const manifests = globSync("packages/*/package.json", { cwd: root }).map((path) => JSON.parse(textOf(path)));
const names = new Set(manifests.map(({ name }) => name));
const published = manifests.filter((manifest) => manifest.private !== true);

/** Files with a mention of one of our packages under any scope, such as `@acme/sdk`, that has another name now. */
function otherNames(files: Record<string, string>): string[] {
  const shortNames = [...names].map((name) => String(name).split("/")[1]).join("|");
  const mention = new RegExp(`@[a-z0-9-]+/(?:${shortNames})(?![\\w-])`, "g");
  return Object.entries(files).flatMap(([path, text]) =>
    [...text.matchAll(mention)].filter(([name]) => !names.has(name)).map(([name]) => `${path}: ${name}`),
  );
}

test("each mention of our packages has the name from its package.json", () => {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const readable = tracked.filter(
    (path) => /\.(?:md|ts|tsx|mjs|json|yml|yaml)$/.test(path) && !path.endsWith("-lock.json"),
  );
  const files = Object.fromEntries(readable.map((path) => [path, textOf(path)]));
  delete files["tools/published.test.ts"];
  assert.deepEqual(otherNames(files), []);
  assert.deepEqual(otherNames({ "a.md": 'from "@acme/sdk/server"; "@acme/sdk-trace"' }), ["a.md: @acme/sdk"]);
});

test("each published package is public, has provenance, and its README says that its name is not on the registry", () => {
  assert.deepEqual(
    published.map(({ name }) => name),
    ["@countersign/sdk"],
  );
  for (const { publishConfig, license, engines } of published)
    assert.deepEqual(
      [publishConfig, license, engines],
      [{ access: "public", provenance: true }, "Apache-2.0", { node: ">=20" }],
    );
  assert.match(textOf("packages/sdk/README.md"), /not on the npm registry yet/);
});

test("each changeset is for a published package", () => {
  const files = globSync(".changeset/*.md", { cwd: root }).filter((path) => !path.endsWith("README.md"));
  for (const path of files) {
    const [, head = ""] = textOf(path).split("---\n");
    const named = Object.entries(parse(head));
    assert.ok(named.length > 0, path);
    for (const [name, kind] of named) {
      assert.ok(
        published.some((one) => one.name === name),
        `${path}: ${name}`,
      );
      assert.match(String(kind), /^(?:patch|minor|major)$/);
    }
  }
});

test("the workflow publishes with provenance and without secrets, after packing with each supported Node", () => {
  const text = textOf(".github/workflows/publish.yml");
  const { permissions, jobs } = parse(text);
  assert.deepEqual(permissions, {});
  assert.equal(jobs.publish.permissions["id-token"], "write");
  assert.deepEqual(jobs.pack.strategy.matrix.node, [20, 22, 24]);
  assert.deepEqual(new Set(text.match(/\bsecrets\.\w+/g)), new Set(["secrets.GITHUB_TOKEN"]));
  const scripts = JSON.parse(textOf("package.json")).scripts;
  for (const [, script = ""] of text.matchAll(/npm run (\w+)/g)) assert.ok(script in scripts, script);
});
