/**
 * `npm run changeset`: runs Changesets, which is not installed in the root. `npm run changeset version` makes the next
 * version: in each file that names it, in the changelogs, and in the lock file.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { withSection } from "./changelog.ts";
import { installIn, publishing } from "./installed.ts";
import { versionedFiles, withVersion } from "./versions.ts";

const root = resolve(import.meta.dirname, "..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

function run(file: string, args: string[]): void {
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** Changesets versions workspaces, and writes a changelog into each. The root and its files follow the service's. */
function finishVersion(): void {
  const { version }: { version: string } = JSON.parse(textOf("packages/service/package.json"));
  for (const [path, text] of versionedFiles()) writeFileSync(join(root, path), withVersion(path, text, version));
  const written = "packages/service/CHANGELOG.md";
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, "CHANGELOG.md"), withSection(textOf("CHANGELOG.md"), textOf(written), today));
  for (const name of ["contract", "service", "web"]) {
    const path = join(root, "packages", name, "CHANGELOG.md");
    if (existsSync(path)) rmSync(path);
  }
  run("npm", ["install", "--package-lock-only", "--ignore-scripts"]);
}

installIn(publishing);
const before = textOf("packages/service/package.json");
run(process.execPath, [join(publishing, "node_modules/@changesets/cli/bin.js"), ...process.argv.slice(2)]);
if (process.argv[2] === "version" && textOf("packages/service/package.json") !== before) finishVersion();
