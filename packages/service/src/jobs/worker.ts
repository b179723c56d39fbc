import { minuteMs } from "@countersign/contract/time";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Deps } from "../domain/deps.ts";
import { endLargeScope, newLargeScope, runInLargeScope } from "../domain/large-values.ts";
import {
  claim,
  finish,
  isAnyDue,
  type Job,
  leaseMs,
  missingProcesses,
  type OwnWorker,
  postpone,
  releaseClaimsOf,
  returnJob,
} from "../store/queue.ts";
import { type JobKinds, jobKinds } from "./registry.ts";
import { openSlots } from "./slots.ts";

/** How often the worker polls for jobs, in milliseconds. It finds jobs of other processes and jobs that became due. */
const pollMs = 500;
/** With few free slots, the worker waits this long for more jobs to end before it polls again, in milliseconds. */
const pollAgainMs = 10;
/** How often the worker checks whether a process with claims has died. */
const checkForDeadMs = 5_000;
export type WorkerLog = { error(message: string, fields: Record<string, unknown>): void };
export type Worker = OwnWorker & {
  /** Runs due jobs until none is due and none is running. Returns the number of jobs that ran. */
  runDue(): Promise<number>;
  /** How many jobs have run since the start. */
  ran(): number;
  /** Stops taking jobs, and waits for the running jobs. */
  stop(): Promise<void>;
};

type WorkerOptions = {
  realNow(): number;
  log: WorkerLog;
  isOn: boolean;
  processNumber?: number | null;
  kinds?: JobKinds;
};

/** Runs the jobs of one environment by its clock, if `isOn` is true. `realNow` is the clock for leases. */
export function startWorker(deps: Deps, { processNumber = null, kinds = jobKinds, ...options }: WorkerOptions): Worker {
  const slots = openSlots();
  const running = new Set<Promise<void>>();
  let stopped = false;
  let ran = 0;
  /** Whether more jobs may be due than the last poll claimed. If not, the end of a job does not start a poll. */
  let moreMayBeDue = true;

  /** Runs a job that already has a slot. */
  const run = (job: Job) => {
    const done: Promise<void> = runOne(deps, { job, kind: kinds[job.name] }, options.log).finally(() => {
      running.delete(done);
      slots.release(job.concurrencyGroup);
      ran += 1;
      if (moreMayBeDue) pollAgain();
    });
    running.add(done);
  };
  const poll = async () => {
    while (!stopped && !slots.isFull()) {
      const isCrowded = slots.isCrowded();
      const room = slots.room();
      const at = { now: deps.clock.now(), realNow: options.realNow() };
      moreMayBeDue = true;
      const jobs = await claim(deps.db, deps.environment, { ...at, processNumber, ...room });
      // Jobs of a group without free slots may be waiting, too.
      moreMayBeDue = jobs.length > 0 || slots.areGrouped();
      for (const job of jobs) slots.take(job.concurrencyGroup);
      for (const job of jobs) run(job);
      // All ungrouped due jobs were claimed. Full groups may have hidden other due jobs, so poll again unless at the
      // limit.
      const groupJobs = jobs.filter(({ concurrencyGroup }) => concurrencyGroup !== null).length;
      if (groupJobs === 0 || (isCrowded && groupJobs === room.groupedMax)) return;
    }
  };
  const polls = oneAtATime(poll, () => !stopped && options.isOn, options.log);
  const wake = polls.startSoon;
  let pollTimer: NodeJS.Timeout | undefined;
  const pollAgain = () => {
    if (slots.isWorthPolling()) return wake();
    pollTimer ??= setTimeout(() => {
      pollTimer = undefined;
      wake();
    }, pollAgainMs).unref();
  };
  const dead = takeOver(deps, { realNow: options.realNow, wake });
  const checkForDead = () =>
    dead.check().catch((error: unknown) => options.log.error("dead process check failed", { error: String(error) }));
  const timers = options.isOn ? [setInterval(wake, pollMs), setInterval(checkForDead, checkForDeadMs)] : [];
  for (const timer of timers) timer.unref();
  return {
    wake,
    claim({ dueAt, concurrencyGroup: group = null }) {
      if (stopped || !options.isOn || dueAt > deps.clock.now()) return null;
      // A poll in progress may be about to use the group's last slot.
      if (!slots.hasRoom(group) || (group !== null && polls.current() !== null)) {
        moreMayBeDue = true;
        return null;
      }
      slots.take(group);
      const leasedUntil = options.realNow() + leaseMs;
      return { leasedUntil, processNumber, start: run, cancel: () => slots.release(group) };
    },
    ran: () => ran,
    async runDue() {
      const before = ran;
      // Repeat until a poll finds nothing more and no job is running. By then, everything that was due has run.
      do {
        await polls.current();
        await polls.start();
        await Promise.all(running);
        // Another poll may have started during the query, and the jobs that it claimed count too.
      } while (!stopped && ((await isBusy(deps, running)) || polls.current() !== null || running.size > 0));
      return ran - before;
    },
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      clearTimeout(pollTimer);
      await polls.ended();
      // A running job may start another one.
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Runs polls one at a time. A poll that is requested during another one runs after it, if `mayRun` allows it. */
function oneAtATime(poll: () => Promise<void>, mayRun: () => boolean, log: WorkerLog) {
  let current: Promise<void> | null = null;
  let isRequested = false;
  let isPlanned = false;
  const start = (): Promise<void> => {
    if (current !== null) {
      isRequested = true;
      return current;
    }
    current = poll().finally(() => {
      current = null;
      if (isRequested) startSoon();
      isRequested = false;
    });
    return current;
  };
  /** Starts one poll for all calls in the same event loop turn, so that jobs that end together cause a single poll. */
  const startSoon = () => {
    if (isPlanned || !mayRun()) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      if (mayRun()) start().catch((error: unknown) => log.error("job claim failed", { error: String(error) }));
    });
  };
  /** Waits for the current poll, even if it fails. `startSoon` logs the failure. */
  const ended = async () => await current?.catch(() => {});
  return { start, startSoon, ended, current: () => current };
}

