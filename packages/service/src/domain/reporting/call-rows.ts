/** The statements about a brand's calls in a time range. */
import { type RawBuilder, sql } from "kysely";
import { type Buckets, bucketMs } from "./buckets.ts";
import { ofEach, type ReportingDeps, type Span } from "./deps.ts";

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

/** A brand's calls by duration, from each cell. */
export async function listDurations(deps: ReportingDeps, span: Span) {
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<{ latency: number; count: number; refused: number; broken: number }>`
      select latency_ms as latency, count(*)::int as count,
             (count(*) filter (where status between 400 and 499))::int as refused,
             (count(*) filter (where status >= 500))::int as broken
        from ${callsIn(deps, span)} group by 1`.execute(db);
    return rows;
  });
}

/** The same for each bucket, without outcomes. `at` is the start of the bucket. */
export async function listDurationsOver(deps: ReportingDeps, span: Span, { from, bucket }: Buckets) {
  const size = bucketMs[bucket];
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<{ at: number; latency: number; count: number }>`
      select (${from}::bigint + (at - ${from}::bigint) / ${size}::bigint * ${size}::bigint)::bigint as at,
             latency_ms as latency, count(*)::int as count
        from ${callsIn(deps, span)} group by 1, 2`.execute(db);
    return rows;
  });
}
