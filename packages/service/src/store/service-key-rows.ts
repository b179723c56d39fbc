/** The service's own keys, such as for keyed hashes and receipts. The master key encrypts them. */
import type { Selectable } from "kysely";
import type { Home, HomeTrx } from "./database.ts";
import type { Tables } from "./statements/tables.ts";

export type ServiceKeyRow = Selectable<Tables["service_key"]>;
type Wrapped = Pick<ServiceKeyRow, "wrapped" | "master_key_id">;

/** Inserts the first version of a key unless it exists, and returns the stored one. */
export async function ensureServiceKey(
  db: Home,
  { purpose, createdAt, ...wrapped }: Wrapped & { purpose: string; createdAt: number },
): Promise<Wrapped> {
  await db
    .insertInto("service_key")
    .values({ purpose, version: 1, ...wrapped, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await db
    .selectFrom("service_key")
    .select(["wrapped", "master_key_id"])
    .where("purpose", "=", purpose)
    .where("version", "=", 1)
    .executeTakeFirstOrThrow();
}

/** Locks the keys that another master key encrypted. */
export async function lockServiceKeysOfOtherMaster(trx: HomeTrx, masterKeyId: string): Promise<ServiceKeyRow[]> {
  return await trx
    .selectFrom("service_key")
    .selectAll()
    .where("master_key_id", "<>", masterKeyId)
    .forUpdate()
    .execute();
}

export async function rewrapServiceKey(
  trx: HomeTrx,
  { purpose, version, ...wrapped }: Pick<ServiceKeyRow, "purpose" | "version"> & Wrapped,
): Promise<void> {
  await trx
    .updateTable("service_key")
    .set(wrapped)
    .where("purpose", "=", purpose)
    .where("version", "=", version)
    .execute();
}
