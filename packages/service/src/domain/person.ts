import type { Reader, Trx } from "../store/database.ts";
import type { DataKey } from "../store/vault.ts";
import type { Deps } from "./deps.ts";
import type { Phone } from "./ports.ts";

/** Whoever holds a phone now, and the key under which everything about them is sealed. */
export type Person = { uuid: string; dataKey: DataKey };

/** The person of a phone's newest generation, or null when the phone was never seen. */
export async function findPerson(deps: Deps, reader: Reader, phone: Phone): Promise<Person | null> {
  const row = await reader
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .select(["person.uuid", "person.data_key_uuid", "data_key.wrapped"])
    .where("person.environment", "=", deps.environment)
    .where("person.phone_index", "=", deps.vault.index("phone", deps.environment, phone))
    .orderBy("person.generation", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { uuid: row.uuid, dataKey: deps.vault.openDataKey(row.data_key_uuid, row.wrapped) };
}

/** The person of a phone; made with a key of its own when the phone is seen for the first time. */
export async function ensurePerson(deps: Deps, trx: Trx, phone: Phone): Promise<Person> {
  const known = await findPerson(deps, trx, phone);
  if (known !== null) return known;
  const now = deps.clock.now();
  const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
  const uuid = deps.random.uuid();
  const made = await trx
    .insertInto("person")
    .values({
      uuid,
      environment: deps.environment,
      phone_index: deps.vault.index("phone", deps.environment, phone),
      email_index: null,
      index_key_version: deps.vault.indexKeyVersion,
      generation: 1,
      data_key_uuid: dataKey.uuid,
      first_seen_at: now,
      last_proven_at: null,
    })
    .onConflict((conflict) => conflict.columns(["environment", "phone_index", "generation"]).doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 1n) return { uuid, dataKey };
  // Another request saw the phone first; its key counts.
  await trx.deleteFrom("data_key").where("uuid", "=", dataKey.uuid).execute();
  const theirs = await findPerson(deps, trx, phone);
  if (theirs === null) throw new Error("a person vanished between two statements");
  return theirs;
}

/** Deletes a key that belonged to no person but to one row, after that row. */
export async function deleteLooseKey(trx: Trx, uuid: string): Promise<void> {
  await trx
    .deleteFrom("data_key")
    .where("uuid", "=", uuid)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("person").select("uuid").where("data_key_uuid", "=", uuid))),
    )
    .execute();
}
