/**
 * Runs test files in one process, one after another: always the next file that no other worker has claimed. Loading
 * the service takes longer than most files and is done once per worker. `run-tests.ts` starts the workers.
 */
import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { endFile, endProcess, shareProcess } from "../packages/service/src/test/harness/process-end.ts";

const root = resolve(import.meta.dirname, "..");
const { TEST_CLAIMS: folder, TEST_FILE_TIMEOUT: timeout } = process.env;
assert.ok(folder !== undefined, "npm test starts the workers");
const files: string[] = JSON.parse(readFileSync(join(folder, "files.json"), "utf8"));

shareProcess();
for (const [index, file] of files.entries()) {
  if (!isClaimed(join(folder, String(index)))) continue;
  await test(file, { timeout: Number(timeout) }, () => import(pathToFileURL(resolve(root, file)).href));
  await endFile();
}
await endProcess();

/** Claims a file. Only one of all workers succeeds. */
function isClaimed(claim: string): boolean {
  try {
    closeSync(openSync(claim, "wx"));
    return true;
  } catch {
    return false;
  }
}
