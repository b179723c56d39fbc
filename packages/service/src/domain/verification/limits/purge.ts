import { removeTimeLimit } from "../../../store/database.ts";
import { enqueue } from "../../../store/queue.ts";
import type { Deps } from "../../deps.ts";
import { deleteOldSightings } from "../../risk-sighting-rows.ts";
import { alarmKeptMs } from "./alarms.ts";
import { deleteAlarms } from "./conversion-alarm-rows.ts";
import { dayMs, nextPurge } from "./counters.ts";
import { deleteUseCounts } from "./use-count-rows.ts";

/** Job: deletes counters and risk sightings older than a day, and alarms older than a week. */
export async function purgeCounts(deps: Deps): Promise<void> {
  const { environment } = deps;
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    // A busy day leaves millions of rows, which take longer to delete than the usual timeout.
    await removeTimeLimit(trx);
    const areLeft = [
      await deleteUseCounts(trx, environment, now - dayMs),
      await deleteOldSightings(trx, { environment, until: now - dayMs }),
      await deleteAlarms(trx, environment, now - alarmKeptMs),
    ];
    // Use `enqueue` because it resets the lease. Otherwise, finishing the current job would delete the next one.
    if (areLeft.includes(true)) await enqueue(trx, nextPurge(deps));
  });
}
