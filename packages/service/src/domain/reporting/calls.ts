/** A brand's calls: how many, how many failed, and how long they took. */
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { type Buckets, bucketMs } from "./buckets.ts";
import { listDurations, listDurationsOver } from "./call-rows.ts";
import type { ReportingDeps, Span } from "./deps.ts";
import { addTo, latenciesOf } from "./sums.ts";

type Calls = Analytics["calls"];

/** Counts and latencies of a range. The latencies are null if there are no calls. */
export async function callsOf(deps: ReportingDeps, span: Span): Promise<Calls> {
  const rows = (await listDurations(deps, span)).flat();
  const calls = { count: 0, refused: 0, broken: 0 };
  for (const row of rows) addTo(calls, row, ["count", "refused", "broken"]);
  const { count, ...failed } = calls;
  return { all: count, ...failed, ...latenciesOf(rows) };
}

/** The latencies of each bucket. */
export async function latencyOver(
  deps: ReportingDeps,
  span: Span,
  range: Buckets,
): Promise<Analytics["over"]["latency"]> {
  const { from, to, bucket } = range;
  const size = bucketMs[bucket];
  const lists = await listDurationsOver(deps, span, range);
  const found = Map.groupBy(lists.flat(), (row) => row.at);
  const at = Array.from({ length: (to - from) / size }, (_, index) => from + index * size);
  const latencies = at.map((instant) => latenciesOf(found.get(instant) ?? []));
  const series = (["p50", "p95", "p99"] as const).map((name) => ({
    name,
    values: latencies.map((one) => one[name]),
  }));
  return { at, series };
}
