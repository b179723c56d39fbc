import { setTimeout as wait } from "node:timers/promises";

/**
 * The result of the work, `ms` milliseconds from now at the earliest. Hides differences of less than `ms` in the time
 * that the work takes. A failure is not delayed.
 */
export async function withMinimumDuration<Result>(
  ms: number,
  work: Promise<Result>,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<Result> {
  // The pause starts together with the work, so it ends at the same time however long the work takes.
  const paused = pause(ms);
  const result = await work;
  await paused;
  return result;
}
