import { quantile } from "./timed.ts";

/** A result: with a goal to reach, with a limit to stay within, or for information only. */
export type Figure = { what: string; figure: number } & ({ goal: number } | { limit: number } | { goal?: never });
/** Measures ratios in one run. In each round, every contestant runs once; the result is the median of the rounds. */
export type Bench = {
  /**
   * Median milliseconds per contestant. A run should take at least tens of milliseconds, so that the machine's noise
   * does not matter.
   */
  alternate(contestants: Record<string, () => Promise<unknown>>): Promise<Record<string, number>>;
  row(row: Figure): void;
  rows: (Figure & { pass: boolean })[];
};

/**
 * Each contestant warms up for this long before the first round, in milliseconds, so that late compilation is no
 * disadvantage.
 */
const warmupMs = 2_000;
const rounds = 11;

export function openBench(): Bench {
  const rows: Bench["rows"] = [];
  return {
    rows,
    row: (row) => void rows.push({ ...row, pass: isReached(row) }),
    async alternate(contestants) {
      const taken = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));
      for (const run of Object.values(contestants)) {
        const until = performance.now() + warmupMs;
        while (performance.now() < until) await run();
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const [name, run] of Object.entries(contestants)) {
          const started = performance.now();
          await run();
          taken.get(name)?.push(performance.now() - started);
        }
      }
      return Object.fromEntries([...taken].map(([name, times]) => [name, median(times)]));
    },
  };
}

function isReached(row: Figure): boolean {
  if ("limit" in row) return row.figure <= row.limit;
  return row.goal === undefined || row.figure >= row.goal;
}

export const median = (values: number[]): number => quantile(values, 0.5);
