import { removeTimeLimit } from "../../../store/database.ts";
import type { Deps } from "../../deps.ts";
import { deleteOldSightings } from "../../risk-sighting-rows.ts";
import { alarmKeptMs } from "./alarms.ts";
import { deleteAlarms } from "./conversion-alarm-rows.ts";
import { dayMs } from "./counters.ts";
import { deleteUseCounts } from "./use-count-rows.ts";

/** Deletes counters and risk sightings older than a day, and alarms older than a week. */
export async function purgeCounts({ db, home, ownKeyed, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  // A busy hour leaves millions of rows. Deleting them takes longer than the usual timeout.
  await home.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteUseCounts(trx, environment, now - dayMs);
    await deleteAlarms(trx, environment, now - alarmKeptMs);
  });
  await db.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteUseCounts(trx, environment, now - dayMs);
  });
  await ownKeyed.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteOldSightings(trx, environment, now - dayMs);
  });
}
