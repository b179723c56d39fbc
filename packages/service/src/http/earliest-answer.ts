import { setTimeout as timer, setImmediate as turn } from "node:timers/promises";

/**
 * The result of the work, `ms` milliseconds from now at the earliest. Hides differences of less than `ms` in the time
 * that the work takes. A failure is not delayed.
 */
export async function withMinimumDuration<Result>(
  ms: number,
  work: Promise<Result>,
  pause: (ms: number) => Promise<unknown> = pauseExactly,
): Promise<Result> {
  // The pause starts together with the work, so it ends at the same time however long the work takes.
  const paused = pause(ms);
  const result = await work;
  await paused;
  return result;
}

type Clock = { now(): number; timer(ms: number): Promise<unknown>; turn(): Promise<unknown> };
const usualClock: Clock = { now: () => performance.now(), timer, turn };

/**
 * Waits for `ms` milliseconds. A timer alone would reveal when the work ended: the event loop sleeps for whole
 * milliseconds since it was last awake. So the timer ends a millisecond early, and the event loop turns until the end.
 */
export async function pauseExactly(ms: number, clock = usualClock): Promise<void> {
  const end = clock.now() + ms;
  await clock.timer(ms - 1);
  while (clock.now() < end) await clock.turn();
}
