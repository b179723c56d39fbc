/** Packs the SDK as `npm pack` does, but from a build of its own, so that tests do not share `dist`. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { buildPackage, buildScript } from "../../build.ts";

export const root = resolve(import.meta.dirname, "../../../..");
const sdk = join(root, "packages/sdk");

/** Runs a program to its end. Rejects if it fails. */
export const run = promisify(execFile);

/** Packs into the folder. Returns the path of the file and the paths that it contains. */
export async function packInto(folder: string): Promise<{ tarball: string; files: string[] }> {
  for (const name of ["package.json", "README.md", "CHANGELOG.md"]) await copyFile(join(sdk, name), join(folder, name));
  await buildScript(join(folder, "dist"));
  await buildPackage(join(folder, "dist"));
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--offline"], { cwd: folder });
  const [{ filename, files } = assert.fail(stdout)]: { filename: string; files: { path: string }[] }[] =
    JSON.parse(stdout);
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}
