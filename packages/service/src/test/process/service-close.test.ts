// alone: counts what is active in the whole process
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import perfHooks from "node:perf_hooks";
import { after, mock, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { readConfig } from "../../config/config.ts";
import { openService } from "../../service.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { eventually } from "../harness/eventually.ts";

const database = await cloneDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "countersign-close-"));
after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});
const variables = {
  DATA_DIR: dataDir,
  DATABASE_URL: database.url,
  API_PORT: "0",
  WALLET_PORT: "0",
  DASHBOARD_PORT: "0",
  OPERATOR_PORT: "0",
};
const log = { info() {}, warn() {}, error() {} };

const observe = mock.method(perfHooks.PerformanceObserver.prototype, "observe");
const disconnect = mock.method(perfHooks.PerformanceObserver.prototype, "disconnect");
const measureLoop = mock.method(perfHooks, "monitorEventLoopDelay");

/** Timers, sockets and other handles, by kind. */
const active = () => process.getActiveResourcesInfo().filter((kind) => kind !== "Immediate");
/** What the test runner reads: standard output and standard error. */
const own = ["PipeWrap", "PipeWrap"];

test("a closed service leaves no timer, socket or observer behind, except those that measure the process", async () => {
  for (let opened = 0; opened < 3; opened += 1) {
    const running = await openService(readConfig(variables), log, null);
    await running.stop({ delayMs: 0, drainMs: 0 });
  }
  // The last sockets close a moment after the end of their connections.
  await eventually(async () => (isDeepStrictEqual(active(), own) ? true : undefined));
  assert.equal(observe.mock.callCount() - disconnect.mock.callCount(), 1);
  assert.equal(measureLoop.mock.callCount(), 1);
});
