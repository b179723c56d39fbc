import type { Deps } from "../deps.ts";
import { destroyAnswersOf } from "../idempotency/answer.ts";
import { eraseOneClicks, lockExpiredOneClicks } from "../signup/one-click-rows.ts";

/**
 * Erases the data of expired 1-Clicks together with the idempotent answers that contain it. Returns how many 1-Clicks
 * there were, at most `max`.
 */
export async function eraseExpiredOneClicks({ db, environment, clock }: Deps, max: number): Promise<number> {
  const now = clock.now();
  return await db.inTransaction(async (trx) => {
    const uuids = await lockExpiredOneClicks(trx, { environment, now, max });
    await destroyAnswersOf(trx, await eraseOneClicks(trx, { uuids }, now), now);
    return uuids.length;
  });
}
