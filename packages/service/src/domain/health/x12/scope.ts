import type { ParsedEdi271 } from "@countersign/contract/health";
import { activeCodes, inactiveCodes } from "./codes.ts";
import { contains, type DateSpan, isoDay, spansOf } from "./dates.ts";
import type { Benefit } from "./loops.ts";

/** The lines of a response that say what the plan is on the day asked about. Every fact of the plan comes from them. */
export type Scope = {
  active: readonly Benefit[];
  inactive: readonly Benefit[];
  /** All lines of the plan, such as deductibles. Lines about another payer are absent. */
  own(): readonly Benefit[];
  coverageStatus: ParsedEdi271["coverageStatus"];
  /** The day of the response, and the day asked about. */
  today: string | undefined;
  asked: string | undefined;
};

/** EB01 R: another payer. */
const otherPayer = "R";

/**
 * Chooses the lines whose periods contain the day asked about. A line without a period contains every day. If no line
 * contains it, all lines count.
 */
export function scopeOf(benefits: readonly Benefit[], days: { response: string; asked: string | undefined }): Scope {
  const today = isoDay(days.response);
  const asked = days.asked ?? today;
  const isAbout = (benefit: Benefit) =>
    asked === undefined || containsDay(benefit, spansOf(benefit.segments, today), asked);
  const active = benefits.filter(({ code }) => activeCodes.has(code));
  const inactive = benefits.filter(({ code }) => inactiveCodes.has(code));
  const chosen = { active: active.filter(isAbout), inactive: inactive.filter(isAbout) };
  const isDecided = chosen.active.length > 0 || chosen.inactive.some(isWholePlan);
  return {
    active: chosen.active.length > 0 ? chosen.active : active,
    inactive: chosen.inactive.length > 0 ? chosen.inactive : inactive,
    // A function, because most responses do not need these lines, and choosing them takes time.
    own() {
      const own = benefits.filter(({ code }) => code !== otherPayer);
      return atLeastOne(own.filter(isAbout), own);
    },
    coverageStatus: isDecided
      ? statusOf(chosen)
      : statusOf({ active: inactive.some(isWholePlan) ? [] : active, inactive }),
    today,
    asked,
  };
}

const atLeastOne = (some: readonly Benefit[], every: readonly Benefit[]) => (some.length > 0 ? some : every);
const isWholePlan = ({ serviceTypes }: Benefit) => serviceTypes.isWholePlan;

/** Lines about the whole plan decide. Without any, every line counts. */
function statusOf({ active, inactive }: Pick<Scope, "active" | "inactive">): Scope["coverageStatus"] {
  if (active.some(isWholePlan)) return "active";
  if (inactive.some(isWholePlan)) return "inactive";
  if (active.length > 0) return "active";
  return inactive.length > 0 ? "inactive" : "indeterminate";
}

/** Every family of dates has a span with the day: a plan may run on while the person's eligibility has ended. */
function containsDay({ code }: Benefit, spans: readonly DateSpan[], day: string): boolean {
  return spans.every(
    ({ family }) =>
      spans.some((span) => span.family === family && contains(span, day)) ||
      // A line that says when coverage ended is about every day since.
      (inactiveCodes.has(code) && spans.some((span) => span.family === family && hasEnded(span, day))),
  );
}

const hasEnded = ({ begin, end }: DateSpan, day: string) => begin === undefined && end !== undefined && end < day;
