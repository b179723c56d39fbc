import { median } from "./bench.ts";

/** The result of one contestant in one round. */
export type Lap = { perSecond: number; p99Ms: number };
export type Racer = { lap(): Promise<Lap> };

const rounds = 5;
const warmups = 1;

/** Runs the contestants in turn, in several rounds after warm-up rounds. Returns the medians. */
export async function race(racers: Record<string, Racer>): Promise<Record<string, Lap>> {
  const laps = new Map<string, Lap[]>(Object.keys(racers).map((name) => [name, []]));
  for (let round = -warmups; round < rounds; round += 1) {
    for (const [name, racer] of Object.entries(racers)) {
      const lap = await racer.lap();
      if (round >= 0) laps.get(name)?.push(lap);
    }
  }
  const results = [...laps].map(([name, all]) => {
    const perSecond = median(all.map((lap) => lap.perSecond));
    const p99Ms = median(all.map((lap) => lap.p99Ms));
    process.stdout.write(`${name}: ${perSecond.toFixed(0)}/s, p99 ${p99Ms.toFixed(1)} ms\n`);
    return [name, { perSecond, p99Ms }] as const;
  });
  return Object.fromEntries(results);
}
