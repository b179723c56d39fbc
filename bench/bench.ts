import { quantile } from "./timed.ts";

/**
 * A result: with a goal to reach, with a limit to stay within, or for information only. `aim`: what we want beyond the
 * goal or the limit. docs/contribute/performance.md has the same goals and aims.
 */
export type Figure = { what: string; figure: number } & (
  | { goal: number; aim?: number }
  | { limit: number; aim?: number }
  | { goal?: never }
);
type Verdict = "short" | "pass" | "aim" | "";
/** Measures ratios in one run. In each round, every contestant runs once; the result is the median of the rounds. */
export type Bench = {
  /**
   * Median milliseconds per contestant. A run should take at least tens of milliseconds, so that the machine's noise
   * does not matter.
   */
  alternate(contestants: Record<string, () => Promise<unknown>>): Promise<Record<string, number>>;
  row(row: Figure): void;
  rows: (Figure & { verdict: Verdict })[];
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
    row: (row) => void rows.push({ ...row, verdict: verdictOf(row) }),
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

function verdictOf(row: Figure): Verdict {
  const reaches = (bound: number) => ("limit" in row ? row.figure <= bound : row.figure >= bound);
  const bound = "limit" in row ? row.limit : row.goal;
  if (bound === undefined) return "";
  if (!reaches(bound)) return "short";
  return "aim" in row && row.aim !== undefined && reaches(row.aim) ? "aim" : "pass";
}

export const median = (values: number[]): number => quantile(values, 0.5);
