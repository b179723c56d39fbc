import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { eraseOneClicks, lockOneClick, scheduleErasure } from "./one-click-rows.ts";

/**
 * Erases a 1-Click's data if it has expired, and returns whose it was. If the 1-Click was continued and expires later,
 * schedules another attempt and returns null.
 */
export async function eraseExpired(
  deps: Deps,
  trx: Trx,
  oneClickUuid: string,
): Promise<{ personUuid: string | null } | null> {
  const now = deps.clock.now();
  const locked = await lockOneClick(trx, oneClickUuid);
  if (locked === null) return null;
  const { expiresAt, personUuid } = locked;
  if (expiresAt > now) {
    await scheduleErasure(deps, trx, [oneClickUuid], expiresAt);
    return null;
  }
  await eraseOneClicks(trx, { uuid: oneClickUuid }, now);
  return { personUuid };
}
