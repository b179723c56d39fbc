/**
 * Jobs of a kind that exists only in a test. Their environment has no worker, so only workers that a test starts take
 * them.
 */
import type { JobKinds } from "../../jobs/registry.ts";
import { startWorker } from "../../jobs/worker.ts";
import type { Trx } from "../../store/database.ts";
import { enqueueAll, type NewJob, type OwnWorker } from "../../store/queue.ts";
import { type Sandbox, testStart } from "./sandbox.ts";

export const environment = "production";
export const realNow = 1_000_000;

/** A job with a name and a payload that the service does not know. */
type TestJob = Omit<NewJob, "name" | "payload"> & { name: string; payload: Record<string, string> };

/** A worker that starts no job. Jobs stay in the queue. */
export const noWorker: OwnWorker = { claim: () => null, wake() {} };

let subjects = 0;
export function newJob(job: Partial<TestJob> = {}): TestJob {
  subjects += 1;
  return { environment, name: "test.job", subject: `subject ${subjects}`, dueAt: testStart, payload: {}, ...job };
}

export function enqueueTestJobs(trx: Trx, ...jobs: TestJob[]): Promise<void> {
  return enqueueAll({ worker: noWorker }, trx, jobs as NewJob[]);
}

export function testJobs(it: Sandbox) {
  const errors: unknown[] = [];
  const put = (...jobs: TestJob[]) => it.deps.db.inTransaction((trx) => enqueueTestJobs(trx, ...jobs));

  function worker(run: (payload: Record<string, string>) => Promise<void>, kind: Partial<JobKinds[string]> = {}) {
    const kinds: JobKinds = {
      "test.job": { run: (_deps, payload) => run(payload), retryDelaysMs: [], ...kind },
    };
    const clock = { now: () => now };
    let now = testStart;
    const log = { error: (_message: string, fields: unknown) => void errors.push(fields) };
    const started = startWorker({ ...it.deps, environment, clock }, { isOn: true, realNow: () => realNow, log, kinds });
    return {
      ...started,
      at(instant: number) {
        now = instant;
        return started.runDue();
      },
    };
  }
  return { errors, put, worker };
}

/** Jobs that run until the test ends them one by one. `begun` lists the jobs that have started. */
export function heldJobs() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let noticed = () => {};
  const run = ({ name = "" }: Record<string, string>) => {
    begun.push(name);
    noticed();
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return {
    begun,
    run,
    end: (name: string) => ends.get(name)?.(),
    async until(count: number) {
      while (begun.length < count)
        await new Promise<void>((resolve) => {
          noticed = resolve;
        });
    },
  };
}
