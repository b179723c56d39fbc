/** A brand's analytics for a time range, counted by the databases from ids and times only. */
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import { codeAttemptsMax } from "../one-time-code.ts";
import { type Buckets, bucketed, bucketMs } from "./buckets.ts";
import { callsOf, errorsIn, latencyOver, outcomesIn } from "./calls.ts";
import { ofEach, type ReportingDeps, type Span } from "./deps.ts";
import { logKeptMs } from "./purge.ts";
import { addTo, highestFirst, summed } from "./sums.ts";
import { verificationsIn } from "./verifications.ts";

type Counted = { at: number; name: string; count: number };

/** All analytics except the alarms, which `verification/limits/alarms.ts` reads. */
export async function readAnalytics(
  deps: ReportingDeps,
  brandUuid: string,
  range: Buckets,
): Promise<Omit<Analytics, "alarms">> {
  const span = { brandUuid, from: range.from, to: range.to };
  const { verifications, overVerifications } = await verificationAnalytics(deps, span, range);
  const signups = await countBy(deps, range, signupsIn(deps, span));
  const lookups = await countBy(deps, range, lookupsIn(deps, span));
  const sum = (counted: readonly Counted[], name: string) =>
    counted.filter((one) => one.name === name).reduce((all, { count }) => all + count, 0);
  return {
    ...range,
    verifications,
    signup: { ...(await signupAnalytics(deps, span)), ...outcomesOf(signups, sum) },
    health: {
      asked: lookups.reduce((all, { count }) => all + count, 0),
      succeeded: sum(lookups, "succeeded"),
      partial: sum(lookups, "partial"),
      failed: sum(lookups, "failed"),
      open: sum(lookups, "open"),
    },
    calls: await callsOf(deps, span),
    before: await before(deps, span),
    over: {
      calls: bucketed(range, await countBy(deps, range, outcomesIn(deps, span)), ["succeeded", "refused", "broken"]),
      latency: await latencyOver(deps, span, range),
      verifications: bucketed(range, overVerifications, ["verified", "failed", "expired", "open"]),
      signup: bucketed(range, signups, ["released", "optedOut", "refused", "expired", "open"]),
      health: bucketed(range, lookups, ["succeeded", "partial", "failed", "open"]),
      errors: bucketed(range, await countBy(deps, range, errorsIn(deps, span))),
    },
  };
}

/** The main counts of the period of the same length before a range. Calls are null if the log no longer has them. */
async function before(deps: ReportingDeps, { brandUuid, from, to }: Span): Promise<Analytics["before"]> {
  const span = { brandUuid, from: from - (to - from), to: from };
  const count = async (rows: RawBuilder<unknown>, good: readonly string[]) => {
    const lists = await ofEach(deps, async (db) => {
      const { rows: counted } = await sql<{ all: number; part: number }>`
        select count(*)::int as "all", (count(*) filter (where name = any(${good}::text[])))::int as part
          from (${rows}) as named`.execute(db);
      return counted;
    });
    const sum = { all: 0, part: 0 };
    for (const one of lists.flat()) addTo(sum, one, ["all", "part"]);
    return sum;
  };
  const verified = sql`select status as name from (${verificationsIn(deps, span)}) as every`;
  return {
    verifications: await count(verified, ["verified"]),
    signup: await count(signupsIn(deps, span), ["released"]),
    health: await count(lookupsIn(deps, span), ["succeeded", "partial"]),
    calls: span.from < deps.clock.now() - logKeptMs ? null : await callsOf(deps, span),
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

async function verificationAnalytics(deps: ReportingDeps, span: Span, range: Buckets) {
  const now = deps.clock.now();
  const outcome = sql`case
    when status = 'verified' then 'verified'
    when status = 'failed' or attempts_used >= ${codeAttemptsMax} then 'failed'
    when expires_at <= ${now} then 'expired' else 'open' end`;
  const all = verificationsIn(deps, span);
  const lists = await ofEach(deps, async (db) => {
    const { rows } = await sql<Analytics["verifications"][number]>`
      select channel, count(*)::int as created,
             (count(*) filter (where deliveries > 0))::int as sending,
             (count(*) filter (where delivered_at is not null))::int as delivered,
             (count(*) filter (where outcome = 'verified'))::int as verified,
             (count(*) filter (where outcome = 'failed'))::int as failed,
             (count(*) filter (where outcome = 'expired'))::int as expired,
             (count(*) filter (where outcome = 'open'))::int as open
        from (select *, ${outcome} as outcome from (${all}) as every) as judged
       group by channel`.execute(db);
    return rows;
  });
  const counts = ["created", "sending", "delivered", "verified", "failed", "expired", "open"] as const;
  const verifications = highestFirst(
    summed(lists, counts, ({ channel }) => channel),
    {
      figureOf: ({ created }) => created,
      nameOf: ({ channel }) => channel,
    },
  );
  const named = sql`select created_at as at, ${outcome} as name from (${all}) as every`;
  return { verifications, overVerifications: await countBy(deps, range, named) };
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

async function signupAnalytics(deps: ReportingDeps, { brandUuid, from, to }: Span) {
  const own = sql`brand_uuid = ${brandUuid} and environment = ${deps.environment}
    and created_at >= ${from} and created_at < ${to}`;
  const asked = { asked: 0, moreAsked: 0 };
  const lists = await ofEach(deps, async (db) => {
    const { rows } = await sql<typeof asked>`
      select count(*)::int as asked, (count(*) filter (where inputs_asked_at is not null))::int as "moreAsked"
        from one_click where ${own}`.execute(db);
    return rows;
  });
  for (const one of lists.flat()) addTo(asked, one, ["asked", "moreAsked"]);
  const refused = await ofEach(deps, async (db) => {
    const { rows } = await sql<{ code: string; count: number }>`
      select refusal as code, count(*)::int as count from one_click
       where ${own} and state = 'refused' and refusal is not null
       group by refusal`.execute(db);
    return rows;
  });
  const refusals = highestFirst(
    summed(refused, ["count"], ({ code }) => code),
    {
      figureOf: ({ count }) => count,
      nameOf: ({ code }) => code,
    },
  );
  return { ...asked, refusals, funnels: await funnelsOf(deps, own) };
}

/**
 * How far the 1-Clicks of each journey got, by their state. A 1-Click leaves `awaitingProof` only by a proof, or by too
 * many wrong codes (OCE018).
 */
async function funnelsOf(deps: ReportingDeps, own: RawBuilder<unknown>): Promise<Analytics["signup"]["funnels"]> {
  const lists = await ofEach(deps, async (db) => {
    const { rows } = await sql<Analytics["signup"]["funnels"][number]>`
      select journey, count(*)::int as created,
             (count(*) filter (where state <> 'awaitingProof' and refusal is distinct from 'OCE018'))::int as proven,
             (count(*) filter (where state in ('awaitingDecision', 'released', 'declined')))::int as reviewed,
             (count(*) filter (where state = 'released'))::int as shared
        from one_click where ${own}
       group by journey`.execute(db);
    return rows;
  });
  const counts = ["created", "proven", "reviewed", "shared"] as const;
  return highestFirst(
    summed(lists, counts, ({ journey }) => journey),
    {
      figureOf: ({ created }) => created,
      nameOf: ({ journey }) => journey,
    },
  );
}
