// rest: builds the bundle once more
/** The bundle that `npm run build` makes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { callsTo } from "../harness/load.ts";
import { dataDir, start } from "../harness/service-process.ts";

test("the bundle serves as the sources do, with one process or several", async () => {
  const folder = join(await dataDir(), "service");
  const build = resolve(import.meta.dirname, "../../../build.ts");
  const built = spawnSync(process.execPath, [build, folder], { encoding: "utf8" });
  assert.equal(built.status, 0, built.stderr);
  const service = await start(await dataDir(), { ENTRY: join(folder, "cli.mjs"), PROCESSES: "2" });
  const { apiUrl, walletUrl } = service.ready.environments.sandbox;
  const call = callsTo(apiUrl, "sk_sandbox_demo_api");
  assert.equal((await call("/v2/1-click", { body: { phone: "+12125550010" } })).status, 201);
  // This is read from a file beside the sources.
  assert.equal((await call("/openapi/v2.json")).status, 200);
  assert.equal((await fetch(walletUrl)).status, 200);
  const { code, err } = await service.stop("SIGTERM");
  assert.deepEqual([code, err], [0, ""]);
});
