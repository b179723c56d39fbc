/** The master keys that wrapped keys of a database, by fingerprint. Each database has its own list. */
import { sql } from "kysely";
import type { StoreKind } from "./cells/store-kinds.ts";
import type { AnyReader, AnyTrx, Database } from "./database.ts";
import { retryLockTimeouts, setLockTimeout } from "./migrations/migrate.ts";

/** The fingerprints of a process's master keys: the one that wraps keys, and those that only unwrap. */
export type MasterKeyIds = { master: string; others: readonly string[] };

/** Keys of the database are wrapped with a master key that this process does not have, or does not wrap with. */
export class OtherMasterKey extends Error {
  override name = "OtherMasterKey";
  constructor(given: string, stored: string) {
    super(`the database is encrypted with another master key (fingerprint ${stored}, not ${given})`);
  }
}

/**
 * Throws `OtherMasterKey` if the master key was retired, or if keys are wrapped with one that the process lacks. Returns
 * whether the master key is registered.
 */
export async function assertMasterKeys(reader: AnyReader, { master, others }: MasterKeyIds): Promise<boolean> {
  const rows = await reader.selectFrom("master_key").select(["id", "retired_at", "emptied_at"]).execute();
  const own = rows.find(({ id }) => id === master);
  const current = rows.find(({ retired_at }) => retired_at === null)?.id;
  if (own !== undefined && own.retired_at !== null) throw new OtherMasterKey(master, current ?? "unknown");
  const lacking = rows.find(({ id, emptied_at }) => emptied_at === null && ![master, ...others].includes(id));
  if (lacking !== undefined) throw new OtherMasterKey(master, lacking.id);
  return own !== undefined;
}

/** Registers the master key, which must happen before it wraps anything in the database. Throws `OtherMasterKey`. */
export async function registerMasterKey(reader: AnyReader, ids: MasterKeyIds, now: number): Promise<void> {
  if (await assertMasterKeys(reader, ids)) return;
  await reader
    .insertInto("master_key")
    .values({ id: ids.master, used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listRetired(reader: AnyReader): Promise<string[]> {
  const rows = await reader.selectFrom("master_key").select("id").where("retired_at", "is not", null).execute();
  return rows.map(({ id }) => id);
}

/** The names of the constraints begin with this. An error of PostgreSQL names the constraint that it breaks. */
const constraintPrefix = "master_key_retired_";
/** The tables of keys that a master key wraps, and when a row needs none. */
const wrappedTables = { data_key: sql`wrapped is null`, service_key: sql`false` };

/**
 * From then on, the database refuses keys that this master key wraps. The tables are locked for a moment, so no
 * transaction that wrapped one before can still commit it.
 */
export async function retireMasterKey(db: Database<StoreKind>, id: string, now: number): Promise<void> {
  await retryLockTimeouts(() =>
    db.inTransaction(async (trx) => {
      await setLockTimeout(trx);
      if ((await listRetired(trx)).includes(id)) return;
      // Not valid: rows that it wrapped before stay until they are rewrapped.
      for (const [table, isExempt] of Object.entries(wrappedTables))
        await sql`
          alter table ${sql.table(table)} add constraint ${sql.id(constraintPrefix + id)}
          check (${isExempt} or master_key_id <> ${sql.lit(id)}) not valid`.execute(trx);
      await markRetired(trx, id, now);
    }),
  );
}

async function markRetired(trx: AnyTrx, id: string, now: number): Promise<void> {
  await trx
    .insertInto("master_key")
    .values({ id, used_at: now, retired_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ retired_at: now }))
    .execute();
}

/** Records that the retired master key wraps no key of this database any more. */
export async function markEmptied(reader: AnyReader, id: string, now: number): Promise<void> {
  await reader.updateTable("master_key").set({ emptied_at: now }).where("id", "=", id).execute();
}

/** Whether the database refused a key because a retired master key wrapped it. */
export function isRetiredMasterKey(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && String(error.constraint).startsWith(constraintPrefix);
}
