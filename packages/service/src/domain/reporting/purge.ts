import { sql } from "kysely";
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";

const dayMs = 24 * 60 * 60_000;
/** How long a line of the request log is kept, by the environment's clock. */
export const logKeptMs = 30 * dayMs;
/** Maximum rows per statement, and statements per run. The rest waits for the next day. */
const batchMax = 10_000;
const batchesMax = 200;

/** Schedules the next purge. A missed purge stays due. */
export async function schedulePurge(deps: Deps): Promise<void> {
  await deps.db.inTransaction((trx) => enqueueOnce(trx, nextPurge(deps)));
}

/** Job: deletes lines that are older than `logKeptMs`. */
export async function purgeLog(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  for (let batches = 0; batches < batchesMax; batches += 1) {
    const { numAffectedRows = 0n } = await sql`
      delete from request_log where id in (
        select id from request_log
         where environment = ${deps.environment}
           -- What comes from the future was written on a clock that has been set back since.
           and (at < ${now - logKeptMs} or at > ${now + dayMs})
         limit ${batchMax})`.execute(deps.db);
    if (numAffectedRows < BigInt(batchMax)) break;
  }
  // Use `enqueue`, not `enqueueOnce`: it resets the lease, so finishing the running job does not delete the new one.
  await deps.db.inTransaction((trx) => enqueue(trx, nextPurge(deps)));
}

function nextPurge(deps: Deps): NewJob {
  const dueAt = (Math.floor(deps.clock.now() / dayMs) + 1) * dayMs;
  return { environment: deps.environment, name: "watch.purgeLog", subject: "nightly", dueAt, payload: {} };
}
