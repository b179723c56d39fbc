import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../../../../..");
const builds = join(root, "docs/.vitepress/dist");

/** Builds the documentation site, unless it is built for these sources. Returns its folder. */
export async function builtSite(): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, "tools/site/build.ts")], { cwd: root });
  return join(builds, readFileSync(join(builds, "current"), "utf8"));
}
