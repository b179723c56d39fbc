/** A brand's last seven days beside those before. What needs attention is in `attention.ts`. */
import { brandCallsMax } from "@countersign/contract/dashboard-brands";
import type { Overview } from "@countersign/contract/dashboard-reporting";
import { dayMs } from "@countersign/contract/time";
import {
  countCalls,
  countGood,
  lookupsIn,
  outcomesIn,
  type signupsIn,
  verificationsByOutcome,
} from "./analytics-rows.ts";
import type { ReportingDeps, Span } from "./deps.ts";
import { funnelOf } from "./funnel.ts";
import { countEnds, type EndCount, listStepDurations } from "./funnel-rows.ts";
import { addTo, summed } from "./sums.ts";

const days = 7;
type Figures = Omit<Overview, "attention" | "attentionMore">;

/** How many calls each of some brands made in the last seven days. Brands without calls are left out. */
export async function readBrandCalls(deps: ReportingDeps, brands: readonly string[]) {
  const since = deps.clock.now() - days * dayMs;
  const lists = await countCalls(deps, { brands, since, max: brandCallsMax });
  return summed(lists, ["all", "failed"], ({ uuid }) => uuid);
}

/**
 * The figures of the last seven UTC days until now, and of the same hours a week earlier. The number of statements does
 * not depend on the brand.
 */
export async function readFigures(deps: ReportingDeps, brandUuid: string): Promise<Figures> {
  const now = deps.clock.now();
  const from = Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs;
  const span: Span = { brandUuid, from, to: now + 1 };
  const earlier: Span = { brandUuid, from: from - days * dayMs, to: now + 1 - days * dayMs };
  const pair = async (rowsOf: typeof signupsIn, good: readonly string[]) => ({
    now: await shareOf(deps, rowsOf(deps, span), good),
    before: await shareOf(deps, rowsOf(deps, earlier), good),
  });
  const [ends, endsBefore, durations, verifications, health, calls] = await Promise.all([
    countEnds(deps, span, dayMs),
    countEnds(deps, earlier, dayMs),
    listStepDurations(deps, span),
    pair(verificationsByOutcome, ["verified"]),
    pair(lookupsIn, ["succeeded", "partial"]),
    pair(outcomesIn, ["refused", "broken"]),
  ]);
  const [own, past] = [ends.flat(), endsBefore.flat()];
  return {
    now,
    from,
    funnel: funnelOf(own, durations.flat()),
    days: Array.from({ length: days }, (_, day) => ({
      at: from + day * dayMs,
      now: sharedOf(own.filter(({ period }) => period === day)),
      before: sharedOf(past.filter(({ period }) => period === day)),
    })),
    signup: { now: sharedOf(own), before: sharedOf(past) },
    verifications,
    health,
    calls,
  };
}

async function shareOf(deps: ReportingDeps, rows: ReturnType<typeof signupsIn>, good: readonly string[]) {
  const sum = { all: 0, part: 0 };
  for (const one of (await countGood(deps, rows, good)).flat()) addTo(sum, one, ["all", "part"]);
  return sum;
}

function sharedOf(ends: readonly EndCount[]): { all: number; part: number } {
  const sum = { all: 0, part: 0 };
  for (const { state, count } of ends)
    addTo(sum, { all: count, part: state === "released" ? count : 0 }, ["all", "part"]);
  return sum;
}
