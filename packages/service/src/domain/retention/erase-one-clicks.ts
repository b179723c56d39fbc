import type { Deps } from "../deps.ts";
import { answersOf, endAnswers } from "../idempotency/answer.ts";
import { eraseOneClicks, listExpiredOneClicks, lockExpiredOneClicks } from "../signup/one-click-rows.ts";
import { endDeliveries } from "../webhook/delivery-rows.ts";

/**
 * Erases the data of expired 1-Clicks and of their pushes. The idempotent answers that contain the data are erased
 * first, because they may be in other databases: if the process dies in between, the next run finds the 1-Clicks again.
 * Returns how many there were, at most `max`.
 */
export async function eraseExpiredOneClicks(deps: Deps, max: number): Promise<number> {
  const { db, environment } = deps;
  const now = deps.clock.now();
  const expired = await listExpiredOneClicks(db, { environment, now, max });
  if (expired.length === 0) return 0;
  await endAnswers(deps, await answersOf(db, expired, now));
  const isListed = new Set(expired.map(({ uuid }) => uuid));
  return await db.inTransaction(async (trx) => {
    const locked = await lockExpiredOneClicks(trx, { environment, now, max });
    const uuids = locked.filter((uuid) => isListed.has(uuid));
    await eraseOneClicks(trx, { uuids }, now);
    // The v1 push has the same data.
    await endDeliveries(trx, { subjectUuids: uuids }, now);
    return uuids.length;
  });
}
