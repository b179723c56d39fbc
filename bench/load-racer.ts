import { request } from "undici";
import { type Contestant, startContestant } from "./contestant.ts";
import type { FlowName } from "./flows.ts";
import type { LoadAsk } from "./load.ts";
import type { Racer } from "./race.ts";

/** Number of concurrent clients, and the duration of one contestant's round. */
const clients = 16;
const lapMs = Number(process.env.BENCH_LAP_MS ?? 2_000);
/** Maximum number of brands that share the load. Each key is limited to 500 requests per second. */
const brandsMax = 40;
const demoKey = "sk_sandbox_demo_api";

export type Load = Contestant;
export const startLoad = (): Promise<Load> => startContestant("load.ts", [], "measuring");

/** A contestant that receives requests from the load process. */
export function underLoad(load: Load, target: { url: string; flow: FlowName; keys?: readonly string[] }): Racer {
  const ask: LoadAsk = { keys: [], ...target, clients, lapMs };
  return { lap: () => load.ask(ask) };
}

/** Creates this many brands, and returns one key for each. */
export async function makeKeys(url: string): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < brandsMax) {
    const made = await request(`${url}/sandbox/brands`, {
      method: "POST",
      headers: { authorization: demoKey, "content-type": "application/json" },
      body: "{}",
    });
    const { apiKey }: { apiKey: string } = JSON.parse(await made.body.text());
    keys.push(apiKey);
  }
  return keys;
}
