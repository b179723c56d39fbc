/** A brand's calls by outcome, by error, and by duration. */
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import { type Buckets, bucketMs } from "./buckets.ts";
import { ofEach, type ReportingDeps, type Span } from "./deps.ts";
import { addTo, latenciesOf } from "./sums.ts";

type Calls = Analytics["calls"];

function callsIn({ environment }: ReportingDeps, { brandUuid, from, to }: Span): RawBuilder<unknown> {
  return sql`request_log
     where brand_uuid = ${brandUuid} and environment = ${environment} and at >= ${from} and at < ${to}`;
}

/** Each call with its outcome. */
export function outcomesIn(deps: ReportingDeps, span: Span): RawBuilder<unknown> {
  return sql`
    select at, case when status < 400 then 'succeeded' when status < 500 then 'refused' else 'broken' end as name
      from ${callsIn(deps, span)}`;
}

/** Failed calls by error code, or by status if there is no code. */
export function errorsIn(deps: ReportingDeps, span: Span): RawBuilder<unknown> {
  return sql`select at, coalesce(error_code, status::text) as name from ${callsIn(deps, span)} and status >= 400`;
}

/** Counts and latencies of a range. The latencies are null if there are no calls. */
export async function callsOf(deps: ReportingDeps, span: Span): Promise<Calls> {
  const lists = await ofEach(deps, async (db) => {
    const { rows } = await sql<{ latency: number; count: number; refused: number; broken: number }>`
      select latency_ms as latency, count(*)::int as count,
             (count(*) filter (where status between 400 and 499))::int as refused,
             (count(*) filter (where status >= 500))::int as broken
        from ${callsIn(deps, span)} group by 1`.execute(db);
    return rows;
  });
  const rows = lists.flat();
  const calls = { count: 0, refused: 0, broken: 0 };
  for (const row of rows) addTo(calls, row, ["count", "refused", "broken"]);
  const { count, ...failed } = calls;
  return { all: count, ...failed, ...latenciesOf(rows) };
}

/** The latencies of each bucket. */
export async function latencyOver(
  deps: ReportingDeps,
  span: Span,
  { from, to, bucket }: Buckets,
): Promise<Analytics["over"]["latency"]> {
  const size = bucketMs[bucket];
  const lists = await ofEach(deps, async (db) => {
    const { rows } = await sql<{ at: number; latency: number; count: number }>`
      select (${from}::bigint + (at - ${from}::bigint) / ${size}::bigint * ${size}::bigint)::bigint as at,
             latency_ms as latency, count(*)::int as count
        from ${callsIn(deps, span)} group by 1, 2`.execute(db);
    return rows;
  });
  const found = Map.groupBy(lists.flat(), (row) => row.at);
  const at = Array.from({ length: (to - from) / size }, (_, index) => from + index * size);
  const latencies = at.map((instant) => latenciesOf(found.get(instant) ?? []));
  const series = (["p50", "p95", "p99"] as const).map((name) => ({
    name,
    values: latencies.map((one) => one[name]),
  }));
  return { at, series };
}