/** Whether a job is running here, or is due and not claimed by another process. */
async function isBusy(deps: Deps, running: ReadonlySet<unknown>): Promise<boolean> {
  if (running.size > 0) return true;
  return await isAnyDue(deps.db, deps.environment, deps.clock.now());
}

/** How long a job of a newer version waits, in milliseconds. By then, that version may have replaced this process. */
const unknownMs = minuteMs;

type Known = { job: Job; kind: JobKinds[string] };

async function runOne(deps: Deps, { job, kind }: Partial<Known> & { job: Job }, log: WorkerLog): Promise<void> {
  if (kind === undefined) {
    log.error("job of an unknown kind left for a newer version", { job: job.name });
    await returnJob(deps.db, job, deps.clock.now() + unknownMs).catch((failure: unknown) =>
      log.error("job reschedule failed", { error: String(failure) }),
    );
    return;
  }
  const scope = newLargeScope();
  try {
    const ending = await traced(job.name, () =>
      runInLargeScope(scope, async (): Promise<unknown> => await kind.run(deps, job.payload, job)),
    );
    if (ending !== "ended") await finish(deps.db, job);
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    log.error("job failed", { job: job.name, attempts: job.attempts, error: name });
    await retryLater(deps, { job, kind }).catch((failure: unknown) =>
      log.error("job reschedule failed", { error: String(failure) }),
    );
  } finally {
    endLargeScope(scope);
  }
}

/** Records a span with the job's name. The payload stays out of the trace. */
function traced<Answer>(name: string, run: () => Promise<Answer>): Promise<Answer> {
  return trace.getTracer("countersign").startActiveSpan(name, { kind: SpanKind.CONSUMER, root: true }, async (span) => {
    try {
      return await run();
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
  const delay = kind.retryDelaysMs[job.attempts - 1];
  if (delay === undefined) await kind.giveUp?.(deps, job.payload);
  await postpone(deps.db, job, delay === undefined ? null : now + delay, now);
}

/** Releases the claims of processes that died, without waiting for their leases to end. */
export type TakeOver = {
  /**
   * Releases the claims of processes that were missing in this check and in the previous one. A process that was only
   * reconnecting is no longer missing in the second check.
   */
  check(): Promise<void>;
};

export function takeOver(deps: Deps, options: { realNow(): number; wake(): void }): TakeOver {
  let missing: ReadonlySet<number> = new Set();
  return {
    async check() {
      const missingBefore = missing;
      // Start over after a failed check, because perhaps only the database was unavailable.
      missing = new Set();
      const at = { now: deps.clock.now(), realNow: options.realNow() };
      const found = await missingProcesses(deps.db, deps.environment, at);
      const dead = found.filter((processNumber) => missingBefore.has(processNumber));
      missing = new Set(found);
      if (dead.length === 0) return;
      await releaseClaimsOf(deps.db, deps.environment, { ...at, processNumbers: dead });
      options.wake();
    },
  };
}
