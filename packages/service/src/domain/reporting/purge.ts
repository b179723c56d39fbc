import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import { deleteLines } from "../../store/request-log.ts";
import type { Deps } from "../deps.ts";

const dayMs = 24 * 60 * 60_000;
/** How long a line of the request log is kept, by the environment's clock. */
export const logKeptMs = 30 * dayMs;
/** Schedules the next purge. A missed purge stays due. */
export async function schedulePurge(deps: Deps): Promise<void> {
  await deps.db.inTransaction((trx) => enqueueOnce(trx, nextPurge(deps)));
}

/** Job: deletes lines that are older than `logKeptMs`. */
export async function purgeLog(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  // A line from the future was written before the clock was set back.
  await deleteLines(deps.db, deps.environment, { before: now - logKeptMs, after: now + dayMs });
  // Use `enqueue`, not `enqueueOnce`: it resets the lease, so finishing the running job does not delete the new one.
  await deps.db.inTransaction((trx) => enqueue(trx, nextPurge(deps)));
}

function nextPurge(deps: Deps): NewJob {
  const dueAt = (Math.floor(deps.clock.now() / dayMs) + 1) * dayMs;
  return { environment: deps.environment, name: "watch.purgeLog", subject: "nightly", dueAt, payload: {} };
}
