// rest: starts a process for each core
/** Several processes that serve production, one of which hangs in the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { publicVariables } from "../harness/both-environments.ts";
import { dataDir, logLines, start } from "../harness/service-process.ts";

const variables = { ...publicVariables, PROCESSES: "2", LOG_LEVEL: "info", STOP_DELAY_MS: "0" };
const service = await start(await dataDir(), variables);

const lines = () => logLines(service);
const pids = () => [...new Set(lines().flatMap(({ pid, process }) => (process === undefined ? [] : [pid])))];

test("on SIGHUP, the processes of a production service are replaced", async () => {
  // The service answers before the last line of its start arrives here.
  await service.until(() => pids().length === 2);
  service.child.kill("SIGHUP");
  await service.until(() => lines().some(({ msg }) => msg === "all processes replaced"));
  assert.equal(pids().length, 4);
});

test("on SIGTERM, a process that hangs is killed, and the service ends in order", async () => {
  const hanging = pids().at(-1);
  assert.ok(hanging !== undefined);
  process.kill(hanging, "SIGSTOP");
  assert.equal((await service.stop("SIGTERM")).code, 0);
  assert.throws(() => process.kill(hanging, 0), { code: "ESRCH" });
});
