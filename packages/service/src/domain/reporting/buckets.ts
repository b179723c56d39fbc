import type { Analytics, Bucketed } from "@countersign/contract/dashboard-reporting";
import { dayMs, hourMs, minuteMs } from "@countersign/contract/time";
import { invalid } from "../failure.ts";
import { highestFirst } from "./sums.ts";

export const bucketMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const;
type Bucket = Analytics["bucket"];
export type Buckets = { from: number; to: number; bucket: Bucket };

/** Maximum number of buckets: 400 days, 16 days in hours, or 6 hours in minutes. */
const bucketsMax = 400;
/** Ranges that a request can name. */
export const ranges = {
  hour: { ms: hourMs, bucket: "minute" },
  day: { ms: dayMs, bucket: "hour" },
  week: { ms: 7 * dayMs, bucket: "hour" },
  month: { ms: 30 * dayMs, bucket: "day" },
  quarter: { ms: 90 * dayMs, bucket: "day" },
} as const;
export type RangeName = keyof typeof ranges;
type RangeQuery = { range?: RangeName; from?: number; to?: number; bucket?: Bucket };

/** The whole UTC buckets of a range, including the one with its end. Named ranges have a fixed number of buckets. */
export function bucketsFor(query: RangeQuery, now: number): Buckets {
  const { ms, bucket: usual } = ranges[query.range ?? "day"];
  const bucket = query.bucket ?? usual;
  const size = bucketMs[bucket];
  const until = query.to ?? now + 1;
  const since = query.from ?? until - ms;
  if (since >= until) throw invalid([{ path: "query.from", message: "Use a time before the end." }]);
  const to = Math.ceil(until / size) * size;
  const from = query.from === undefined ? to - ms : Math.floor(since / size) * size;
  if ((to - from) / size > bucketsMax)
    throw invalid([
      {
        path: "query.bucket",
        message: `Use longer buckets or a shorter range: there can be at most ${bucketsMax} buckets.`,
      },
    ]);
  return { from, to, bucket };
}

/** Groups counts into one list per name. Uses the given names, or the names found, highest total first. */
export function bucketed(
  { from, to, bucket }: Buckets,
  counts: readonly { at: number; name: string; count: number }[],
  names?: readonly string[],
): Bucketed {
  const size = bucketMs[bucket];
  const at = Array.from({ length: (to - from) / size }, (_, index) => from + index * size);
  const sums = new Map<string, number>();
  for (const { name, count } of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  // Sort names with equal totals by name, because cells answer in any order.
  const found = highestFirst([...sums], { figureOf: ([, sum]) => sum, nameOf: ([name]) => name }).map(([name]) => name);
  const series = (names ?? found).map((name) => {
    const own = new Map(counts.filter((one) => one.name === name).map((one) => [one.at, one.count]));
    return { name, counts: at.map((instant) => own.get(instant) ?? 0) };
  });
  return { at, series };
}
