/** Wraps keys with another master key while the service runs. The keys themselves do not change. */

import type { StoreKind } from "./cells/store-kinds.ts";
import { countKeysOfOtherMaster, lockKeysOfOtherMaster, rewrapKey } from "./data-key-rows.ts";
import type { Database, Home } from "./database.ts";
import { sealBytes } from "./seal.ts";
import { lockServiceKeysOfOtherMaster, rewrapServiceKey } from "./service-key-rows.ts";
import { type MasterKeys, unwrap, wrappedPlaces } from "./vault.ts";

/** Keys per transaction. An interruption loses at most one batch, and the next run does the remaining keys. */
export const rewrapBatch = 500;

/** The progress that `onBatch` receives after each batch. */
export type Rewrapped = { rewrapped: number; left: number };

/**
 * Rewraps the keys of all `stores`: each database with data keys, once. Home and keyed rows share the database of cell
 * 0. Returns the numbers of rewrapped and remaining keys. None remain if the other master keys were retired before.
 */
export async function rewrapKeys(
  { home, stores }: { home: Home; stores: readonly Database<StoreKind>[] },
  keys: MasterKeys,
  onBatch: (progress: Rewrapped) => void,
): Promise<Rewrapped> {
  await rewrapServiceKeys(home, keys);
  const done = { rewrapped: 0, left: 0 };
  for (const store of stores) {
    const ofStore = await rewrapKeysOf(store, keys, ({ rewrapped, left }) =>
      onBatch({ rewrapped: done.rewrapped + rewrapped, left: done.left + left }),
    );
    done.rewrapped += ofStore.rewrapped;
    done.left += ofStore.left;
  }
  return done;
}

async function rewrapKeysOf(
  db: Database<StoreKind>,
  keys: MasterKeys,
  onBatch: (progress: Rewrapped) => void,
): Promise<Rewrapped> {
  let rewrapped = 0;
  let left = await countKeysOfOtherMaster(db, keys.master.id);
  let after: string | null = "00000000-0000-0000-0000-000000000000";
  while (after !== null) {
    const batch = await rewrapDataKeys(db, keys, after);
    after = batch.last;
    rewrapped += batch.count;
    left = Math.max(0, left - batch.count);
    if (batch.count > 0) onBatch({ rewrapped, left });
  }
  return { rewrapped, left: await countKeysOfOtherMaster(db, keys.master.id) };
}

async function rewrapServiceKeys(home: Home, keys: MasterKeys): Promise<void> {
  const { master } = keys;
  await home.inTransaction(async (trx) => {
    for (const { purpose, version, wrapped } of await lockServiceKeysOfOtherMaster(trx, master.id)) {
      const place = wrappedPlaces.service(purpose);
      const rewrapped = sealBytes(master.key, place, unwrap(keys, place, wrapped));
      await rewrapServiceKey(trx, { purpose, version, wrapped: rewrapped, master_key_id: master.id });
    }
  });
}

/** Rewraps one batch under a row lock. A concurrent deletion of a person waits, so it is not overwritten. */
async function rewrapDataKeys(
  db: Database<StoreKind>,
  keys: MasterKeys,
  after: string,
): Promise<{ count: number; last: string | null }> {
  const { master } = keys;
  return await db.inTransaction(async (trx) => {
    const rows = await lockKeysOfOtherMaster(trx, { masterKeyId: master.id, after, max: rewrapBatch });
    for (const { uuid, wrapped } of rows) {
      if (wrapped === null) continue;
      const place = wrappedPlaces.data(uuid);
      const rewrapped = sealBytes(master.key, place, unwrap(keys, place, wrapped));
      await rewrapKey(trx, { uuid, wrapped: rewrapped, masterKeyId: master.id });
    }
    return { count: rows.length, last: rows.length < rewrapBatch ? null : (rows.at(-1)?.uuid ?? null) };
  });
}
