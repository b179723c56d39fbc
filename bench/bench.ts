/** A figure that should reach a goal, or stay within a limit. */
export type Figure = { what: string; figure: number } & ({ goal: number } | { limit: number });
/** Figures are ratios taken in one run: each contestant in turn, round after round, median of the rounds. */
export type Bench = {
  /** Median milliseconds of each. A round should take each some tens of milliseconds, or the machine's own unrest shows. */
  alternate(contestants: Record<string, () => Promise<unknown>>): Promise<Record<string, number>>;
  row(row: Figure): void;
  rows: (Figure & { pass: boolean })[];
};

/** Each is warmed for the same time before the first round: what is compiled late is no slower for that. */
const warmupMs = 2_000;
const rounds = 11;

export function openBench(): Bench {
  const rows: Bench["rows"] = [];
  return {
    rows,
    row: (row) => void rows.push({ ...row, pass: "goal" in row ? row.figure >= row.goal : row.figure <= row.limit }),
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

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
