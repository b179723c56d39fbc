/** Rows of people: the newest of a phone or an address, and new ones with a key of their own. */

import { batched } from "../store/batch.ts";
import { deleteDataKeys, insertDataKeys } from "../store/data-key-rows.ts";
import type { Reader, Trx } from "../store/database.ts";
import { type ColumnPlaceholders, columnsIn, columnsOf, namesOf, recordsOf } from "../store/rows.ts";
import { type Placeholders, statement } from "../store/statement.ts";
import type { DataKey } from "../store/vault.ts";
import type { Deps } from "./deps.ts";

/** Whoever holds a phone now, and the key under which everything about them is sealed. */
export type Person = { uuid: string; dataKey: DataKey };
/** By what somebody is known. `lastFour`: of their phone. */
export type Known = { column: "phone_index" | "email_index"; index: Buffer; lastFour?: string };

export type Row = {
  uuid: string;
  generation: number;
  data_key_uuid: string;
  wrapped: Buffer | null;
  sealed: Buffer | null;
};

/** The newest generation of each phone, in their order. */
export async function newestOfAll(
  { environment }: Deps,
  reader: Reader,
  indexes: readonly Buffer[],
): Promise<(Row | undefined)[]> {
  const { rows } = await newestOfAllStatement(reader, { environment, indexes });
  return indexes.map((index) => rows.find(({ phone_index }) => phone_index?.equals(index)));
}

const newestOfAllStatement = statement(
  (db, { environment, indexes }: Placeholders<{ environment: string; indexes: readonly Buffer[] }>) =>
    db
      .selectFrom("person")
      .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
      .distinctOn("person.phone_index")
      .select(["person.uuid", "person.phone_index", "person.generation", "person.data_key_uuid", "person.sealed"])
      .select("data_key.wrapped")
      .where("person.environment", "=", environment)
      .where(({ eb, fn }) => eb("person.phone_index", "=", fn.any(indexes)))
      .orderBy("person.phone_index")
      .orderBy("person.generation", "desc"),
);

/** The same of one, with whoever is asked for at the same moment. */
export const newestTogether = batched((deps: Deps, indexes: readonly Buffer[]) => newestOfAll(deps, deps.db, indexes));

/** The newest generation. One read says both whether it is there and which comes next. */
export async function newest(deps: Deps, reader: Reader, { column, index }: Known): Promise<Row | undefined> {
  const { rows } = await newestBy[column](reader, { environment: deps.environment, index });
  return rows[0];
}

const newestStatement = (column: Known["column"]) =>
  statement((db, { environment, index }: Placeholders<{ environment: string; index: Buffer }>) =>
    db
      .selectFrom("person")
      .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
      .select(["person.uuid", "person.generation", "person.data_key_uuid", "person.sealed", "data_key.wrapped"])
      .where("person.environment", "=", environment)
      .where(`person.${column}`, "=", index)
      .orderBy("person.generation", "desc")
      .limit(1),
  );
const newestBy = { phone_index: newestStatement("phone_index"), email_index: newestStatement("email_index") };

export type Fresh = { by: Known; generation: number };

/** People of a generation, each with a key of their own; null where there is one already. */
export async function insertAll(deps: Deps, trx: Trx, all: readonly Fresh[]): Promise<(Person | null)[]> {
  const [first] = all;
  if (first === undefined) return [];
  const now = deps.clock.now();
  const made = all.map(({ by, generation }) => {
    const uuid = deps.random.uuid();
    const { dataKey, row: key } = deps.vault.makeDataKey(deps.environment, now);
    const row = {
      uuid,
      environment: deps.environment,
      phone_index: by.column === "phone_index" ? by.index : null,
      email_index: by.column === "email_index" ? by.index : null,
      index_key_version: deps.vault.indexKeyVersion,
      generation,
      data_key_uuid: dataKey.uuid,
      first_seen_at: now,
      sealed: by.lastFour === undefined ? null : sealDigits(deps, { uuid, dataKey }, by.lastFour),
    };
    return { uuid, dataKey, key, row };
  });
  const [, { rows }] = await Promise.all([
    insertDataKeys(
      trx,
      made.map(({ key }) => key),
    ),
    insertBy[first.by.column](
      trx,
      columnsOf(
        "person",
        personTypes,
        made.map(({ row }) => row),
      ),
    ),
  ]);
  const inserted = new Set(rows.map(({ uuid }) => uuid));
  const loose = made.filter(({ uuid }) => !inserted.has(uuid)).map(({ dataKey }) => dataKey.uuid);
  await deleteDataKeys(trx, loose);
  return made.map(({ uuid, dataKey }) => (inserted.has(uuid) ? { uuid, dataKey } : null));
}

/** Notes that people proved their phones. Locks the rows by uuid, so that two batches lock them in the same order. */
export async function markProven(trx: Trx, uuids: readonly string[], at: number): Promise<void> {
  if (uuids.length > 0) await markProvenStatement(trx, { uuids, at });
}
const markProvenStatement = statement((db, { uuids, at }: Placeholders<{ uuids: readonly string[]; at: number }>) =>
  db
    .with("locked", (cte) =>
      cte
        .selectFrom("person")
        .select("uuid")
        .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
        .orderBy("uuid")
        .forNoKeyUpdate(),
    )
    .updateTable("person")
    .from("locked")
    .set({ last_proven_at: at })
    .whereRef("person.uuid", "=", "locked.uuid"),
);

const personTypes = columnsIn("person", [
  "uuid",
  "environment",
  "phone_index",
  "email_index",
  "index_key_version",
  "generation",
  "data_key_uuid",
  "first_seen_at",
  "sealed",
]);
const insertStatement = (column: Known["column"]) =>
  statement((db, columns: ColumnPlaceholders) =>
    db
      .insertInto("person")
      .columns(namesOf(personTypes))
      .expression(recordsOf("person", personTypes, columns))
      .onConflict((conflict) => conflict.columns(["environment", column, "generation"]).doNothing())
      .returning("uuid"),
  );
const insertBy = { phone_index: insertStatement("phone_index"), email_index: insertStatement("email_index") };

export const personPlace = (uuid: string) => ({ table: "person", row: uuid });

export function sealDigits({ vault }: Deps, { uuid, dataKey }: Person, lastFour: string): Buffer {
  return vault.seal(dataKey, personPlace(uuid), { lastFour });
}
