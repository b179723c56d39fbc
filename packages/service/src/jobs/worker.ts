import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Deps } from "../domain/deps.ts";
import { claim, finish, isAnyDue, type Job, postpone } from "../store/queue.ts";
import { type JobKinds, jobKinds } from "./registry.ts";
import { takeOver } from "./take-over.ts";

/** How often the worker polls for jobs, in milliseconds. It finds jobs of other processes and jobs that became due. */
const pollMs = 500;
/** How often the worker checks whether a process with claims has died. */
const lookForDeadMs = 5_000;
/** Concurrent jobs per process: in total, in all groups together (so that texts never wait for webhooks), per group. */
const slotsMax = 64;
const groupedMax = 48;
const groupMax = 4;
/** From this many grouped jobs on, a group gets only its first job, so that groups that hang leave room for others. */
const crowdedFrom = 32;

export type WorkerLog = { error(message: string, fields: Record<string, unknown>): void };
export type Worker = {
  /** Looks for jobs at once. */
  wake(): void;
  /** Runs due jobs until none is due and none is running. Returns how many jobs ran meanwhile. */
  runDue(): Promise<number>;
  /** Stops taking jobs, and waits for the running jobs. */
  stop(): Promise<void>;
};

type About = { realNow(): number; log: WorkerLog; isOn: boolean; holder?: number | null; kinds?: JobKinds };

/** Runs the jobs of one environment by its clock, if `isOn` is true. `realNow` times the leases. */
export function startWorker(deps: Deps, { holder = null, kinds = jobKinds, ...about }: About): Worker {
  const running = new Map<Promise<void>, string | null>();
  let stopped = false;
  let ran = 0;
  let looking: Promise<void> | null = null;
  let isLookRequested = false;

  const run = (job: Job) => {
    const done: Promise<void> = runOne(deps, { job, kind: kinds[job.name] }, about.log).finally(() => {
      running.delete(done);
      ran += 1;
      wake();
    });
    running.set(done, job.concurrencyGroup);
  };
  const look = async () => {
    while (!stopped && running.size < slotsMax) {
      const free = slotsMax - running.size;
      const grouped = [...running.values()].filter((group) => group !== null).length;
      const isCrowded = grouped >= crowdedFrom;
      const room = Math.min(free, (isCrowded ? groupedMax : crowdedFrom) - grouped);
      const claims = {
        now: deps.clock.now(),
        realNow: about.realNow(),
        holder,
        limit: free,
        groupedMax: room,
        groupMax: isCrowded ? 1 : groupMax,
        running: groupsIn(running),
      };
      const jobs = await claim(deps.db, deps.environment, claims);
      for (const job of jobs) run(job);
      // Jobs without a group were all taken. Full groups may have hidden other jobs, so look again unless at the limit.
      const groupJobs = jobs.filter(({ concurrencyGroup }) => concurrencyGroup !== null).length;
      if (groupJobs === 0 || (isCrowded && groupJobs === room)) return;
    }
  };
  /** Only one look runs at a time. A request for another look is remembered and runs afterwards. */
  const startLook = (): Promise<void> => {
    if (looking !== null) {
      isLookRequested = true;
      return looking;
    }
    looking = look().finally(() => {
      looking = null;
      if (!isLookRequested) return;
      isLookRequested = false;
      wake();
    });
    return looking;
  };
  const lookSoon = onceSoon(() => {
    if (stopped) return;
    startLook().catch((error: unknown) => about.log.error("job claim failed", { error: String(error) }));
  });
  const wake = () => {
    if (!stopped && about.isOn) lookSoon();
  };
  const timer = about.isOn ? setInterval(wake, pollMs) : undefined;
  timer?.unref();
  const dead = takeOver(deps, { realNow: about.realNow, wake });
  const lookForDead = () =>
    dead.look().catch((error: unknown) => about.log.error("job takeover failed", { error: String(error) }));
  const deadTimer = about.isOn ? setInterval(lookForDead, lookForDeadMs) : undefined;
  deadTimer?.unref();
  return {
    wake,
    async runDue() {
      const before = ran;
      // All jobs that were due at the call have run once a complete look finds no more jobs and no job is running.
      do {
        await looking;
        await startLook();
        await Promise.all(running.keys());
        // Another look may have started during the query. The jobs that it took still count.
      } while (!stopped && ((await isBusy(deps, running)) || looking !== null || running.size > 0));
      return ran - before;
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearInterval(deadTimer);
      await looking;
      await Promise.all(running.keys());
    },
  };
}

/** Runs `work` once for all calls before the next event loop turn, so that jobs that end together cause one look. */
function onceSoon(work: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      work();
    });
  };
}

/** Number of running jobs per concurrency group. */
function groupsIn(running: Map<Promise<void>, string | null>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const group of running.values()) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Whether a job is running here, or is due and not claimed by another process. */
async function isBusy(deps: Deps, running: Map<Promise<void>, string | null>): Promise<boolean> {
  if (running.size > 0) return true;
  return await isAnyDue(deps.db, deps.environment, deps.clock.now());
}

type Known = { job: Job; kind: JobKinds[string] | undefined };

async function runOne(deps: Deps, { job, kind }: Known, log: WorkerLog): Promise<void> {
  try {
    if (kind === undefined) throw new Error("unknown kind of job");
    await traced(job.name, () => kind.run(deps, job.payload));
    await finish(deps.db, job);
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    log.error("job failed", { job: job.name, attempts: job.attempts, error: name });
    await retryLater(deps, { job, kind }).catch((failure: unknown) =>
      log.error("job reschedule failed", { error: String(failure) }),
    );
  }
}

/** The span has the job's name. The payload stays out of the trace. */
function traced(name: string, run: () => Promise<void>): Promise<void> {
  return trace.getTracer("countersign").startActiveSpan(name, { kind: SpanKind.CONSUMER, root: true }, async (span) => {
    try {
      await run();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

async function retryLater(deps: Deps, { job, kind }: Known): Promise<void> {
  const now = deps.clock.now();
  const delay = kind?.retryDelaysMs[job.attempts - 1];
  if (delay === undefined) await kind?.giveUp?.(deps, job.payload);
  await postpone(deps.db, job, delay === undefined ? null : now + delay, now);
}
