import type { Reader, Trx } from "../store/database.ts";
import { gathered } from "../store/gather.ts";
import { hot } from "../store/hot.ts";
import type { DataKey } from "../store/vault.ts";
import type { Deps } from "./deps.ts";
import type { Phone } from "./ports.ts";

/** Whoever holds a phone now, and the key under which everything about them is sealed. */
export type Person = { uuid: string; dataKey: DataKey };

/** The person of a phone's newest generation, or null when the phone was never seen. */
export async function findPerson(deps: Deps, phone: Phone): Promise<Person | null> {
  return opened(deps, await newestTogether(deps, byPhone(deps, phone).index));
}

/** The person of a phone; made with a key of its own when the phone is seen for the first time. */
export async function ensurePerson(deps: Deps, trx: Trx, phone: Phone): Promise<Person> {
  return await ensure(deps, trx, byPhone(deps, phone));
}

/**
 * The people of several phones: who is known is read at once, and whoever is new is made one after the other, in the same
 * order by everybody, so that no two wait for each other's new people in a circle.
 */
export async function ensurePeople(deps: Deps, trx: Trx, phones: readonly Phone[]): Promise<Map<Phone, Person>> {
  const wanted = [...new Set(phones)].sort();
  const rows = await newestOfAll(
    deps,
    trx,
    wanted.map((phone) => byPhone(deps, phone).index),
  );
  const people = new Map<Phone, Person>();
  for (const [at, phone] of wanted.entries()) {
    const row = rows[at];
    const known = row === undefined || row.sealed === null ? null : opened(deps, row);
    people.set(phone, known ?? (await ensurePerson(deps, trx, phone)));
  }
  return people;
}

/** Whoever holds an e-mail address of which no phone is known. */
export async function ensureEmailPerson(deps: Deps, trx: Trx, email: string): Promise<Person> {
  return await ensure(deps, trx, { column: "email_index", index: emailIndex(deps, email) });
}

/** Addresses are one address whatever their case. */
export function emailIndex(deps: Deps, email: string): Buffer {
  return deps.vault.index("email", deps.environment, email.toLowerCase());
}

type Known = { column: "phone_index" | "email_index"; index: Buffer; lastFour?: string };

function byPhone(deps: Deps, phone: Phone): Known {
  return {
    column: "phone_index",
    index: deps.vault.index("phone", deps.environment, phone),
    lastFour: phone.slice(-4),
  };
}

type Row = { uuid: string; generation: number; data_key_uuid: string; wrapped: Buffer | null; sealed: Buffer | null };

/** The newest generation of each phone, in their order. */
async function newestOfAll(
  { environment }: Deps,
  reader: Reader,
  indexes: readonly Buffer[],
): Promise<(Row | undefined)[]> {
  const { rows } = await newestOfAllHot(reader, { environment, indexes });
  return indexes.map((index) => rows.find(({ phone_index }) => phone_index?.equals(index)));
}

const newestOfAllHot = hot((db, { environment, indexes }: { environment: string; indexes: readonly Buffer[] }) =>
  db
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .distinctOn("person.phone_index")
    .select(["person.uuid", "person.phone_index", "person.generation", "person.data_key_uuid", "person.sealed"])
    .select("data_key.wrapped")
    .where("person.environment", "=", environment)
    .where(({ eb, fn, val }) => eb("person.phone_index", "=", fn.any(val(indexes))))
    .orderBy("person.phone_index")
    .orderBy("person.generation", "desc"),
);

const newestTogether = gathered((deps: Deps, indexes: readonly Buffer[]) => newestOfAll(deps, deps.db, indexes));

/** The newest generation. One read says both whether it is there and which comes next. */
async function newest(deps: Deps, reader: Reader, { column, index }: Known): Promise<Row | undefined> {
  const { rows } = await newestBy[column](reader, { environment: deps.environment, index });
  return rows[0];
}

