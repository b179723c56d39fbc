import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/**
 * The linters, generators and release programs. They have their own lock file, so that `npm start` does not install
 * them.
 */
export const publishing = join(root, "tools/publishing");

/** Installs the packages of a folder with its own lock file, unless they are installed. */
export function installIn(folder: string): void {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const mark = join(folder, "node_modules/.installed-lock.json");
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  process.stdout.write(`Installing the packages of ${relative(root, folder)} (npm ci) …\n`);
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ci in ${relative(root, folder)} failed: ${error?.message ?? stderr}`);
  writeFileSync(mark, lock);
}
