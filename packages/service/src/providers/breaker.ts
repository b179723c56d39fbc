import type { Clock } from "../domain/ports.ts";

/** `closed` lets calls through, `open` refuses them, `trying` lets one through to test whether the vendor is back. */
export type BreakerState = "closed" | "open" | "trying";

/** Failures in a row that open the breaker, and how long it stays open, milliseconds. */
const breakerFailuresMax = 5;
const breakerPauseMs = 30_000;

export type Breaker = {
  /** Whether a call may be made now. After such a call, its caller reports the result with `record`. */
  admits(): boolean;
  record(outcome: "alive" | "failed"): void;
};

/**
 * A circuit breaker. While a vendor is down, calls are not sent, and people do not wait for them. We use no library:
 * its events, pools, caches and fallbacks would hide whether a refused call was sent, and paid calls depend on knowing
 * that.
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
      // If the trial call never returns, another call may try after the next pause.
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
