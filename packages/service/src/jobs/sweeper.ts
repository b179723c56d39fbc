import type { Deps } from "../domain/deps.ts";
import { expirySweeps, hourlySweeps } from "../domain/retention/sweep.ts";

/** How often expired rows are erased, in milliseconds of real time. */
const everyMs = 10_000;
/** How often the hourly sweeps run, in milliseconds of the environment's clock. */
const hourMs = 60 * 60_000;
/** Rows per transaction, and transactions per table in one run. The next run erases the rest. */
const batchMax = 500;
const batchesMax = 1_000;

export type Sweeper = {
  /** Erases everything that has expired. A call during a run waits for it, and then runs once more. */
  sweep(): Promise<void>;
  /** Waits for the current run, and runs no more. */
  stop(): Promise<void>;
};
type About = { isOn: boolean; onFailure(sweep: string, error: unknown): void };

/** Erases expired rows of one environment by its clock: regularly if `isOn`, and on request. */
export function startSweeper(deps: Deps, { isOn, onFailure }: About): Sweeper {
  let stopped = false;
  let sweptAt: number | null = null;
  let running: Promise<void> = Promise.resolve();

  const attempt = async (name: string, work: () => Promise<void>) => {
    // A table that fails must not keep the others from being swept.
    if (!stopped) await work().catch((error: unknown) => onFailure(name, error));
  };
  const run = async () => {
    for (const [name, erase] of Object.entries(expirySweeps))
      await attempt(name, async () => {
        for (let batches = 0; batches < batchesMax && !stopped; batches += 1)
          if ((await erase(deps, batchMax)) < batchMax) return;
      });
    const now = deps.clock.now();
    // The clock of the sandbox may move back.
    if (sweptAt !== null && now >= sweptAt && now < sweptAt + hourMs) return;
    sweptAt = now;
    for (const [name, sweep] of Object.entries(hourlySweeps)) await attempt(name, () => sweep(deps));
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
