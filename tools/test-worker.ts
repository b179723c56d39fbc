/**
 * Runs test files in one process, one after another, because loading the service takes longer than most files.
 * `run-tests.ts` starts the workers.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { endProcess, shareProcess } from "../packages/service/src/test/harness/process-end.ts";
import { claimNext, cpuSeconds, type Order, writeCost } from "./test-order.ts";

const root = resolve(import.meta.dirname, "..");
/** Modules stay in memory after their file. A worker ends after this many files, or above this size. */
const filesMax = 24;
const residentMaxMb = 480;

const { TEST_ORDER: text } = process.env;
assert.ok(text !== undefined, "npm test starts the workers");
const order: Order = JSON.parse(text);

// node:test would wait for the test that runs. Playwright and the harness end their processes on exit.
process.once("SIGTERM", () => process.exit(143));
shareProcess();
for (let ran = 0; ran < filesMax && residentMb() < residentMaxMb; ran += 1) {
  const file = claimNext(order);
  if (file === undefined) break;
  const before = cpuSeconds();
  await test(file, { timeout: order.timeoutMs ?? Number.POSITIVE_INFINITY }, async () => {
    after(() => writeCost(order, file, { cpuSeconds: cpuSeconds() - before, residentMb: residentMb() }));
    await import(pathToFileURL(resolve(root, file)).href);
  });
}
await endProcess();

function residentMb(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}
