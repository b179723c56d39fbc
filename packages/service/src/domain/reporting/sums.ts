/** Adds up the figures of several cells. */

/** One row for each key, with the sums of the named members. Rows keep the order in which their keys are found. */
export function summed<Name extends string, Row extends Record<Name, number>>(
  lists: readonly (readonly Row[])[],
  names: readonly Name[],
  keyOf: (row: Row) => string,
): Row[] {
  const sums = new Map<string, Row>();
  for (const row of lists.flat()) {
    const sum = sums.get(keyOf(row));
    if (sum === undefined) sums.set(keyOf(row), { ...row });
    else addTo(sum, row, names);
  }
  return [...sums.values()];
}

export function addTo<Name extends string>(
  sum: Record<Name, number>,
  row: Readonly<Record<Name, number>>,
  names: readonly Name[],
): void {
  for (const name of names) sum[name] += row[name];
}

/** Highest figure first, then by name. */
export function highestFirst<Row>(
  rows: readonly Row[],
  { figureOf, nameOf }: { figureOf(row: Row): number; nameOf(row: Row): string },
): Row[] {
  return rows.toSorted((a, b) => figureOf(b) - figureOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Numbers of calls by duration. */
export type Histogram = readonly { latency: number; count: number }[];
type Latencies = { p50: number | null; p95: number | null; p99: number | null };

/**
 * The 50th, 95th and 99th percentile, computed as PostgreSQL's `percentile_disc` does. Percentiles of single cells
 * cannot be merged, so this uses a histogram of all cells. Null without calls.
 */
export function latenciesOf(histogram: Histogram): Latencies {
  const inOrder = histogram.toSorted((a, b) => a.latency - b.latency);
  const all = inOrder.reduce((sum, { count }) => sum + count, 0);
  const atShare = (share: number) => {
    let reached = 0;
    for (const { latency, count } of inOrder) {
      reached += count;
      if (reached >= Math.ceil(share * all)) return latency;
    }
    return null;
  };
  return { p50: atShare(0.5), p95: atShare(0.95), p99: atShare(0.99) };
}
