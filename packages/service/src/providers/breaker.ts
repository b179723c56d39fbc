import type { Clock } from "../domain/ports.ts";

/** `closed` lets calls through, `open` refuses them, `trying` lets one through to test whether the vendor is back. */
export type BreakerState = "closed" | "open" | "trying";

/** Failures in a row that open the breaker, and how long it stays open, milliseconds. */
const breakerFailuresMax = 5;
const breakerPauseMs = 30_000;

export type Breaker = {
  /** Whether a call may be made now. If so, the caller must report its result with `record`. */
  admits(): boolean;
  record(outcome: "alive" | "failed"): void;
};

/**
 * A circuit breaker. While a vendor is down, no calls are sent, so people do not wait. It is our own, because libraries
 * do not show whether a refused call was sent, which matters for paid calls.
 */
export function openBreaker(clock: Clock, turned: (state: BreakerState) => void): Breaker {
  let state: BreakerState = "closed";
  let failures = 0;
  let pausedUntil = 0;
  const changeTo = (next: BreakerState) => {
    if (next === state) return;
    state = next;
    turned(next);
  };
  return {
    admits() {
      if (state === "closed") return true;
      if (clock.now() < pausedUntil) return false;
      // If the trial call never ends, allow another one after the next pause.
      pausedUntil = clock.now() + breakerPauseMs;
      changeTo("trying");
      return true;
    },
    record(outcome) {
      failures = outcome === "alive" ? 0 : failures + 1;
      if (outcome === "alive") return changeTo("closed");
      if (state === "closed" && failures < breakerFailuresMax) return;
      pausedUntil = clock.now() + breakerPauseMs;
      changeTo("open");
    },
  };
}
