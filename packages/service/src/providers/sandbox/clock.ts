import { hourMs } from "@countersign/contract/time";
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

/** When the sandbox deletes what was issued to its fixed test people: 05:00 UTC, in milliseconds after midnight. */
export const nightlyWipeTimeOfDayMs = 5 * hourMs;
