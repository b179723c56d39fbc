/** The waterfall of a journey: parts of time without long pauses, each with bars of its own scale. */
import type { JourneyStep } from "@countersign/contract/dashboard-journeys";

/** A longer pause, in milliseconds, begins a new part. With one scale, the seconds before it would be invisible. */
const pauseMs = 60_000;

export type Bar = {
  step: JourneyStep;
  /** Where it begins and how long it is, in percent of the part. */
  left: number;
  width: number;
};
export type Part = {
  from: number;
  to: number;
  /** How long nothing happened before it, in milliseconds. Null for the first part. */
  pauseMs: number | null;
  bars: Bar[];
};

/** These end a journey. What comes later, such as a read, has a part of its own. */
const outcomes: ReadonlySet<JourneyStep["name"]> = new Set([
  "shared",
  "declined",
  "refused",
  "failed",
  "found",
  "expired",
]);
/** What belongs to the outcome may be stored a moment after it, such as the answer of the call that led to it. */
const outcomeMs = 1_000;

/**
 * The parts of the steps, which are in the order in which they began. A step without an end lasts until its part's end.
 * A step begins a new part after a long pause, and if it began later than the outcome.
 */
export function partsOf(steps: readonly JourneyStep[]): Part[] {
  const over = steps.find(({ name }) => outcomes.has(name))?.from ?? null;
  const groups: { from: number; to: number; pauseMs: number | null; steps: JourneyStep[] }[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const end = step.to ?? step.from;
    const isAfter =
      over !== null && last !== undefined && last.from <= over && step.from > Math.max(over + outcomeMs, last.to);
    if (last !== undefined && step.from - last.to <= pauseMs && !isAfter) {
      last.steps.push(step);
      last.to = Math.max(last.to, end);
    } else {
      groups.push({
        from: step.from,
        to: end,
        pauseMs: last === undefined ? null : Math.max(0, step.from - last.to),
        steps: [step],
      });
    }
  }
  return groups.map(({ from, to, steps: own, ...part }) => {
    const share = (ms: number) => (to === from ? 0 : (ms / (to - from)) * 100);
    const bars = own.map((step) => ({
      step,
      left: share(step.from - from),
      width: share((step.to ?? to) - step.from),
    }));
    return { from, to, ...part, bars };
  });
}

/** A duration in the two largest units, such as "340 ms", "12.3 s", "4 min 5 s", "2 h 10 min". */
export function durationOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toLocaleString("en-US")} s`;
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1_000, "s"],
  ] as const;
  const at = units.findIndex(([size]) => ms >= size);
  const [large = units[3], small] = units.slice(at, at + 2);
  const rest = small === undefined ? 0 : Math.floor((ms % large[0]) / small[0]);
  const first = `${Math.floor(ms / large[0])} ${large[1]}`;
  return small === undefined || rest === 0 ? first : `${first} ${rest} ${small[1]}`;
}
