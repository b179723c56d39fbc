import type { Clock } from "../../domain/ports.ts";
import { systemClock } from "../system.ts";

/** Real time plus an offset that sandbox control changes. */
export type MovableClock = Clock & { offsetMs(): number; setOffset(offsetMs: number): void };

export function movableClock(offsetMs: number): MovableClock {
  let offset = offsetMs;
  return {
    now: () => systemClock.now() + offset,
    offsetMs: () => offset,
    setOffset(next) {
      offset = next;
    },
  };
}
