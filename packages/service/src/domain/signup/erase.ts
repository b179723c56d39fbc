import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { eraseOneClicks, lockOneClick, scheduleErasure } from "./one-click-rows.ts";

/**
 * Job: erases a 1-Click's data once it has expired. If the 1-Click was continued and expires later, reschedules itself.
 * `alongside` runs in the same transaction.
 */
export async function eraseOneClick(
  deps: Deps,
  { oneClickUuid }: { oneClickUuid: string },
  alongside: (trx: Trx, erased: { personUuid: string; oneClickUuid: string; now: number }) => Promise<void>,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const locked = await lockOneClick(trx, oneClickUuid);
    if (locked === null) return;
    const { expiresAt, personUuid } = locked;
    if (expiresAt > now) return await scheduleErasure(deps, trx, [oneClickUuid], expiresAt);
    await eraseOneClicks(trx, { uuid: oneClickUuid }, now);
    if (personUuid !== null) await alongside(trx, { personUuid, oneClickUuid, now });
  });
}
