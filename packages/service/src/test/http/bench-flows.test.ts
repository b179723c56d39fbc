/** The benchmarks repeat these flows and run rarely. This test notices when the service refuses one of their requests. */
import { test } from "node:test";
import { Pool } from "undici";
import { flows, knownCode } from "../../../../../bench/flows.ts";
import { makeKeys } from "../../../../../bench/load-racer.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox({ codes: { make: () => knownCode } });
const url = await it.app.listen({ host: "127.0.0.1", port: 0 });

for (const flow of ["verification", "post"] as const)
  test(`the service still answers the benchmark's flow ${flow}`, async () => {
    const keys = await makeKeys(url);
    const pool = new Pool(url);
    for (let turn = 0; turn < 20; turn += 1) await flows[flow](pool, turn, keys);
    await pool.close();
  });
