/**
 * For the suites `prove-*.test.ts`. `npm test` runs their short form with a seed that stays; `npm run prove` runs the long
 * form with a new one, or with `SEED`, and makes a table of what they tell.
 */
import { randomInt } from "node:crypto";
import { appendFileSync } from "node:fs";

export const isLong = process.env.PROVE === "long";
/** What every choice of a suite follows from. A failure must name it: `seeded` does. */
export const seed = Number(process.env.SEED ?? (isLong ? randomInt(2 ** 31) : 20_260_101));

/** A line of the table: how much was tried, and how much of it was lost, leaked or wrong, which a suite asserts is nothing. */
export type Proven = { suite: string; what: string; tried: number; lost: number };

export function tell(proven: Proven): void {
  const { PROVE_RESULTS: path } = process.env;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ ...proven, seed })}\n`);
}

/** Adds the seed to whatever went wrong. */
export async function seeded<T>(deed: () => Promise<T>): Promise<T> {
  try {
    return await deed();
  } catch (error) {
    throw new Error(`SEED=${seed}`, { cause: error });
  }
}

/** Numbers from 0 to below 1 that follow from the seed (mulberry32). */
export function chance(from = seed): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
