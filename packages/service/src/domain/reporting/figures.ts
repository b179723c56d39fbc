/** A brand's analytics for a time range, counted by the database from ids and times only. */
import type { Figures } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import { codeAttemptsMax } from "../one-time-code.ts";
import { type Buckets, bucketed, bucketMs } from "./buckets.ts";
import type { ReportingDeps, Span } from "./deps.ts";
import { verificationsIn } from "./verifications.ts";

type Counted = { at: number; name: string; count: number };

/** All analytics except the alarms, which `verification/alarms.ts` reads. */
export async function readFigures(
  deps: ReportingDeps,
  brandUuid: string,
  range: Buckets,
): Promise<Omit<Figures, "alarms">> {
  const span = { brandUuid, from: range.from, to: range.to };
  const { verifications, overVerifications } = await verificationFigures(deps, span, range);
  const signups = await countBy(deps, range, signupsIn(deps, span));
  const lookups = await countBy(deps, range, lookupsIn(deps, span));
  const errors = await countBy(deps, range, errorsIn(deps, span));
  const sum = (counted: readonly Counted[], name: string) =>
    counted.filter((one) => one.name === name).reduce((all, { count }) => all + count, 0);
  return {
    ...range,
    verifications,
    signup: { ...(await signupFigures(deps, span)), ...outcomesOf(signups, sum) },
    health: {
      asked: lookups.reduce((all, { count }) => all + count, 0),
      succeeded: sum(lookups, "succeeded"),
      partial: sum(lookups, "partial"),
      failed: sum(lookups, "failed"),
      open: sum(lookups, "open"),
    },
    calls: await callFigures(deps, span),
    over: {
      verifications: bucketed(range, overVerifications, ["verified", "failed", "expired", "open"]),
      signup: bucketed(range, signups, ["released", "optedOut", "refused", "expired", "open"]),
      health: bucketed(range, lookups, ["succeeded", "partial", "failed", "open"]),
      errors: bucketed(range, errors),
    },
  };
}

function outcomesOf(signups: readonly Counted[], sum: (counted: readonly Counted[], name: string) => number) {
  return {
    released: sum(signups, "released"),
    optedOut: sum(signups, "optedOut"),
    refused: sum(signups, "refused"),
    expired: sum(signups, "expired"),
    open: sum(signups, "open"),
  };
}

/** Counts rows, each with a time and a name, per bucket and name. */
async function countBy(deps: ReportingDeps, { from, bucket }: Buckets, rows: RawBuilder<unknown>): Promise<Counted[]> {
  const size = bucketMs[bucket];
  const { rows: counted } = await sql<Counted>`
    select (${from}::bigint + (at - ${from}::bigint) / ${size}::bigint * ${size}::bigint)::bigint as at,
           name, count(*)::int as count
      from (${rows}) as named
     group by 1, 2`.execute(deps.db);
  return counted;
}

async function verificationFigures(deps: ReportingDeps, span: Span, range: Buckets) {
  const now = deps.clock.now();
  const outcome = sql`case
    when status = 'verified' then 'verified'
    when status = 'failed' or attempts_used >= ${codeAttemptsMax} then 'failed'
    when expires_at <= ${now} then 'expired' else 'open' end`;
  const all = verificationsIn(deps, span);
  const { rows } = await sql<Figures["verifications"][number]>`
    select channel, count(*)::int as created,
           (count(*) filter (where deliveries > 0))::int as sending,
           (count(*) filter (where delivered_at is not null))::int as delivered,
           (count(*) filter (where outcome = 'verified'))::int as verified,
           (count(*) filter (where outcome = 'failed'))::int as failed,
           (count(*) filter (where outcome = 'expired'))::int as expired,
           (count(*) filter (where outcome = 'open'))::int as open
      from (select *, ${outcome} as outcome from (${all}) as every) as judged
     group by channel order by created desc`.execute(deps.db);
  const named = sql`select created_at as at, ${outcome} as name from (${all}) as every`;
  return { verifications: rows, overVerifications: await countBy(deps, range, named) };
}

function signupsIn({ environment, clock }: ReportingDeps, { brandUuid, from, to }: Span): RawBuilder<unknown> {
  return sql`
    select created_at as at,
           case when state = 'released' then 'released' when state = 'declined' then 'optedOut'
                when state = 'refused' then 'refused' when expires_at <= ${clock.now()} then 'expired' else 'open' end as name
      from one_click
     where brand_uuid = ${brandUuid} and environment = ${environment} and created_at >= ${from} and created_at < ${to}`;
}

function lookupsIn({ environment }: ReportingDeps, { brandUuid, from, to }: Span): RawBuilder<unknown> {
  return sql`
    select created_at as at,
           case when state in ('succeeded', 'partial', 'failed') then state else 'open' end as name
      from health_lookup
     where brand_uuid = ${brandUuid} and environment = ${environment} and created_at >= ${from} and created_at < ${to}`;
}

/** Failed calls by error code, or by status if there is no code. */
function errorsIn({ environment }: ReportingDeps, { brandUuid, from, to }: Span): RawBuilder<unknown> {
  return sql`
    select at, coalesce(error_code, status::text) as name
      from request_log
     where brand_uuid = ${brandUuid} and environment = ${environment} and at >= ${from} and at < ${to} and status >= 400`;
}

async function signupFigures(deps: ReportingDeps, { brandUuid, from, to }: Span) {
  const own = sql`brand_uuid = ${brandUuid} and environment = ${deps.environment}
    and created_at >= ${from} and created_at < ${to}`;
  const { rows } = await sql<{ asked: number; moreAsked: number }>`
    select count(*)::int as asked, (count(*) filter (where inputs_asked_at is not null))::int as "moreAsked"
      from one_click where ${own}`.execute(deps.db);
  const { rows: refusals } = await sql<{ code: string; count: number }>`
    select refusal as code, count(*)::int as count from one_click
     where ${own} and state = 'refused' and refusal is not null
     group by refusal order by count desc, code`.execute(deps.db);
  return { ...(rows[0] ?? { asked: 0, moreAsked: 0 }), refusals };
}

async function callFigures(deps: ReportingDeps, { brandUuid, from, to }: Span): Promise<Figures["calls"]> {
  const { rows } = await sql<Figures["calls"]>`
    select count(*)::int as "all",
           (count(*) filter (where status between 400 and 499))::int as refused,
           (count(*) filter (where status >= 500))::int as broken
      from request_log
     where brand_uuid = ${brandUuid} and environment = ${deps.environment} and at >= ${from} and at < ${to}`.execute(
    deps.db,
  );
  return rows[0] ?? { all: 0, refused: 0, broken: 0 };
}
