/** Puts wrapped keys under another master key, while the service runs: what is wrapped anew stays the same key. */
import type { Database } from "./database.ts";
import { sealBytes } from "./seal.ts";
import { type MasterKeys, unwrap, wrappedPlaces } from "./vault.ts";

/** Keys of one transaction: an interruption loses at most these, and the next run begins there. */
export const rewrapBatch = 500;
/** Looks at the whole table: those after the first find what other processes wrapped meanwhile under the key before. */
const passesMax = 10;

/** What `onBatch` hears after each batch. */
export type Rewrapped = { rewrapped: number; left: number };

/** Answers how many keys are left under another master key: none, unless other processes still wrap with it. */
export async function rewrapKeys(
  db: Database,
  keys: MasterKeys,
  onBatch: (progress: Rewrapped) => void,
): Promise<Rewrapped> {
  await rewrapServiceKeys(db, keys);
  let rewrapped = 0;
  for (let pass = 0; pass < passesMax; pass += 1) {
    let after: string | null = "00000000-0000-0000-0000-000000000000";
    while (after !== null) {
      const batch = await rewrapDataKeys(db, keys, after);
      after = batch.last;
      rewrapped += batch.count;
      if (batch.count > 0) onBatch({ rewrapped, left: await countLeft(db, keys) });
    }
    if ((await countLeft(db, keys)) === 0) break;
  }
  return { rewrapped, left: await countLeft(db, keys) };
}

async function rewrapServiceKeys(db: Database, keys: MasterKeys): Promise<void> {
  const { master } = keys;
  await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("service_key")
      .selectAll()
      .where("master_key_id", "<>", master.id)
      .forUpdate()
      .execute();
    for (const { purpose, version, wrapped } of rows) {
      const place = wrappedPlaces.service(purpose);
      await trx
        .updateTable("service_key")
        .set({ wrapped: sealBytes(master.key, place, unwrap(keys, place, wrapped)), master_key_id: master.id })
        .where("purpose", "=", purpose)
        .where("version", "=", version)
        .execute();
    }
  });
}

/** A batch under a lock on its rows: a person who is deleted meanwhile waits, and stays deleted. */
async function rewrapDataKeys(
  db: Database,
  keys: MasterKeys,
  after: string,
): Promise<{ count: number; last: string | null }> {
  const { master } = keys;
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("data_key")
      .select(["uuid", "wrapped"])
      .where("master_key_id", "<>", master.id)
      .where("wrapped", "is not", null)
      .where("uuid", ">", after)
      .orderBy("uuid")
      .limit(rewrapBatch)
      .forUpdate()
      .execute();
    for (const { uuid, wrapped } of rows) {
      if (wrapped === null) continue;
      const place = wrappedPlaces.data(uuid);
      await trx
        .updateTable("data_key")
        .set({ wrapped: sealBytes(master.key, place, unwrap(keys, place, wrapped)), master_key_id: master.id })
        .where("uuid", "=", uuid)
        .execute();
    }
    return { count: rows.length, last: rows.length < rewrapBatch ? null : (rows.at(-1)?.uuid ?? null) };
  });
}

async function countLeft(db: Database, { master }: MasterKeys): Promise<number> {
  const { left } = await db
    .selectFrom("data_key")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("master_key_id", "<>", master.id)
    .where("wrapped", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}
