import type { Sweeper } from "./sweeper.ts";
import type { Worker } from "./worker.ts";

/** Combines the workers of all cells. `workers` may return more of them later. */
export function workersTogether(workers: () => readonly Worker[]): Pick<Worker, "runDue" | "ran" | "stop"> {
  return {
    async runDue() {
      let all = 0;
      while (true) {
        const ran = sum(await Promise.all(workers().map((worker) => worker.runDue())));
        all += ran;
        // A job may have enqueued another one in another cell.
        if (ran === 0 || workers().length === 1) return all;
      }
    },
    ran: () => sum(workers().map((worker) => worker.ran())),
    stop: async () => void (await Promise.all(workers().map((worker) => worker.stop()))),
  };
}

/** Combines the sweepers of home and of all cells. */
export function sweepersTogether(sweepers: () => readonly Sweeper[]): Omit<Sweeper, "sweepInTurn"> {
  return {
    sweep: async () => void (await Promise.all(sweepers().map((one) => one.sweep()))),
    stop: async () => void (await Promise.all(sweepers().map((one) => one.stop()))),
  };
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
