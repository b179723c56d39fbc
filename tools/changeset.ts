/** `npm run changeset`: runs Changesets, which is not installed in the root. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { installIn, publishing } from "./installed.ts";

installIn(publishing);
const program = join(publishing, "node_modules/@changesets/cli/bin.js");
const options = { cwd: resolve(import.meta.dirname, ".."), stdio: "inherit" } as const;
process.exitCode = spawnSync(process.execPath, [program, ...process.argv.slice(2)], options).status ?? 1;
// The lock file contains the versions of the packages too.
if (process.exitCode === 0 && process.argv[2] === "version")
  process.exitCode = spawnSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], options).status ?? 1;
