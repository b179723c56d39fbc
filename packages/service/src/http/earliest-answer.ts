import { randomInt } from "node:crypto";
import { setTimeout as timer, setImmediate as turn } from "node:timers/promises";

/**
 * Minimum durations of calls that create the record of a phone, in milliseconds. Creating a record takes longer than
 * reading one, so a faster answer would tell the brand that the phone has one. A new verification has the shorter
 * duration, because busy brands make many. The other calls use more statements.
 */
export const newVerificationMs = 2.5;
export const newPersonMs = 8;

/**
 * Returns the result of the work, but not before `ms` to `ms + 1` milliseconds have passed. Hides differences of less
 * than `ms` in the time that the work takes. A failure is not delayed.
 */
export async function withMinimumDuration<Result>(
  ms: number,
  work: Promise<Result>,
  pause: (ms: number) => Promise<unknown> = pauseWithJitter,
): Promise<Result> {
  // The pause starts together with the work, so it ends at the same time however long the work takes.
  const paused = pause(ms);
  const result = await work;
  await paused;
  return result;
}

type Clock = { now(): number; random(): number; timer(ms: number): Promise<unknown>; turn(): Promise<unknown> };
const usualClock: Clock = { now: () => performance.now(), random: () => randomInt(1_000) / 1_000, timer, turn };

/**
 * Waits for `ms` milliseconds and a random part of one more, which hides small differences that remain. A timer alone
 * would reveal when the work ended, so it ends early, and the event loop turns until the end.
 */
export async function pauseWithJitter(ms: number, clock = usualClock): Promise<void> {
  const wait = ms + clock.random();
  const end = clock.now() + wait;
  // The event loop sleeps for whole milliseconds since it was last awake, so the timer is up to a millisecond late.
  await clock.timer(Math.floor(wait - 1));
  while (clock.now() < end) await clock.turn();
}
