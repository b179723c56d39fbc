/** Figures are ratios taken in one run: each contestant in turn, round after round, median of the rounds. */
export type Bench = {
  /** Median milliseconds of each. */
  alternate(contestants: Record<string, () => Promise<unknown>>): Promise<Record<string, number>>;
  row(row: { what: string; figure: number; goal: number }): void;
  rows: { what: string; figure: number; goal: number; pass: boolean }[];
};

const warmupRounds = 3;
const rounds = 11;

export function openBench(): Bench {
  const rows: Bench["rows"] = [];
  return {
    rows,
    row: (row) => void rows.push({ ...row, pass: row.figure >= row.goal }),
    async alternate(contestants) {
      const taken = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));
      for (let round = 0; round < warmupRounds + rounds; round += 1) {
        for (const [name, run] of Object.entries(contestants)) {
          const started = performance.now();
          await run();
          if (round >= warmupRounds) taken.get(name)?.push(performance.now() - started);
        }
      }
      return Object.fromEntries([...taken].map(([name, times]) => [name, median(times)]));
    },
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
