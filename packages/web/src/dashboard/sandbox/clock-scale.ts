/** The scale of the clock's timeline. Each quarter is linear, so that five minutes and a year both have room. */
import { dayMs, hourMs, minuteMs } from "@countersign/contract/time";

/** The longest move, in milliseconds. */
export const advanceMaxMs = 400 * dayMs;
/** The number of the slider's steps. */
export const stepsMax = 1_000;
/** The times at which a quarter ends, in milliseconds from now. */
export const quarters = [hourMs, dayMs, 30 * dayMs, advanceMaxMs] as const;
/** A mark this close to the slider attracts it, in steps. */
const nearSteps = 10;

/** The step of a time, from 0 to `stepsMax`. */
export function stepOf(aheadMs: number): number {
  const at = quarters.findIndex((end) => aheadMs <= end);
  if (at === -1) return stepsMax;
  const from = quarters[at - 1] ?? 0;
  const end = quarters[at] ?? advanceMaxMs;
  return ((at + (Math.max(0, aheadMs) - from) / (end - from)) * stepsMax) / quarters.length;
}

/** The time of a step: that of a mark near it, otherwise a whole minute. Marks are times from now, in milliseconds. */
export function aheadAt(step: number, marks: readonly number[]): number {
  const near = marks.filter((mark) => Math.abs(stepOf(mark) - step) <= nearSteps);
  const [best] = near.sort((a, b) => Math.abs(stepOf(a) - step) - Math.abs(stepOf(b) - step));
  if (best !== undefined && step > 0) return best;
  const at = Math.min(quarters.length - 1, Math.floor((step * quarters.length) / stepsMax));
  const from = quarters[at - 1] ?? 0;
  const end = quarters[at] ?? advanceMaxMs;
  const exact = from + ((step * quarters.length) / stepsMax - at) * (end - from);
  return Math.min(advanceMaxMs, Math.round(exact / minuteMs) * minuteMs);
}
