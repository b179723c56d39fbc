/**
 * Shared by the suites `prove-*.test.ts`. `npm test` runs their short form with a fixed seed; `npm run prove` runs the
 * long form with a new seed, or with `SEED`, and writes a table of the results.
 */
import { randomInt } from "node:crypto";
import { appendFileSync } from "node:fs";

export const isLong = process.env.PROVE === "long";
/** All random choices of a suite derive from this seed. `seeded` adds it to each failure. */
export const seed = Number(process.env.SEED ?? (isLong ? randomInt(2 ** 31) : 20_260_101));

/** A row of the table: how much was tried, and how much was lost, leaked or wrong. Suites assert that nothing was. */
export type Proven = { suite: string; what: string; tried: number; lost: number };

export function tell(proven: Proven): void {
  const { PROVE_RESULTS: path } = process.env;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ ...proven, seed })}\n`);
}

/** Adds the seed to any error. */
export async function seeded<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new Error(`SEED=${seed}`, { cause: error });
  }
}

/** Returns a generator of numbers in [0, 1) that derive from the seed (mulberry32). */
export function chance(from = seed): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
