/** The keys that encrypt what is stored about a person, a member or a webhook. The master key encrypts them. */
import type { AnyReader, AnyTrx } from "./database.ts";
import { insertRows, isAmong } from "./statements/rows.ts";

export type DataKeyRow = {
  uuid: string;
  environment: string;
  master_key_id: string;
  wrapped: Buffer;
  created_at: number;
};

export async function insertDataKeys(trx: AnyTrx, rows: readonly DataKeyRow[]): Promise<void> {
  await insertRows(trx, "data_key", rows);
}

/** The encrypted key. Null if it is unknown or destroyed. */
export async function findWrappedKey(reader: AnyReader, uuid: string): Promise<Buffer | null> {
  const row = await reader.selectFrom("data_key").select("wrapped").where("uuid", "=", uuid).executeTakeFirst();
  return row?.wrapped ?? null;
}

/** Makes everything that the keys encrypted unreadable, also in backups of other tables. The rows remain. */
export async function destroyDataKeys(trx: AnyTrx, uuids: readonly string[], now: number): Promise<void> {
  if (uuids.length === 0) return;
  await trx.updateTable("data_key").set({ wrapped: null, destroyed_at: now }).where("uuid", "in", uuids).execute();
}

/** Deletes keys that encrypted nothing. */
export async function deleteDataKeys(trx: AnyTrx, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await trx.deleteFrom("data_key").where(isAmong("uuid", uuids)).execute();
}

/** Deletes those of the keys that no person uses. Returns how many there were. */
export async function deleteKeysWithoutPerson(trx: AnyTrx, uuids: readonly string[]): Promise<number> {
  if (uuids.length === 0) return 0;
  const { numDeletedRows } = await trx
    .deleteFrom("data_key")
    .where(isAmong("data_key.uuid", uuids))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("person").select("uuid").whereRef("person.data_key_uuid", "=", "data_key.uuid"))),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Locks the next keys, by uuid, that another master key encrypted. */
export async function lockKeysOfOtherMaster(
  trx: AnyTrx,
  { masterKeyId, after, max }: { masterKeyId: string; after: string; max: number },
): Promise<{ uuid: string; wrapped: Buffer | null }[]> {
  return await trx
    .selectFrom("data_key")
    .select(["uuid", "wrapped"])
    .where("master_key_id", "<>", masterKeyId)
    .where("wrapped", "is not", null)
    .where("uuid", ">", after)
    .orderBy("uuid")
    .limit(max)
    .forUpdate()
    .execute();
}

export async function rewrapKey(
  trx: AnyTrx,
  { uuid, wrapped, masterKeyId }: { uuid: string; wrapped: Buffer; masterKeyId: string },
): Promise<void> {
  await trx.updateTable("data_key").set({ wrapped, master_key_id: masterKeyId }).where("uuid", "=", uuid).execute();
}

/** The number of keys that another master key encrypted. */
export async function countKeysOfOtherMaster(reader: AnyReader, masterKeyId: string): Promise<number> {
  const { left } = await reader
    .selectFrom("data_key")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("master_key_id", "<>", masterKeyId)
    .where("wrapped", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}