const newestHot = (column: Known["column"]) =>
  hot((db, { environment, index }: { environment: string; index: Buffer }) =>
    db
      .selectFrom("person")
      .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
      .select(["person.uuid", "person.generation", "person.data_key_uuid", "person.sealed", "data_key.wrapped"])
      .where("person.environment", "=", environment)
      .where(`person.${column}`, "=", index)
      .orderBy("person.generation", "desc")
      .limit(1),
  );
const newestBy = { phone_index: newestHot("phone_index"), email_index: newestHot("email_index") };

/** A backup may bring somebody back who was deleted since; without their key they are nobody. */
function opened(deps: Deps, row: Row | undefined): Person | null {
  if (row === undefined || row.wrapped === null) return null;
  return { uuid: row.uuid, dataKey: deps.vault.openDataKey(row.data_key_uuid, row.wrapped) };
}

async function find(deps: Deps, reader: Reader, by: Known): Promise<Person | null> {
  return opened(deps, await newest(deps, reader, by));
}

async function ensure(deps: Deps, trx: Trx, by: Known): Promise<Person> {
  const row = await newest(deps, trx, by);
  const known = opened(deps, row);
  if (known !== null) {
    // Seen before digits were kept.
    if (row?.sealed === null && by.lastFour !== undefined)
      await trx
        .updateTable("person")
        .set({ sealed: sealDigits(deps, known, by.lastFour) })
        .where("uuid", "=", known.uuid)
        .execute();
    return known;
  }
  const made = await insert(deps, trx, by, (row?.generation ?? 0) + 1);
  if (made !== null) return made;
  // Another request saw the phone or the address first; its key counts.
  const theirs = await find(deps, trx, by);
  if (theirs === null) throw new Error("a person vanished between two statements");
  return theirs;
}

/** A person of a generation, with a key of their own; null where there is one already. */
async function insert(deps: Deps, trx: Trx, by: Known, generation: number): Promise<Person | null> {
  const now = deps.clock.now();
  const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
  const uuid = deps.random.uuid();
  const made = await trx
    .insertInto("person")
    .values({
      uuid,
      environment: deps.environment,
      phone_index: by.column === "phone_index" ? by.index : null,
      email_index: by.column === "email_index" ? by.index : null,
      index_key_version: deps.vault.indexKeyVersion,
      generation,
      data_key_uuid: dataKey.uuid,
      first_seen_at: now,
      last_proven_at: null,
      sealed: by.lastFour === undefined ? null : sealDigits(deps, { uuid, dataKey }, by.lastFour),
    })
    .onConflict((conflict) => conflict.columns(["environment", by.column, "generation"]).doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 1n) return { uuid, dataKey };
  await trx.deleteFrom("data_key").where("uuid", "=", dataKey.uuid).execute();
  return null;
}

const place = (uuid: string) => ({ table: "person", row: uuid });

function sealDigits({ vault }: Deps, { uuid, dataKey }: Person, lastFour: string): Buffer {
  return vault.seal(dataKey, place(uuid), { lastFour });
}

/** The last four digits of a person's phone, by which those who know it tell people apart; null once they were deleted. */
export function digitsOf(
  { vault }: Pick<Deps, "vault">,
  row: { uuid: string; data_key_uuid: string; wrapped: Buffer | null; sealed: Buffer | null },
): string | null {
  if (row.wrapped === null || row.sealed === null) return null;
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  return vault.open<{ lastFour: string }>(dataKey, place(row.uuid), row.sealed).lastFour;
}

/**
 * Whoever holds a phone from now on: nothing leads from the phone to the holder before, not even once this one is gone.
 * Null where the phone leads to that holder no more: another call was faster.
 */
export async function startGeneration(
  deps: Deps,
  trx: Trx,
  { personUuid, phone }: { personUuid: string; phone: Phone },
): Promise<Person | null> {
  const by = byPhone(deps, phone);
  const before = await trx
    .updateTable("person")
    .set({ phone_index: null })
    .where("uuid", "=", personUuid)
    .where("phone_index", "=", by.index)
    .returning("generation")
    .executeTakeFirst();
  return before === undefined ? null : await insert(deps, trx, by, before.generation + 1);
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
