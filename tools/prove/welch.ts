/**
 * Whether two interleaved series of times differ, by Welch's t-test. The slowest times are ignored, because other work
 * on the machine causes them.
 */
import { setImmediate as breathe } from "node:timers/promises";

/** Limit for |t|. Two equal distributions exceed it in about one of a hundred thousand cases. */
export const tMax = 4.5;
/** The share of the fastest times of both series that counts. */
const kept = 0.9;
const warmUps = 300;
/** Other pending work gets a turn after this many samples. Yielding more often would cost more than the comparisons. */
const breathEvery = 64;

/** `guess`: how often the best guess from one time is right, from 0.5 to 1. */
export type Compared = { t: number; meansNs: [number, number]; samples: number; guess: number };
/** One of the two compared calls. The time of `prepare` is not measured. */
export type Side = { prepare?(): Promise<void> | void; run(): Promise<void> | void };

/**
 * Times both sides, each about `samples` times. The side of each call is random and independent of the call
 * before, because what one call leaves behind (jobs, garbage, warm caches) changes the time of the next.
 */
export async function compare(sides: readonly [Side, Side], samples: number, coin: () => number): Promise<Compared> {
  const times: [number[], number[]] = [[], []];
  for (let i = -2 * warmUps; i < 2 * samples; i += 1) {
    const at = coin() < 0.5 ? 0 : 1;
    const side = sides[at];
    await side.prepare?.();
    const began = process.hrtime.bigint();
    const running = side.run();
    if (running !== undefined) await running;
    const took = Number(process.hrtime.bigint() - began);
    if (i >= 0) times[at].push(took);
    if (i % breathEvery === 0) await breathe();
  }
  const sorted = times.flat().toSorted((a, b) => a - b);
  const most = sorted[Math.floor(sorted.length * kept) - 1] ?? 0;
  const [a, b] = times.map((one) => momentsOf(one.filter((took) => took <= most)));
  if (a === undefined || b === undefined) throw new Error("there are two sides");
  const spread = Math.sqrt(a.variance / a.count + b.variance / b.count);
  return {
    t: spread === 0 ? 0 : (a.mean - b.mean) / spread,
    meansNs: [a.mean, b.mean],
    samples,
    guess: guessOf(times),
  };
}

/** One half plus half of the Kolmogorov-Smirnov distance. */
function guessOf(times: readonly [number[], number[]]): number {
  const all = times.flatMap((one, at) => one.map((took) => ({ took, share: (at === 0 ? 1 : -1) / one.length })));
  let [distance, most] = [0, 0];
  for (const { share } of all.toSorted((a, b) => a.took - b.took)) {
    distance += share;
    most = Math.max(most, Math.abs(distance));
  }
  return 0.5 + most / 2;
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { count: values.length, mean, variance };
}
