import type { Clock } from "../domain/ports.ts";

/** `closed` lets calls through, `open` refuses them, `trying` lets one through to see whether the vendor is back. */
export type BreakerState = "closed" | "open" | "trying";

/** Failures in a row after which a vendor is left alone, and for how long. */
export const breakerFailuresMax = 5;
export const breakerPauseMs = 30_000;

export type Breaker = {
  /** Whether a call may be made now. Whoever is let through says with `record` what became of it. */
  admits(): boolean;
  record(outcome: "alive" | "failed"): void;
};

/**
 * Spares a vendor that is down our calls, and people the wait for them. Our own few lines: what the libraries add (events,
 * pools, caches, fallbacks) would hide that a refused call was never sent, which the paid calls depend on.
 */
export function openBreaker(clock: Clock, turned: (state: BreakerState) => void): Breaker {
  let state: BreakerState = "closed";
  let failures = 0;
  let until = 0;
  const turn = (next: BreakerState) => {
    if (next === state) return;
    state = next;
    turned(next);
  };
  return {
    admits() {
      if (state === "closed") return true;
      if (clock.now() < until) return false;
      // Should the one that tries never come back, another may try a pause later.
      until = clock.now() + breakerPauseMs;
      turn("trying");
      return true;
    },
    record(outcome) {
      failures = outcome === "alive" ? 0 : failures + 1;
      if (outcome === "alive") return turn("closed");
      if (state === "closed" && failures < breakerFailuresMax) return;
      until = clock.now() + breakerPauseMs;
      turn("open");
    },
  };
}
