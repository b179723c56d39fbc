/** A brand's analytics for a time range, counted by the databases from ids and times only. */
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import {
  type Counted,
  countAsked,
  countBy,
  countByChannel,
  countFunnels,
  countGood,
  countRefusals,
  errorsIn,
  listDurations,
  listDurationsOver,
  listNewestCalls,
  lookupsIn,
  outcomesIn,
  signupsIn,
  verificationsByOutcome,
} from "./analytics-rows.ts";
import { type Buckets, bucketed, bucketMs, type RangeName, ranges } from "./buckets.ts";
import type { ReportingDeps, Span } from "./deps.ts";
import { readFunnel } from "./funnel.ts";
import { logKeptMs } from "./log.ts";
import { addTo, highestFirst, latenciesOf, summed } from "./sums.ts";

/** A range fits if it has this many of the latest calls, or all. */
const fittingCalls = 50;
/** The least number of buckets of a range that begins with the first call. */
const bucketsMin = 12;

/**
 * The shortest range that fits a brand's latest calls. If these are all its calls, the range begins with the first one.
 * Without calls, it is the longest one.
 */
export async function fittingRange(
  deps: ReportingDeps,
  brandUuid: string,
): Promise<{ range: RangeName } | { from: number; bucket: Buckets["bucket"] }> {
  const lists = await listNewestCalls(deps, brandUuid, fittingCalls);
  const newest = lists
    .flat()
    .sort((a, b) => b - a)
    .slice(0, fittingCalls);
  const now = deps.clock.now();
  const oldest = newest.at(-1) ?? 0;
  const range = (["hour", "day", "week", "month"] as const).find((name) => oldest > now - ranges[name].ms);
  if (range === undefined) return { range: "quarter" };
  if (newest.length === fittingCalls) return { range };
  const { bucket } = ranges[range];
  return { from: Math.min(oldest, now - (bucketsMin - 1) * bucketMs[bucket]), bucket };
}

/** All analytics except the alarms, which `verification/limits/conversion-alarm-rows.ts` reads. */
export async function readAnalytics(
  deps: ReportingDeps,
  brandUuid: string,
  range: Buckets,
): Promise<Omit<Analytics, "alarms">> {
  const span = { brandUuid, from: range.from, to: range.to };
  const overVerifications = await countBy(deps, range, verificationsByOutcome(deps, span));
  const signups = await countBy(deps, range, signupsIn(deps, span));
  const lookups = await countBy(deps, range, lookupsIn(deps, span));
  const sum = (counted: readonly Counted[], name: string) =>
    counted.filter((one) => one.name === name).reduce((all, { count }) => all + count, 0);
  return {
    ...range,
    verifications: await verificationsOf(deps, span),
    funnel: await readFunnel(deps, span),
    signup: { ...(await signupAnalytics(deps, span)), ...outcomesOf(signups, sum) },
    health: {
      asked: lookups.reduce((all, { count }) => all + count, 0),
      succeeded: sum(lookups, "succeeded"),
      partial: sum(lookups, "partial"),
      failed: sum(lookups, "failed"),
      open: sum(lookups, "open"),
    },
    calls: await callsOf(deps, span),
    before: await countsBefore(deps, span),
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
async function countsBefore(deps: ReportingDeps, { brandUuid, from, to }: Span): Promise<Analytics["before"]> {
  const span = { brandUuid, from: from - (to - from), to: from };
  const count = async (rows: ReturnType<typeof signupsIn>, good: readonly string[]) => {
    const sum = { all: 0, part: 0 };
    for (const one of (await countGood(deps, rows, good)).flat()) addTo(sum, one, ["all", "part"]);
    return sum;
  };
  return {
    verifications: await count(verificationsByOutcome(deps, span), ["verified"]),
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

async function verificationsOf(deps: ReportingDeps, span: Span): Promise<Analytics["verifications"]> {
  const counts = ["created", "sending", "delivered", "verified", "failed", "expired", "open"] as const;
  return highestFirst(
    summed(await countByChannel(deps, span), counts, ({ channel }) => channel),
    {
      figureOf: ({ created }) => created,
      nameOf: ({ channel }) => channel,
    },
  );
}

async function signupAnalytics(deps: ReportingDeps, span: Span) {
  const asked = { asked: 0, moreAsked: 0 };
  for (const one of (await countAsked(deps, span)).flat()) addTo(asked, one, ["asked", "moreAsked"]);
  const refusals = highestFirst(
    summed(await countRefusals(deps, span), ["count"], ({ code }) => code),
    {
      figureOf: ({ count }) => count,
      nameOf: ({ code }) => code,
    },
  );
  const counts = ["created", "proven", "reviewed", "shared"] as const;
  const funnels = highestFirst(
    summed(await countFunnels(deps, span), counts, ({ journey }) => journey),
    {
      figureOf: ({ created }) => created,
      nameOf: ({ journey }) => journey,
    },
  );
  return { ...asked, refusals, funnels };
}

type Calls = Analytics["calls"];

/** Counts and latencies of a range. The latencies are null if there are no calls. */
async function callsOf(deps: ReportingDeps, span: Span): Promise<Calls> {
  const rows = (await listDurations(deps, span)).flat();
  const calls = { count: 0, refused: 0, broken: 0 };
  for (const row of rows) addTo(calls, row, ["count", "refused", "broken"]);
  const { count, ...failed } = calls;
  return { all: count, ...failed, ...latenciesOf(rows) };
}

/** The latencies of each bucket. */
async function latencyOver(deps: ReportingDeps, span: Span, range: Buckets): Promise<Analytics["over"]["latency"]> {
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
