/** The load process: concurrent clients that each repeat a flow for a given time. */
import { Pool } from "undici";
import { type FlowName, flows } from "./flows.ts";
import type { Lap } from "./race.ts";

export type LoadAsk = { url: string; flow: FlowName; keys: readonly string[]; clients: number; lapMs: number };

process.on("disconnect", () => process.exit());
const pools = new Map<string, Pool>();
let turn = 0;

process.on("message", (ask: LoadAsk) => {
  lap(ask).then(
    (done) => process.send?.(done),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});
process.send?.("ready");

async function lap({ url, flow, keys, clients, lapMs }: LoadAsk): Promise<Lap> {
  const pool = pools.get(url) ?? new Pool(url, { connections: clients });
  pools.set(url, pool);
  const taken: number[] = [];
  const began = performance.now();
  const client = async () => {
    while (performance.now() - began < lapMs) {
      const from = performance.now();
      turn += 1;
      await flows[flow](pool, turn, keys);
      taken.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - began) / 1_000;
  const sorted = taken.sort((a, b) => a - b);
  return { perSecond: taken.length / seconds, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}
