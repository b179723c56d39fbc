/**
 * `node tools/prove/throughput.ts`: compares one process with two, on one PostgreSQL and behind a plain proxy, in turn
 * and under the same load. All share the machine's cores, so only the ratio is meaningful.
 */
import { availableParallelism, loadavg } from "node:os";
import { cloneDatabase, useServer } from "../../packages/service/src/test/harness/database-template.ts";
import { callsTo } from "../../packages/service/src/test/harness/load.ts";
import { roundRobin } from "../../packages/service/src/test/harness/round-robin.ts";
import { startOldestServer, startTestServer } from "../test-server.ts";
import { root, say, start } from "./process.ts";

const rounds = 5;
const requests = 1_500;
const clients = 32;
const demoKey = "sk_sandbox_demo_api";

const server = (await startOldestServer()) ?? (await startTestServer());
useServer(server.url);
const database = await cloneDatabase("empty");
const proxy = await roundRobin();
const call = callsTo(proxy.url, demoKey);

/** Returns calls per second, and the number of wrong statuses. */
async function measure(): Promise<{ rate: number; failed: number }> {
  let asked = 0;
  let failed = 0;
  const began = performance.now();
  const client = async () => {
    while (asked < requests) {
      asked += 1;
      const { status } = await call("/v2/1-click", { body: { phone: "+12125550010" } });
      if (status !== 201) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { rate: (requests / (performance.now() - began)) * 1_000, failed };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

try {
  const variables = { DATABASE_URL: database.url, MASTER_KEY: "7".repeat(64), DATABASE_POOL: "8" };
  const [one, two] = [await start(root, variables), await start(root, variables)];
  const rates: { alone: number[]; both: number[] } = { alone: [], both: [] };
  let failed = 0;
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, behind] of [
      ["alone", [one]],
      ["both", [one, two]],
    ] as const) {
      proxy.behind.clear();
      for (const { apiUrl } of behind) proxy.behind.add(apiUrl);
      const result = await measure();
      failed += result.failed;
      // The first round is a warm-up.
      if (round > 0) rates[name].push(result.rate);
    }
  const [alone, both] = [median(rates.alone), median(rates.both)];
  say(
    `one process: ${Math.round(alone)} POST /v2/1-click a second; two: ${Math.round(both)}; ${(both / alone).toFixed(2)} ×`,
  );
  say(
    `${failed} failed; ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, PostgreSQL ${server.version}`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
}
process.exit();
