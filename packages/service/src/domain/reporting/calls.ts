/** What a brand's calls were: by outcome, by error, and how long they took. */
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import { type Buckets, bucketMs } from "./buckets.ts";
import type { ReportingDeps, Span } from "./deps.ts";

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

/** The latencies that 50, 95 and 99 percent of the calls do not exceed. */
const percentiles = sql`
  percentile_disc(0.5) within group (order by latency_ms) as p50,
  percentile_disc(0.95) within group (order by latency_ms) as p95,
  percentile_disc(0.99) within group (order by latency_ms) as p99`;

/** Counts and latencies of a range. The latencies are null if there are no calls. */
export async function callsOf(deps: ReportingDeps, span: Span): Promise<Calls> {
  const { rows } = await sql<Calls>`
    select count(*)::int as "all",
           (count(*) filter (where status between 400 and 499))::int as refused,
           (count(*) filter (where status >= 500))::int as broken, ${percentiles}
      from ${callsIn(deps, span)}`.execute(deps.db);
  return rows[0] ?? { all: 0, refused: 0, broken: 0, p50: null, p95: null, p99: null };
}

type Latency = { at: number; p50: number; p95: number; p99: number };

/** The latencies of each bucket. */
export async function latencyOver(
  deps: ReportingDeps,
  span: Span,
  { from, to, bucket }: Buckets,
): Promise<Analytics["over"]["latency"]> {
  const size = bucketMs[bucket];
  const { rows } = await sql<Latency>`
    select (${from}::bigint + (at - ${from}::bigint) / ${size}::bigint * ${size}::bigint)::bigint as at, ${percentiles}
      from ${callsIn(deps, span)} group by 1`.execute(deps.db);
  const found = new Map(rows.map((row) => [row.at, row]));
  const at = Array.from({ length: (to - from) / size }, (_, index) => from + index * size);
  const series = (["p50", "p95", "p99"] as const).map((name) => ({
    name,
    values: at.map((instant) => found.get(instant)?.[name] ?? null),
  }));
  return { at, series };
}
