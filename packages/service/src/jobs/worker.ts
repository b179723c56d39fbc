import type { Deps } from "../domain/deps.ts";
import { claim, finish, type Job, postpone } from "../store/queue.ts";
import { type JobKind, registry } from "./registry.ts";

/** How often the table is looked at without being told, milliseconds: jobs of other processes, and those that became due. */
const pollMs = 500;

export type WorkerLog = { error(message: string, fields: Record<string, unknown>): void };
export type Worker = {
  /** Looks at once. */
  wake(): void;
  /** Runs what is due, in order, until nothing is; answers how many ran. */
  runDue(): Promise<number>;
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>;
};

/** Runs the jobs of one environment, on that environment's clock. `realNow` times the claims. */
export function startWorker(deps: Deps, about: { realNow(): number; log: WorkerLog }): Worker {
  let stopped = false;
  let running: Promise<number> | null = null;
  let again = false;

  const drain = async (): Promise<number> => {
    let ran = 0;
    while (!stopped) {
      const jobs = await claim(deps.db, deps.environment, { now: deps.clock.now(), realNow: about.realNow() });
      if (jobs.length === 0) return ran;
      for (const job of jobs) await runOne(deps, job, about.log);
      ran += jobs.length;
    }
    return ran;
  };
  const start = (): Promise<number> => {
    running = drain().finally(() => {
      running = null;
      if (again && !stopped) {
        again = false;
        wake();
      }
    });
    return running;
  };
  const wake = () => {
    if (stopped) return;
    if (running !== null) {
      again = true;
      return;
    }
    start().catch((error: unknown) => about.log.error("jobs could not be claimed", { error: String(error) }));
  };
  const timer = setInterval(wake, pollMs);
  timer.unref();
  return {
    wake,
    async runDue() {
      if (running !== null) await running;
      return await start();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

async function runOne(deps: Deps, job: Job, log: WorkerLog): Promise<void> {
  const kind = registry[job.name];
  try {
    if (kind === undefined) throw new Error("no such kind of job");
    await kind.run(deps, job.payload);
    await finish(deps.db, job);
  } catch (error) {
    log.error("a job failed", {
      job: job.name,
      attempts: job.attempts,
      error: error instanceof Error ? error.name : "unknown",
    });
    await retryLater(deps, job, kind);
  }
}

async function retryLater(deps: Deps, job: Job, kind: JobKind | undefined): Promise<void> {
  const now = deps.clock.now();
  const delay = kind?.retryDelaysMs[job.attempts - 1];
  if (delay === undefined) await kind?.giveUp?.(deps, job.payload);
  await postpone(deps.db, job, delay === undefined ? null : now + delay, now);
}
