/**
 * Jobs of a kind that exists only in a test. Their environment has no worker, so only workers that a test starts take
 * them.
 */
import { registry } from "../../jobs/registry.ts";
import { startWorker } from "../../jobs/worker.ts";
import { enqueue, type NewJob } from "../../store/queue.ts";
import { type Sandbox, testStart } from "./sandbox.ts";

export const environment = "production";
export const realNow = 1_000_000;

let subjects = 0;
export function newJob(job: Partial<NewJob> = {}): NewJob {
  subjects += 1;
  return { environment, name: "test.job", subject: `subject ${subjects}`, dueAt: testStart, payload: {}, ...job };
}

export function testJobs(it: Sandbox) {
  const errors: unknown[] = [];
  const put = (job: NewJob) => it.store.db.inTransaction((trx) => enqueue(trx, job));

  function worker(
    run: (payload: Record<string, string>) => Promise<void>,
    about: Partial<(typeof registry)[string]> = {},
  ) {
    registry["test.job"] = { run: (_deps, payload) => run(payload), retryDelaysMs: [], ...about };
    const clock = { now: () => now };
    let now = testStart;
    const log = { error: (_message: string, fields: unknown) => void errors.push(fields) };
    const started = startWorker({ ...it.deps, environment, clock }, { isOn: true, realNow: () => realNow, log });
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
