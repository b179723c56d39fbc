import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { withoutCommentsAndStrings } from "./tidy/mask.ts";
import { findingsOf, rules } from "./tidy/rules.ts";
import { readTree, sourceOf } from "./tidy/source.ts";

const root = resolve(import.meta.dirname, "..");
const tree = readTree(root);
const treeOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, sourceOf(path, text)]));

for (const rule of rules) {
  test(`tidy: ${rule.name}`, () => {
    const findings = findingsOf(rule, tree);
    assert.equal(findings.length, 0, `\n${findings.join("\n")}`);
  });

  test(`the rule "${rule.name}" reports its bad example and not its clean one`, () => {
    assert.notDeepEqual(findingsOf(rule, treeOf(rule.offending)), []);
    assert.deepEqual(findingsOf(rule, treeOf(rule.clean)), []);
  });
}

test("reports each import in the wrong direction with its file and line", () => {
  const [layers] = rules;
  assert.ok(layers);
  assert.deepEqual(
    findingsOf(layers, treeOf(layers.offending)).map((finding) => finding.split(": ")[0]),
    [
      "packages/service/src/domain/signup/read.ts:1",
      "packages/service/src/domain/signup/read.ts:2",
      "packages/service/src/http/v2/read.ts:1",
      "packages/service/src/http/auth.ts:1",
      "packages/service/src/store/queue.ts:1",
      "packages/service/src/providers/sandbox/risk.ts:1",
      "packages/service/src/jobs/worker.ts:1",
      "packages/contract/src/errors.ts:1",
    ],
  );
});

test("searches for tokens only in code, not in strings, regular expressions, or comments", () => {
  const kept = (text: string) => withoutCommentsAndStrings(text).replace(/\s+/g, " ").trim();
  assert.equal(kept('a("//", `x ${b ? `${"}"}` : c} as d`) / e; // f'), 'a(" ", ` ${b ? `${" "}` : c} `) / e;');
  assert.equal(kept("g = /[/\"]`/u.test(h) && 'it\\'s' /* i */ + j"), "g = / /u.test(h) && ' ' + j");
  assert.equal(kept("#!/usr/bin/env node\nk();"), "k();");
});

/** Breaks each rule that Biome checks once. */
const broken = `import pg from "pg";
export enum Color { Red }
export namespace Names { export const a = 1; }
export default function main(value: any) { console.log(value!); }
export * from "./other.ts";
describe.only("focused", () => {});
export const sum = eval("1") == "1";
export function long() {${"\n  work();".repeat(71)}\n}
`;

test("Biome reports each rule that is left to it", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "tidy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  // Biome reports only on files, and with git ignore rules only on files below the repository.
  const config = { ...JSON.parse(readFileSync(join(root, "biome.json"), "utf8")), vcs: { enabled: false } };
  writeFileSync(join(folder, "biome.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "broken.ts"), broken);
  const biome = join(root, "node_modules/.bin/biome");
  const { stdout } = spawnSync(biome, ["lint", "--reporter=json"], { cwd: folder, encoding: "utf8" });
  const wanted = [
    "style/noEnum",
    "style/noNamespace",
    "style/noDefaultExport",
    "suspicious/noExplicitAny",
    "suspicious/noConsole",
    "style/noNonNullAssertion",
    "performance/noBarrelFile",
    "suspicious/noFocusedTests",
    "suspicious/noDoubleEquals",
    "security/noGlobalEval",
    "complexity/noExcessiveLinesPerFunction",
    "correctness/noUndeclaredDependencies",
  ];
  const missed = wanted.filter((rule) => !stdout.includes(rule));
  assert.deepEqual(missed, []);
});
