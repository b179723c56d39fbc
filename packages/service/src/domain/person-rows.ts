/** Every statement about `person`. */
import { sql } from "kysely";
import { deleteDataKeys, insertDataKeys } from "../store/data-key-rows.ts";
import type { Reader, Trx } from "../store/database.ts";
import { placeOf } from "../store/seal.ts";
import { batched } from "../store/statements/batch.ts";
import { type ColumnPlaceholders, columnsIn, columnsOf, insertedValues } from "../store/statements/rows.ts";
import { type Placeholders, statement } from "../store/statements/statement.ts";
import type { DataKey } from "../store/vault.ts";
import type { Deps } from "./deps.ts";

/** The person who has a phone now, and the key that encrypts everything about them. */
export type Person = { uuid: string; dataKey: DataKey };
/** The index that identifies a person. `lastFour`: the last digits of their phone. */
export type PersonKey = { column: "phone_index" | "email_index"; index: Buffer; lastFour?: string };

export type PersonRow = {
  uuid: string;
  generation: number;
  data_key_uuid: string;
  wrapped: Buffer | null;
  sealed: Buffer | null;
};

/** The newest generation of each phone, in the order of `indexes`. */
export async function findNewestOfAll(
  { environment }: Deps,
  reader: Reader,
  indexes: readonly Buffer[],
): Promise<(PersonRow | undefined)[]> {
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

/** The newest generation of one phone. Concurrent calls are batched. */
export const findNewestTogether = batched((deps: Deps, indexes: readonly Buffer[]) =>
  findNewestOfAll(deps, deps.db, indexes),
);

/**
 * The newest generation of a phone or an email address. Nobody can delete the person or take their number until the
 * transaction ends.
 */
export async function lockNewest(deps: Deps, trx: Trx, { column, index }: PersonKey): Promise<PersonRow | undefined> {
  const { rows } = await newestBy[column](trx, { environment: deps.environment, index });
  return rows[0];
}

const newestStatement = (column: PersonKey["column"]) =>
  statement((db, { environment, index }: Placeholders<{ environment: string; index: Buffer }>) =>
    db
      .selectFrom("person")
      .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
      .select(["person.uuid", "person.generation", "person.data_key_uuid", "person.sealed", "data_key.wrapped"])
      .where("person.environment", "=", environment)
      .where(`person.${column}`, "=", index)
      .orderBy("person.generation", "desc")
      .limit(1)
      .forKeyShare("person"),
  );
const newestBy = { phone_index: newestStatement("phone_index"), email_index: newestStatement("email_index") };

/** The key of a person. */
export async function findPersonKey(
  reader: Reader,
  uuid: string,
): Promise<{ data_key_uuid: string; wrapped: Buffer | null } | undefined> {
  return await reader
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .select(["person.data_key_uuid", "data_key.wrapped"])
    .where("person.uuid", "=", uuid)
    .executeTakeFirst();
}

/** When the service first saw the person. */
export async function findFirstSeenAt({ db }: Deps, uuid: string): Promise<number> {
  const row = await db.selectFrom("person").select("first_seen_at").where("uuid", "=", uuid).executeTakeFirstOrThrow();
  return row.first_seen_at;
}

export type NewPerson = { by: PersonKey; generation: number };

/** Inserts people, each with a new key, and all by the same column. Null for each person who already exists. */
export async function insertPeople(deps: Deps, trx: Trx, all: readonly NewPerson[]): Promise<(Person | null)[]> {
  const made = newPeople(deps, all);
  const inserted = await made.insert(trx);
  const unused = made.people.filter(({ uuid }) => !inserted.has(uuid)).map(({ dataKey }) => dataKey.uuid);
  await deleteDataKeys(trx, unused);
  return made.people.map((person) => (inserted.has(person.uuid) ? person : null));
}

/**
 * New people, each with a new key, and all by the same column. `insert` returns the uuids of those who did not exist
 * already.
 */
export function newPeople(
  deps: Deps,
  all: readonly NewPerson[],
): { people: Person[]; insert(trx: Trx): Promise<Set<string>> } {
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
    return { person: { uuid, dataKey }, key, row };
  });
  return {
    people: made.map(({ person }) => person),
    async insert(trx) {
      const [first] = all;
      if (first === undefined) return new Set();
      const rows = made.map(({ row }) => row);
      const keys = made.map(({ key }) => key);
      const [, inserted] = await Promise.all([
        insertDataKeys(trx, keys),
        insertBy[first.by.column](trx, columnsOf("person", personTypes, rows)),
      ]);
      return new Set(inserted.rows.map(({ uuid }) => uuid));
    },
  };
}

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
const insertStatement = (column: PersonKey["column"]) =>
  statement((db, columns: ColumnPlaceholders) =>
    db
      .insertInto("person")
      .values(insertedValues("person", personTypes, columns))
      .onConflict((conflict) =>
        conflict.columns(["environment", column, "generation"]).where(sql.ref(column), "is not", null).doNothing(),
      )
      .returning("uuid"),
  );
const insertBy = { phone_index: insertStatement("phone_index"), email_index: insertStatement("email_index") };

function sealDigits({ vault }: Deps, { uuid, dataKey }: Person, lastFour: string): Buffer {
  return vault.seal(dataKey, placeOf("person", uuid), { lastFour });
}

/** Stores the last digits of a person's phone. */
export async function saveDigits(deps: Deps, trx: Trx, person: Person, lastFour: string): Promise<void> {
  const sealed = sealDigits(deps, person, lastFour);
  await trx.updateTable("person").set({ sealed }).where("uuid", "=", person.uuid).execute();
}

