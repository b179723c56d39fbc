/** The statements of a brand's analytics. They count by ids and times only. */
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import { codeAttemptsMax } from "../one-time-code.ts";
import { type Buckets, bucketMs } from "./buckets.ts";
import { ofEach, type ReportingDeps, type Span } from "./deps.ts";
import { summed } from "./sums.ts";
import { verificationsIn } from "./usage-rows.ts";

/** Rows with a time and a name, which are counted. */
type NamedRows = RawBuilder<unknown>;
export type Counted = { at: number; name: string; count: number };

/** Counts rows, each with a time and a name, per bucket and name. */
export async function countBy(deps: ReportingDeps, { from, bucket }: Buckets, rows: NamedRows): Promise<Counted[]> {
  const size = bucketMs[bucket];
  const lists = await ofEach(deps, async (db) => {
    const { rows: counted } = await sql<Counted>`
      select (${from}::bigint + (at - ${from}::bigint) / ${size}::bigint * ${size}::bigint)::bigint as at,
             name, count(*)::int as count
        from (${rows}) as named
       group by 1, 2`.execute(db);
    return counted;
  });
  return summed(lists, ["count"], ({ at, name }) => `${at} ${name}`);
}

/** Counts all rows, and those with a good name, in each cell. */
export async function countGood(deps: ReportingDeps, rows: NamedRows, good: readonly string[]) {
  return await ofEach(deps, async (db) => {
    const { rows: counted } = await sql<{ all: number; part: number }>`
      select count(*)::int as "all", (count(*) filter (where name = any(${good}::text[])))::int as part
        from (${rows}) as named`.execute(db);
    return counted;
  });
}

/** A brand's verifications, each with its outcome as `name`. */
export function verificationsByOutcome(deps: ReportingDeps, span: Span): NamedRows {
  const outcome = sql`case
    when status = 'verified' then 'verified'
    when status = 'failed' or attempts_used >= ${codeAttemptsMax} then 'failed'
    when expires_at <= ${deps.clock.now()} then 'expired' else 'open' end`;
  return sql`select *, created_at as at, ${outcome} as name from (${verificationsIn(deps, span)}) as every`;
}

/** The verifications of each channel, in each cell. */
export async function countByChannel(deps: ReportingDeps, span: Span) {
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<Analytics["verifications"][number]>`
      select channel, count(*)::int as created,
             (count(*) filter (where deliveries > 0))::int as sending,
             (count(*) filter (where delivered_at is not null))::int as delivered,
             (count(*) filter (where name = 'verified'))::int as verified,
             (count(*) filter (where name = 'failed'))::int as failed,
             (count(*) filter (where name = 'expired'))::int as expired,
             (count(*) filter (where name = 'open'))::int as open
        from (${verificationsByOutcome(deps, span)}) as judged
       group by channel`.execute(db);
    return rows;
  });
}

/** A brand's 1-Clicks, each with its outcome. */
export function signupsIn({ environment, clock }: ReportingDeps, { brandUuid, from, to }: Span): NamedRows {
  return sql`
    select created_at as at,
           case when state = 'released' then 'released' when state = 'declined' then 'optedOut'
                when state = 'refused' then 'refused' when expires_at <= ${clock.now()} then 'expired' else 'open' end as name
      from one_click
     where brand_uuid = ${brandUuid} and environment = ${environment} and created_at >= ${from} and created_at < ${to}`;
}

/** A brand's lookups, each with its outcome. */
export function lookupsIn({ environment }: ReportingDeps, { brandUuid, from, to }: Span): NamedRows {
  return sql`
    select created_at as at,
           case when state in ('succeeded', 'partial', 'failed') then state else 'open' end as name
      from health_lookup
     where brand_uuid = ${brandUuid} and environment = ${environment} and created_at >= ${from} and created_at < ${to}`;
}

function oneClicksIn({ environment }: ReportingDeps, { brandUuid, from, to }: Span) {
  return sql`one_click where brand_uuid = ${brandUuid} and environment = ${environment}
    and created_at >= ${from} and created_at < ${to}`;
}

/** How many 1-Clicks were requested, and how many needed more inputs, in each cell. */
export async function countAsked(deps: ReportingDeps, span: Span) {
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<{ asked: number; moreAsked: number }>`
      select count(*)::int as asked, (count(*) filter (where inputs_asked_at is not null))::int as "moreAsked"
        from ${oneClicksIn(deps, span)}`.execute(db);
    return rows;
  });
}

/** The refused 1-Clicks by error code, in each cell. */
export async function countRefusals(deps: ReportingDeps, span: Span) {
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<{ code: string; count: number }>`
      select refusal as code, count(*)::int as count from ${oneClicksIn(deps, span)}
         and state = 'refused' and refusal is not null
       group by refusal`.execute(db);
    return rows;
  });
}

/**
 * How far the 1-Clicks of each journey got, by their state, in each cell. A 1-Click leaves `awaitingProof` only by a
 * proof, or by too many wrong codes (OCE018).
 */
export async function countFunnels(deps: ReportingDeps, span: Span) {
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<Analytics["signup"]["funnels"][number]>`
      select journey, count(*)::int as created,
             (count(*) filter (where state <> 'awaitingProof' and refusal is distinct from 'OCE018'))::int as proven,
             count(found_at)::int as reviewed,
             (count(*) filter (where state = 'released'))::int as shared
        from ${oneClicksIn(deps, span)}
       group by journey`.execute(db);
    return rows;
  });
}

/** The newest calls of each brand since a time, at most `max` of each, in each cell. */
export async function countCalls(
  deps: ReportingDeps,
  { brands, since, max }: { brands: readonly string[]; since: number; max: number },
) {
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<{ uuid: string; all: number; failed: number }>`
      select wanted.uuid, calls.* from unnest(${brands}::uuid[]) as wanted (uuid)
       cross join lateral (
         select count(*)::int as "all", (count(*) filter (where status >= 400))::int as failed from (
           select status from request_log
            where brand_uuid = wanted.uuid and environment = ${deps.environment} and at >= ${since}
            order by at desc limit ${max}) as newest) as calls
       where calls."all" > 0`.execute(db);
    return rows;
  });
}

function callsIn({ environment }: ReportingDeps, { brandUuid, from, to }: Span): RawBuilder<unknown> {
  return sql`request_log
     where brand_uuid = ${brandUuid} and environment = ${environment} and at >= ${from} and at < ${to}`;
}

/** The times of a brand's newest calls, newest first, in each cell. */
export async function listNewestCalls({ environment, clock, ...deps }: ReportingDeps, brandUuid: string, max: number) {
  return await ofEach(deps, async (db) => {
    const rows = await db
      .selectFrom("request_log")
      .select("at")
      .where("brand_uuid", "=", brandUuid)
      .where("environment", "=", environment)
      .where("at", "<=", clock.now())
      .orderBy("at", "desc")
      .limit(max)
      .execute();
    return rows.map(({ at }) => at);
  });
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
