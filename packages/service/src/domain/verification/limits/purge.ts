import { removeTimeLimit } from "../../../store/database.ts";
import type { Deps } from "../../deps.ts";
import { deleteOldSightings } from "../../risk-sighting-rows.ts";
import { alarmKeptMs } from "./alarms.ts";
import { deleteAlarms } from "./conversion-alarm-rows.ts";
import { dayMs } from "./counters.ts";
import { deleteUseCounts } from "./use-count-rows.ts";

/**
 * Deletes home's counters older than a day, and alarms older than a week. A busy hour leaves millions of rows, so this
 * takes longer than the usual timeout.
 */
export async function purgeHomeCounts({ home, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  await home.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteUseCounts(trx, environment, now - dayMs);
    await deleteAlarms(trx, environment, now - alarmKeptMs);
  });
}

/** Deletes a cell's counters and risk sightings older than a day. */
export async function purgeCounts({ db, ownKeyed, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  await db.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteUseCounts(trx, environment, now - dayMs);
  });
  await ownKeyed.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteOldSightings(trx, environment, now - dayMs);
  });
}
