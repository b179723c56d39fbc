/** How far a brand's 1-Clicks got, why others did not, and how long each step took. */
import type { Funnel } from "@countersign/contract/dashboard-reporting";
import type { ReportingDeps, Span } from "./deps.ts";
import { countEnds, type Durations, type EndCount, listStepDurations } from "./funnel-rows.ts";
import { highestFirst } from "./sums.ts";

/** The refusal after too many wrong codes. It is the only one before the phone is verified. */
const tooManyCodes = "OCE018";
const steps = ["verified", "found", "shared"] as const;
type Step = (typeof steps)[number];

/** The funnel of a time range. */
export async function readFunnel(deps: ReportingDeps, span: Span): Promise<Funnel> {
  const [ends, durations] = await Promise.all([countEnds(deps, span), listStepDurations(deps, span)]);
  return funnelOf(ends.flat(), durations.flat());
}

/** The funnel of 1-Clicks that were counted by their end. */
export function funnelOf(ends: readonly EndCount[], durations: readonly Durations[]): Funnel {
  const asked = ends.reduce((sum, { count }) => sum + count, 0);
  const lost = ends.map((end) => ({ at: lostAt(end), reason: reasonOf(end), count: end.count }));
  const stepOf = (step: Step) => {
    const until = steps.slice(0, steps.indexOf(step) + 1);
    const gone = lost.filter(({ at }) => at !== null && until.includes(at));
    const reasons = new Map<string, number>();
    for (const { at, reason, count } of gone) if (at === step) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    const losses = [...reasons].map(([reason, count]) => ({ reason, count }));
    return {
      count: asked - gone.reduce((sum, { count }) => sum + count, 0),
      medianMs: medianOf(durations.flatMap((one) => one[step] ?? [])),
      losses: highestFirst(losses, { figureOf: ({ count }) => count, nameOf: ({ reason }) => reason }),
    };
  };
  return { asked, verified: stepOf("verified"), found: stepOf("found"), shared: stepOf("shared") };
}

/** The first step that a 1-Click did not reach. Null if it was shared. */
function lostAt({ state, refusal, isFound }: EndCount): Step | null {
  if (state === "released") return null;
  if (isFound) return "shared";
  return state === "awaitingProof" || refusal === tooManyCodes ? "verified" : "found";
}

/** Why a 1-Click ended, or `open` if it can still continue. */
function reasonOf({ state, refusal, isOver }: EndCount): string {
  if (state === "refused") return refusal ?? "refused";
  if (state === "declined") return "declined";
  if (!isOver) return "open";
  return state === "awaitingProof" ? "notVerified" : "left";
}

function medianOf(values: readonly number[]): number | null {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.floor((inOrder.length - 1) / 2)] ?? null;
}