/** The last four digits of a person's phone, which tell people apart in a list. Null if they were deleted. */
export function digitsOf(
  { vault }: Pick<Deps, "vault">,
  row: { uuid: string; data_key_uuid: string; wrapped: Buffer | null; sealed: Buffer | null },
): string | null {
  if (row.wrapped === null || row.sealed === null) return null;
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  return vault.open<{ lastFour: string }>(dataKey, placeOf("person", row.uuid), row.sealed).lastFour;
}

/** Clears what identifies a deleted person or a former holder. The row stays, because other rows reference it. */
export async function clearPerson(trx: Trx, uuid: string): Promise<void> {
  await trx
    .updateTable("person")
    .set({ phone_index: null, email_index: null, sealed: null })
    .where("uuid", "=", uuid)
    .execute();
}

/** Records that people proved their phones. Locks the rows by uuid, so two batches lock them in the same order. */
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

/** Locks a person until the transaction ends. False if they no longer have this phone. */
export async function lockPersonOfPhone(
  trx: Trx,
  { personUuid, index }: { personUuid: string; index: Buffer },
): Promise<boolean> {
  const row = await trx
    .selectFrom("person")
    .select("uuid")
    .where("uuid", "=", personUuid)
    .where("phone_index", "=", index)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes shared locks on people, by uuid, so nobody can delete them or take over their phones until the transaction
 * ends. Returns the uuids of those who still have a phone.
 */
export async function lockPeopleForKeyShare(trx: Trx, uuids: readonly string[]): Promise<Set<string>> {
  const { rows } = await lockPeopleForKeyShareStatement(trx, { uuids });
  return new Set(rows.filter(({ phone_index }) => phone_index !== null).map(({ uuid }) => uuid));
}
const lockPeopleForKeyShareStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("person")
    .select(["uuid", "phone_index"])
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
    .orderBy("uuid")
    .forKeyShare(),
);

/**
 * Whether the holder of a phone has a record: a 1-Click, a brand's verification, an issued credential, a lookup, a
 * session of their own, or an audit entry. Locks the person, so a deletion or a change of the holder runs before or
 * after this transaction.
 */
export async function lockPersonWithRecord(trx: Trx, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from person
     where uuid = ${uuid} and phone_index is not null and (
           exists (select from one_click where person_uuid = person.uuid)
        or exists (select from verification where person_uuid = person.uuid and brand_uuid is not null)
        or exists (select from issued_credential where person_uuid = person.uuid)
        or exists (select from health_lookup where person_uuid = person.uuid)
        or exists (select from account_session where person_uuid = person.uuid)
        or exists (select from audit where person_uuid = person.uuid))
       for key share of person`.execute(trx);
  return rows.length > 0;
}

/** When the newest person of a phone was seen, and how many people had it. Undefined for an unknown phone. */
export async function findPhoneDates(reader: Reader, environment: string, index: Buffer) {
  return await reader
    .selectFrom("person")
    .select(["generation", "first_seen_at", "last_proven_at"])
    .where("environment", "=", environment)
    .where("phone_index", "=", index)
    .orderBy("generation", "desc")
    .limit(1)
    .executeTakeFirst();
}

type PhoneHistory = {
  generation: number;
  first_seen_at: number;
  verifications: number;
  failed: number;
  brands: number;
};

/**
 * What is known of a phone's newest person, with the verifications of brands since an instant. Sign-ins are left out,
 * because strangers can begin them. `attemptsMax`: the wrong codes that end a verification. `ofBrandMax`: how many
 * verifications and failed ones count of each brand.
 */
export async function findPhoneHistory(
  reader: Reader,
  {
    environment,
    index,
    since,
    attemptsMax,
    ofBrandMax,
  }: {
    environment: string;
    index: Buffer;
    since: number;
    attemptsMax: number;
    ofBrandMax: { verifications: number; failed: number };
  },
): Promise<PhoneHistory | undefined> {
  const { rows } = await sql<PhoneHistory>`
    select p.generation, p.first_seen_at,
      coalesce(sum(b.verifications), 0)::int as verifications,
      coalesce(sum(b.failed), 0)::int as failed,
      count(b.brand_uuid)::int as brands
    from person p
    left join lateral (
      select v.brand_uuid, least(count(*), ${ofBrandMax.verifications}) as verifications,
        least(
          count(*) filter (where v.status = 'failed' or (v.status <> 'verified' and v.attempts_used >= ${attemptsMax})),
          ${ofBrandMax.failed}
        ) as failed
      from verification v
      where v.person_uuid = p.uuid and v.brand_uuid is not null and v.created_at > ${since}
      group by v.brand_uuid
    ) b on true
    where p.environment = ${environment} and p.phone_index = ${index}
    group by p.uuid
    order by p.generation desc
    limit 1
  `.execute(reader);
  return rows[0];
}

/** Removes the hashes of deleted people from rows of a table that a call inserted during the deletion. */
export async function unlinkFromDeleted(
  { db, environment }: Deps,
  table: "consent" | "issued_credential",
): Promise<void> {
  await sql`
    update ${sql.table(table)} as late set phone_index = null, email_index = null
      from person
     where person.environment = ${environment} and person.phone_index is null and person.email_index is null
       and late.person_uuid = person.uuid
       and (late.phone_index is not null or late.email_index is not null)`.execute(db);
}
