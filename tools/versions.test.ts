/** One version: each place that names it agrees, and the changelogs say what it brings. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { releaseNotes, withSection } from "./changelog.ts";
import { installIn, publishing } from "./installed.ts";
import { versionedFiles, withVersion } from "./versions.ts";

const root = resolve(import.meta.dirname, "..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const { version }: { version: string } = JSON.parse(textOf("package.json"));

test("each file that names the version names the same one", () => {
  const files = versionedFiles();
  const others = [...files].filter(([path, text]) => withVersion(path, text, version) !== text);
  assert.deepEqual(
    others.map(([path]) => path),
    [],
  );
  for (const path of ["contract", "sdk", "service", "web"].map((name) => `packages/${name}/package.json`))
    assert.ok(files.has(path), path);
  for (const path of ["package.json", "deploy/helm/Chart.yaml", "packages/sdk/README.md", "docs/guides/signup-sdk.md"])
    assert.ok(files.has(path), path);
});

test("the lock file has the version of each workspace, and that of each workspace that another one uses", () => {
  type Entry = { version?: string; dependencies?: Record<string, string> };
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(textOf("package-lock.json"));
  const own = Object.entries(packages).filter(([path]) => /^(?:packages\/\w+)?$/.test(path));
  assert.equal(own.length, 5);
  for (const [path, entry] of own) {
    assert.equal(entry.version, version, path);
    for (const [name, wanted] of Object.entries(entry.dependencies ?? {}))
      if (name.startsWith("@countersign/")) assert.equal(wanted, version, `${path}: ${name}`);
  }
});

test("a new version replaces the old one wherever a file names it, and nothing else", () => {
  const replaced = (path: string, text: string) => withVersion(path, text, "1.1.0");
  const manifest = '{\n  "version": "1.0.0",\n  "dependencies": { "@countersign/contract": "1.0.0", "pg": "1.0.0" }\n}';
  assert.equal(replaced("packages/web/package.json", manifest).match(/1\.1\.0/g)?.length, 2);
  assert.equal(replaced("deploy/helm/Chart.yaml", "version: 1.0.0\nappVersion: 1.0.0").match(/1\.1\.0/g)?.length, 2);
  const files = "countersign-1.0.0.tgz countersign-sdk-1.0.0.tgz countersign-1.0.0.cdx.json";
  assert.equal(replaced("README.md", files), files.replaceAll("1.0.0", "1.1.0"));
  for (const [path, text] of [
    ["examples/express/package.json", '{\n  "version": "1.0.0"\n}'],
    ["CHANGELOG.md", files],
    ["docs/index.md", "other-1.0.0.tgz, and 1.0.0 itself"],
  ] as const)
    assert.equal(replaced(path, text), text);
});

test("both changelogs have the version at the top of their releases, the service's with its date", () => {
  const [, service, date = ""] = /^## (\d+\.\d+\.\d+) \((.*)\)$/m.exec(textOf("CHANGELOG.md")) ?? [];
  const [, sdk] = /^## (.*)$/m.exec(textOf("packages/sdk/CHANGELOG.md")) ?? [];
  assert.deepEqual([service, sdk], [version, version]);
  assert.equal(new Date(date).toISOString().slice(0, 10), date);
  assert.ok(releaseNotes(textOf("CHANGELOG.md"), version).length > 100);
});

test("a release is written above the earlier ones, and its notes are its own section", () => {
  const changelog = "# Changelog\n\n## What we promise\n\nAll.\n\n## 1.0.0 (2026-12-01)\n\nThe first.\n";
  const written = "# @countersign/service\n\n## 1.1.0\n\n### Minor Changes\n\n- A thing.\n\n## 1.0.0\n\nOld.\n";
  const longer = withSection(changelog, written, "2027-01-31");
  assert.match(longer, /All\.\n\n## 1\.1\.0 \(2027-01-31\)\n\n### Minor Changes\n\n- A thing\.\n\n## 1\.0\.0 \(2026/);
  assert.ok(!longer.includes("Old."));
  assert.equal(releaseNotes(longer, "1.1.0"), "### Minor Changes\n\n- A thing.\n");
  assert.equal(releaseNotes(longer, "1.0.0"), "The first.\n");
  assert.throws(() => releaseNotes(longer, "2.0.0"), /no release 2\.0\.0/);
  assert.throws(() => withSection(changelog, "# @countersign/service\n", "2027-01-31"));
});

test("npm run changeset version makes the next version from a changeset, in each file and in the changelogs", () => {
  installIn(publishing);
  const copy = mkdtempSync(join(tmpdir(), "countersign-version-"));
  after(() => rmSync(copy, { recursive: true }));
  const wanted = ["package-lock.json", "CHANGELOG.md", "packages/sdk/CHANGELOG.md", ".npmrc", ".changeset"];
  for (const path of [...versionedFiles().keys(), ...wanted, "tools"]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: (from) => !from.includes("node_modules") });
  }
  symlinkSync(join(publishing, "node_modules"), join(copy, "tools/publishing/node_modules"));
  const changeset = '---\n"@countersign/service": minor\n---\n\nBrands can ask for a shoe size.\n';
  writeFileSync(join(copy, ".changeset/shoes.md"), changeset);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: copy });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Ask for a shoe size");
  execFileSync(process.execPath, [join(copy, "tools/changeset.ts"), "version"], { cwd: copy, stdio: "pipe" });
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const next = `${major}.${minor + 1}.0`;
  const textIn = (path: string) => readFileSync(join(copy, path), "utf8");
  for (const [path, text] of versionedFiles()) assert.equal(textIn(path), withVersion(path, text, next), path);
  const notes = "### Minor Changes\n\n- Brands can ask for a shoe size.\n";
  assert.equal(releaseNotes(textIn("CHANGELOG.md"), next), notes);
  assert.match(textIn("packages/sdk/CHANGELOG.md"), new RegExp(`^## ${next}\n\nNo changes in this release\\.$`, "m"));
  assert.equal(JSON.parse(textIn("package-lock.json")).packages["packages/sdk"].version, next);
  assert.throws(() => textIn("packages/contract/CHANGELOG.md"), /ENOENT/);
});
