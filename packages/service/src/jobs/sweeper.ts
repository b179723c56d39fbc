import { hourMs } from "@countersign/contract/time";
import type { Deps } from "../domain/deps.ts";
import { returnTurn, takeTurn } from "../domain/retention/home-sweep-rows.ts";
import { cellSweeps, homeSweeps, type Sweep, type Sweeps } from "../domain/retention/sweep.ts";
import { type SweepRun, saveSweepRuns } from "../domain/retention/sweep-result-rows.ts";
import { joined } from "../store/serial.ts";

/** How often expired rows are erased, in milliseconds of real time. */
const everyMs = 10_000;
/** A timer may be early by less than this, in milliseconds. */
const earlyMs = 1_000;

export type Sweeper = {
  /** Erases everything that has expired. A call during a run waits for it and then runs once more. */
  sweep(): Promise<void>;
  /** The same, if no other process has just done it. The timer calls this. */
  sweepInTurn(): Promise<void>;
  /** Waits for the current run, and starts no other. */
  stop(): Promise<void>;
};
/** `onFailure` gets the failed sweeps of a run and the last error. While the database is down, all sweeps fail. */
type SweeperOptions = { isOn: boolean; onFailure(sweeps: readonly string[], error: unknown): void };

/** Whether it is this sweeper's turn. `hourlyFailed` makes the next run repeat the hourly sweeps. */
type Turns = { expiry(): Promise<boolean>; hourly(): Promise<boolean>; hourlyFailed(): Promise<void> };

/** Erases expired rows of one cell by its environment's clock: regularly if `isOn`, and on request. */
export function startSweeper(deps: Deps, options: SweeperOptions): Sweeper {
  return start(deps, { ...options, sweeps: cellSweeps, turns: ownTurns(deps) });
}

/** Erases expired rows of home. Of all processes, one does it at a time. A request always erases what has expired. */
export function startHomeSweeper(deps: Deps, options: SweeperOptions): Sweeper {
  return start(deps, { ...options, sweeps: homeSweeps, turns: sharedTurns(deps) });
}

function ownTurns({ clock }: Deps): Turns {
  let hourlyAt: number | null = null;
  return {
    expiry: async () => true,
    async hourly() {
      const now = clock.now();
      // The sandbox's clock may have moved back.
      if (hourlyAt !== null && now >= hourlyAt && now < hourlyAt + hourMs) return false;
      hourlyAt = now;
      return true;
    },
    async hourlyFailed() {
      hourlyAt = null;
    },
  };
}

function sharedTurns({ home, environment, clock, realClock }: Deps): Turns {
  return {
    expiry: () => takeTurn(home, { environment, kind: "expiry", now: realClock.now(), everyMs: everyMs - earlyMs }),
    hourly: () => takeTurn(home, { environment, kind: "hourly", now: clock.now(), everyMs: hourMs }),
    hourlyFailed: () => returnTurn(home, { environment, kind: "hourly" }),
  };
}

function start(
  deps: Deps,
  { isOn, onFailure, sweeps, turns }: SweeperOptions & { sweeps: Sweeps; turns: Turns },
): Sweeper {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  /** Returns whether all sweeps succeeded. A failed sweep does not stop the others. */
  const runAll = async (all: Record<string, Sweep>): Promise<boolean> => {
    const runs: SweepRun[] = [];
    let lastError: unknown;
    for (const [name, sweep] of Object.entries(all)) {
      if (stopped) return false;
      const count = await sweep(deps).catch((error: unknown) => {
        lastError = error;
        return null;
      });
      runs.push({ sweep: name, erased: typeof count === "number" ? count : count === null ? null : 0 });
    }
    const failed = runs.flatMap(({ sweep, erased }) => (erased === null ? [sweep] : []));
    if (failed.length > 0) onFailure(failed, lastError);
    // The console shows them. They are not needed to erase anything.
    await saveSweepRuns(deps, runs).catch(() => {});
    return failed.length === 0;
  };
  const runHourly = async () => {
    if ((await turns.hourly()) && !(await runAll(sweeps.hourly))) await turns.hourlyFailed();
  };
  const run = async () => {
    await runAll(sweeps.expiry);
    await runHourly();
  };
  const runInTurn = async () => {
    if (await turns.expiry()) await runAll(sweeps.expiry);
    await runHourly();
  };
  /** Queues a run. If the turns cannot be read, no sweep ran. */
  const queue = (work: () => Promise<void>) => {
    running = running.then(work).catch((error: unknown) => onFailure(Object.keys(sweeps.expiry), error));
    return running;
  };
  const sweep = () => queue(run);
  const sweepInTurn = () => queue(runInTurn);
  // A run may take longer than the interval.
  const sweepInTime = joined(sweepInTurn);
  const timer = isOn ? setInterval(sweepInTime, everyMs) : undefined;
  timer?.unref();
  return {
    sweep,
    sweepInTurn,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
