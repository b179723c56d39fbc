/** The newest calls of this process to each vendor, for the operator's console. The metrics keep totals only. */

type Called = { vendor: string; operation: string; outcome: string; at: number; durationMs: number };
type BreakerState = "closed" | "open" | "trying";
type CallError = { at: number; operation: string; outcome: string };
type Kept = {
  breaker: BreakerState;
  durations: number[];
  outcomes: Map<string, number>;
  errors: CallError[];
  hits: number;
  misses: number;
};

/** Calls from which percentiles are computed, and failed calls that are listed. */
const durationsMax = 500;
const errorsMax = 10;
/** A failed check of a certificate counts for this long, in milliseconds. */
const certificateMs = 3_600_000;
/** Outcomes of a working vendor: an answer, or a refusal of what was asked. */
const working = /^([1-4]xx|sent)$/;
/** Such a call was not made, so it took no time. */
const notMade = "breaker open";

type Read = {
  breaker: BreakerState;
  calls: number;
  p50Ms: number | null;
  p95Ms: number | null;
  hitShare: number | null;
  outcomes: { outcome: string; count: number }[];
  errors: CallError[];
};

export type VendorFigures = ReturnType<typeof vendorFigures>;

export function vendorFigures() {
  const kept = new Map<string, Kept>();
  const of = (vendor: string): Kept => {
    const known = kept.get(vendor);
    if (known !== undefined) return known;
    const made: Kept = { breaker: "closed", durations: [], outcomes: new Map(), errors: [], hits: 0, misses: 0 };
    kept.set(vendor, made);
    return made;
  };
  return {
    called({ vendor, operation, outcome, at, durationMs }: Called): void {
      const { durations, outcomes, errors } = of(vendor);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (outcome === notMade) return;
      durations.push(durationMs);
      if (durations.length > durationsMax) durations.shift();
      if (working.test(outcome)) return;
      errors.unshift({ at, operation, outcome });
      errors.length = Math.min(errors.length, errorsMax);
    },
    breakerTurned({ vendor, state }: { vendor: string; state: BreakerState }): void {
      of(vendor).breaker = state;
    },
    answered({ vendor, isHit }: { vendor: string; isHit: boolean }): void {
      of(vendor)[isHit ? "hits" : "misses"] += 1;
    },
    /** Zeros for a vendor that was not called. */
    read(vendor: string): Read {
      const { breaker, durations, outcomes, errors, hits, misses } = of(vendor);
      const sorted = durations.toSorted((a, b) => a - b);
      const atShare = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
      const ms = (value: number | undefined) => (value === undefined ? null : Math.round(value));
      return {
        breaker,
        calls: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
        p50Ms: ms(atShare(0.5)),
        p95Ms: ms(atShare(0.95)),
        hitShare: hits + misses === 0 ? null : hits / (hits + misses),
        outcomes: [...outcomes].map(([outcome, count]) => ({ outcome, count })).sort((a, b) => b.count - a.count),
        errors: [...errors],
      };
    },
    /** The vendors whose newest failed call, within an hour, met an invalid certificate. */
    badCertificates: (now: number): string[] =>
      [...kept].flatMap(
        ([
          vendor,
          {
            errors: [newest],
          },
        ]) => (newest?.outcome === "certificate not valid" && now - newest.at < certificateMs ? [vendor] : []),
      ),
    /** The vendors that are not called now. */
    paused: (): string[] => [...kept].flatMap(([vendor, { breaker }]) => (breaker === "open" ? [vendor] : [])),
  };
}
