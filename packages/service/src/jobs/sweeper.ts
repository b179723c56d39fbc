import type { Deps } from "../domain/deps.ts";
import { expirySweeps, hourlySweeps, type Sweep } from "../domain/retention/sweep.ts";

/** How often expired rows are erased, in milliseconds of real time. */
const everyMs = 10_000;
/** How often the hourly sweeps run, in milliseconds of the environment's clock. */
const hourMs = 60 * 60_000;

export type Sweeper = {
  /** Erases everything that has expired. A call during a run waits for it and then runs once more. */
  sweep(): Promise<void>;
  /** Waits for the current run, and starts no other. */
  stop(): Promise<void>;
};
/** `onFailure` gets the failed sweeps of a run and the last error. While the database is down, all sweeps fail. */
type SweeperOptions = { isOn: boolean; onFailure(sweeps: readonly string[], error: unknown): void };

/** Erases expired rows of one environment by its clock: regularly if `isOn`, and on request. */
export function startSweeper(deps: Deps, { isOn, onFailure }: SweeperOptions): Sweeper {
  let stopped = false;
  let hourlyAt: number | null = null;
  let running: Promise<void> = Promise.resolve();

  /** Returns whether all sweeps succeeded. A failed sweep does not stop the others. */
  const runAll = async (sweeps: Record<string, Sweep>): Promise<boolean> => {
    const failed: string[] = [];
    let lastError: unknown;
    for (const [name, sweep] of Object.entries(sweeps)) {
      if (stopped) return false;
      await sweep(deps).catch((error: unknown) => {
        failed.push(name);
        lastError = error;
      });
    }
    if (failed.length > 0) onFailure(failed, lastError);
    return failed.length === 0;
  };
  const run = async () => {
    await runAll(expirySweeps);
    const now = deps.clock.now();
    // The sandbox's clock may have moved back.
    const isRecent = hourlyAt !== null && now >= hourlyAt && now < hourlyAt + hourMs;
    if (!isRecent && (await runAll(hourlySweeps))) hourlyAt = now;
  };
  const sweep = () => {
    running = running.then(run);
    return running;
  };
  let isWaiting = false;
  const sweepInTime = async () => {
    // A run may take longer than the interval.
    if (isWaiting) return;
    isWaiting = true;
    await sweep();
    isWaiting = false;
  };
  const timer = isOn ? setInterval(sweepInTime, everyMs) : undefined;
  timer?.unref();
  return {
    sweep,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
