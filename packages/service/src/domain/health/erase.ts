import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Deps } from "../deps.ts";
import { eraseContents, listUnusedLookupKeys, lockExpiredLookups } from "./lookup-rows.ts";
import { deleteSteps } from "./step-rows.ts";

/** How far back to look for keys of erased lookups. All deliveries of a lookup end before that. */
const keysSinceMs = 30 * 24 * 60 * 60_000;
/** Keys destroyed by one sweep. The next sweep destroys the rest. */
const keysMax = 5_000;

/**
 * Erases the data of expired lookups, including payers' answers. Returns how many lookups there were, at most `max`.
 */
export async function eraseExpiredLookups({ db, environment, clock }: Deps, max: number): Promise<number> {
  const now = clock.now();
  return await db.inTransaction(async (trx) => {
    const uuids = await lockExpiredLookups(trx, { environment, now, max });
    await Promise.all([deleteSteps(trx, uuids), eraseContents(trx, uuids, now)]);
    return uuids.length;
  });
}

/** Destroys keys that belong only to erased lookups, once no webhook delivery needs them. */
export async function destroyLookupKeys({ db, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  await db.inTransaction(async (trx) => {
    const keys = await listUnusedLookupKeys(trx, { environment, since: now - keysSinceMs, max: keysMax });
    await destroyDataKeys(trx, keys, now);
  });
}
