/** The rows of `issued_credential`, and of `issuance`: one per call that issued credentials. */
import type { CredentialType } from "@countersign/contract/credential";
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { AnyReader, Trx } from "../../store/database.ts";
import { isAmong } from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { Tables } from "../../store/tables.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Caller, Deps } from "../deps.ts";
import type { Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { allIssuersBytesMax, openWithinLimits, perIssuerBytesMax } from "./opened-bytes.ts";

/**
 * Maximum credentials per type and issuer, newest first. A `multi` request returns three. The others are used if one of
 * those is empty.
 */
const perIssuerMax = 10;
/** The encrypted part of an issued credential. Children of a composite are credentials with their own ids. */
export type IssuedData = { values: Record<string, string> } | { children: IssuedChild[] };
export type IssuedChild = { id: string; type: CredentialType } & IssuedData;

export type IssuedCredential = {
  id: string;
  type: CredentialType;
  data: IssuedData;
  status: "valid" | "revoked";
  issuerUuid: string;
  personUuid: string;
  /** Unix milliseconds. */
  issuedAt: number;
  updatedAt: number;
  expiresAt: number | null;
};

/** The person that credentials are issued to, with the identifiers that the brand gave. */
export type Recipient = {
  person: Person;
  phoneIndex: Buffer | null;
  emailIndex: Buffer | null;
  /** Whether this is one of the environment's fixed test people. */
  fixed: boolean;
};

const place = (id: string) => ({ table: "issued_credential", row: id });

/** Stores the credentials of one call. Returns false if an id is taken; the caller must then roll back. */
export async function insertIssued(
  deps: Deps,
  trx: Trx,
  input: { to: Recipient; consentUuid: string; brandUuid: string; credentials: IssuedCredential[] },
): Promise<boolean> {
  const { to, credentials } = input;
  const { number } = await trx
    .insertInto("issuance")
    .values({
      environment: deps.environment,
      at: deps.clock.now(),
      brand_uuid: input.brandUuid,
      consent_uuid: input.consentUuid,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  const rows = credentials.map((one, position) => ({
    environment: deps.environment,
    uuid: one.id,
    issuance: number,
    position,
    brand_uuid: input.brandUuid,
    person_uuid: to.person.uuid,
    data_key_uuid: to.person.dataKey.uuid,
    phone_index: to.phoneIndex,
    email_index: to.emailIndex,
    fixed_person: to.fixed,
    type: one.type,
    status: one.status,
    sealed: deps.vault.seal(to.person.dataKey, place(one.id), one.data),
    issued_at: one.issuedAt,
    updated_at: one.updatedAt,
    expires_at: one.expiresAt,
  }));
  const made = await trx
    .insertInto("issued_credential")
    // Sort by uuid, so that two calls with the same ids wait for each other instead of deadlocking.
    .values(rows.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)))
    .onConflict((conflict) => conflict.columns(["environment", "uuid"]).doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === BigInt(rows.length);
}

/** A credential that this brand issued; null if it is unknown or another brand's. `lock` locks the row for a change. */
export async function findIssued(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  input: { id: string; lock: boolean },
): Promise<{ credential: IssuedCredential; dataKey: DataKey } | null> {
  const query = trx
    .selectFrom("issued_credential")
    .innerJoin("data_key", "data_key.uuid", "issued_credential.data_key_uuid")
    .selectAll("issued_credential")
    .select("data_key.wrapped")
    .where("issued_credential.environment", "=", deps.environment)
    .where("issued_credential.uuid", "=", input.id)
    .where("issued_credential.brand_uuid", "=", caller.brand.uuid);
  const row = await (input.lock ? query.forUpdate("issued_credential") : query).executeTakeFirst();
  if (row === undefined || row.wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const credential = { ...opened(deps, dataKey, row), personUuid: row.person_uuid, updatedAt: row.updated_at };
  return { dataKey, credential };
}

/** Stores the new state of a credential that `findIssued` locked. */
export async function updateIssued(deps: Deps, trx: Trx, changed: IssuedCredential, dataKey: DataKey): Promise<void> {
  await trx
    .updateTable("issued_credential")
    .set({
      status: changed.status,
      sealed: deps.vault.seal(dataKey, place(changed.id), changed.data),
      updated_at: changed.updatedAt,
      expires_at: changed.expiresAt,
    })
    .where("environment", "=", deps.environment)
    .where("uuid", "=", changed.id)
    .execute();
}

export type UsableCredential = Omit<IssuedCredential, "personUuid" | "updatedAt">;
type UsableRow = Pick<
  Selectable<Tables["issued_credential"]>,
  "uuid" | "type" | "sealed" | "status" | "brand_uuid" | "issued_at" | "expires_at"
>;

function opened({ vault }: Deps, dataKey: DataKey, row: UsableRow): UsableCredential {
  return {
    id: row.uuid,
    type: row.type,
    data: vault.open<IssuedData>(dataKey, place(row.uuid), row.sealed),
    status: row.status,
    issuerUuid: row.brand_uuid,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
  };
}

/** The person who has the phone, and the brands that issued something to them. Null if none did. */
export async function findIssuersTo(
  deps: Deps,
  phone: Phone,
): Promise<{ holderUuid: string; brands: string[] } | null> {
  const phoneIndex = deps.vault.index("phone", deps.environment, phone);
  const { rows } = await issuersStatement(deps.db, { environment: deps.environment, phoneIndex });
  const [first] = rows;
  if (first === undefined) return null;
  return { holderUuid: first.person_uuid, brands: rows.map((row) => row.brand_uuid) };
}

/** `all`: what belongs to the holder of a phone. `toEmails`: the part that was issued to an email address alone. */
export type Belonging = "all" | "toEmails";

/**
 * Credentials of these types that belong to the holder of the phone (see `sourced.ts`), newest first. Only credentials
 * from `linkers` link an email address to the phone.
 */
export async function listUsable(
  deps: Deps,
  phone: Phone,
  { types, linkers, belonging }: { types: readonly CredentialType[]; linkers: readonly string[]; belonging: Belonging },
): Promise<UsableCredential[]> {
  const held = { environment: deps.environment, now: deps.clock.now(), types };
  const asked = { ...held, phoneIndex: deps.vault.index("phone", deps.environment, phone), linkers };
  const [{ rows }, linked] = await Promise.all([
    (belonging === "all" ? usableStatement : toEmailsStatement)(deps.db, asked),
    linkedStatement(deps.db, asked),
  ]);
  const elsewhere = await listElsewhere(deps, linked.rows, held);
  const all = [...rows, ...elsewhere].sort((a, b) => b.issued_at - a.issued_at);
  return openWithinLimits(all, (row) =>
    row.wrapped === null ? null : opened(deps, deps.vault.openDataKey(row.data_key_uuid, row.wrapped), row),
  );
}

type Linked = { email_index: Buffer | null };

/** Credentials issued to these email addresses alone. They are in the cells of the addresses. */
async function listElsewhere(deps: Deps, linked: readonly Linked[], held: Omit<Usable, "phoneIndex" | "linkers">) {
  const lists = await Promise.all(
    linked.map(async ({ email_index: emailIndex }) => {
      const cell = emailIndex === null ? deps : await deps.cells.ofEmail(emailIndex);
      if (emailIndex === null || cell.db === deps.db) return [];
      return (await usableOfEmailStatement(cell.db, { ...held, emailIndex })).rows;
    }),
  );
  return lists.flat();
}

type Issued = ExpressionBuilder<Tables, "issued_credential">;

type Held = { environment: string; phoneIndex: Buffer };
type Usable = Held & { now: number; types: readonly CredentialType[]; linkers: readonly string[] };

/** Valid and not expired. A credential that links an email address to a phone must meet this condition, too. */
function isUsable({ environment, now }: Placeholders<Pick<Usable, "environment" | "now">>) {
  return ({ and, or, eb }: Issued) =>
    and([
      eb("issued_credential.environment", "=", environment),
      eb("issued_credential.status", "=", "valid"),
      or([eb("issued_credential.expires_at", "is", null), eb("issued_credential.expires_at", ">", now)]),
    ]);
}

/** The person who has the phone. A deleted person has no readable data. */
function holderOf(db: AnyReader, values: Placeholders<Held>) {
  const newest = db
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .select(["person.uuid", "wrapped"])
    .where("person.environment", "=", values.environment)
    .where("person.phone_index", "=", values.phoneIndex)
    .orderBy("generation", "desc")
    .limit(1);
  return db.selectFrom(newest.as("newest")).select("uuid").where("wrapped", "is not", null);
}

const issuersStatement = statement((db, values: Placeholders<Held>) =>
  db
    .selectFrom("issued_credential")
    .select(["person_uuid", "brand_uuid"])
    .distinct()
    .where("environment", "=", values.environment)
    .where("person_uuid", "=", holderOf(db, values)),
);

/** The email addresses that a person's credentials link to the phone. */
function linkedEmails(db: AnyReader, values: Placeholders<Usable>) {
  return db
    .selectFrom("issued_credential")
    .select("email_index")
    .where(isUsable(values))
    .where(({ eb, fn }) => eb("brand_uuid", "=", fn.any(values.linkers)))
    .where("person_uuid", "=", holderOf(db, values))
    .where("email_index", "is not", null);
}

const linkedStatement = statement((db, values: Placeholders<Usable>) => linkedEmails(db, values).distinct());

const usableStatement = statement((db, values: Placeholders<Usable>) =>
  newestUsable(db, values, ({ and, or, eb }) =>
    or([
      eb("person_uuid", "=", holderOf(db, values)),
      and([eb("phone_index", "is", null), eb("email_index", "in", linkedEmails(db, values))]),
    ]),
  ),
);

const toEmailsStatement = statement((db, values: Placeholders<Usable>) =>
  newestUsable(db, values, ({ and, eb }) =>
    and([eb("phone_index", "is", null), eb("email_index", "in", linkedEmails(db, values))]),
  ),
);

type OfEmail = Omit<Usable, "phoneIndex" | "linkers"> & { emailIndex: Buffer };
const usableOfEmailStatement = statement((db, values: Placeholders<OfEmail>) =>
  newestUsable(db, values, ({ and, eb }) =>
    and([eb("phone_index", "is", null), eb("email_index", "=", values.emailIndex)]),
  ),
);

const newestFirst = sql`order by issued_at desc, issuance desc, position`;
/** The stored length of a row and of all newer ones: of its issuer, and of all issuers. */
const bytesOf = [
  sql<number>`sum(octet_length(sealed)) over (partition by brand_uuid ${newestFirst})`.as("bytes"),
  sql<number>`sum(octet_length(sealed)) over (${newestFirst})`.as("all_bytes"),
];

/** The newest usable credentials of each issuer, with limits on their number and size. */
function newestUsable(
  db: AnyReader,
  values: Placeholders<Pick<Usable, "environment" | "now" | "types">>,
  leadsToPerson: (issued: Issued) => Expression<SqlBool>,
) {
  const ranked = db
    .selectFrom("issued_credential")
    .innerJoin("data_key", "data_key.uuid", "issued_credential.data_key_uuid")
    .select(["issued_credential.uuid", "type", "status", "brand_uuid", "data_key_uuid", "wrapped", "sealed"])
    .select(["issued_at", "issued_credential.expires_at", "issuance", "position"])
    .select([sql<number>`row_number() over (partition by type, brand_uuid ${newestFirst})`.as("rank")])
    .select(bytesOf)
    .where(isUsable(values))
    .where(({ eb, fn }) => eb("type", "=", fn.any(values.types)))
    .where((issued) => leadsToPerson(issued));
  return db
    .selectFrom(ranked.as("ranked"))
    .select(["uuid", "type", "status", "brand_uuid", "data_key_uuid", "wrapped", "sealed", "issued_at", "expires_at"])
    .where("rank", "<=", perIssuerMax)
    .where("bytes", "<=", perIssuerBytesMax)
    .where("all_bytes", "<=", allIssuersBytesMax)
    .orderBy("issued_at", "desc")
    .orderBy("issuance", "desc")
    .orderBy("position");
}

/** What these brands issued to a person, newest first, with limits on its number and size. */
export async function listIssuedTo(
  deps: Deps,
  person: Person,
  { brands, max }: { brands: readonly string[] | null; max: number },
): Promise<UsableCredential[]> {
  const ranked = deps.db
    .selectFrom("issued_credential")
    .selectAll()
    .select(bytesOf)
    .where("environment", "=", deps.environment)
    .where("person_uuid", "=", person.uuid)
    .where(isAmong("brand_uuid", brands));
  const rows = await deps.db
    .selectFrom(ranked.as("ranked"))
    .selectAll()
    .where("bytes", "<=", perIssuerBytesMax)
    .where("all_bytes", "<=", allIssuersBytesMax)
    .orderBy("issued_at", "desc")
    .orderBy("issuance", "desc")
    .orderBy("position")
    .limit(max)
    .execute();
  return openWithinLimits(rows, (row) => opened(deps, person.dataKey, row));
}

/** Reads a credential that was issued to a person, and locks it against changes by its issuer. */
export async function lockIssuedTo(
  deps: Deps,
  trx: Trx,
  { person, uuid }: { person: Person; uuid: string },
): Promise<UsableCredential | null> {
  const row = await trx
    .selectFrom("issued_credential")
    .selectAll()
    .where("environment", "=", deps.environment)
    .where("uuid", "=", uuid)
    .where("person_uuid", "=", person.uuid)
    .forShare()
    .executeTakeFirst();
  return row === undefined ? null : opened(deps, person.dataKey, row);
}

/** Deletes what these brands issued to a person. */
export async function deleteIssuedTo(trx: Trx, personUuid: string, brands: readonly string[] | null): Promise<void> {
  await trx
    .deleteFrom("issued_credential")
    .where("person_uuid", "=", personUuid)
    .where(isAmong("brand_uuid", brands))
    .execute();
}

/** Removes the hashes by which a phone or an email address leads to what was issued to a person. */
export async function unlinkIssued(trx: Trx, personUuid: string): Promise<void> {
  await trx
    .updateTable("issued_credential")
    .set({ phone_index: null, email_index: null })
    .where("person_uuid", "=", personUuid)
    .execute();
}

/** Removes the hashes of what was issued to deleted people. A call during the deletion may have added some after it. */
export async function unlinkIssuedToDeleted({ db, environment }: Deps): Promise<void> {
  await sql`
    update issued_credential as late set phone_index = null, email_index = null
      from person
     where person.environment = ${environment} and person.phone_index is null and person.email_index is null
       and late.person_uuid = person.uuid
       and (late.phone_index is not null or late.email_index is not null)`.execute(db);
}

/**
 * Deletes what was issued to fixed test people before `before`, and what has a date in the future. Returns what was
 * deleted.
 */
export async function deleteIssuedToFixedPeople(
  trx: Trx,
  { environment, before, now }: { environment: string; before: number; now: number },
): Promise<string[]> {
  const deleted = await trx
    .deleteFrom("issued_credential")
    .where("environment", "=", environment)
    .where(sql<boolean>`fixed_person`)
    // A future `issued_at` means that the clock was set back since.
    .where(({ or, eb }) => or([eb("issued_at", "<", before), eb("issued_at", ">", now)]))
    .returning("uuid")
    .execute();
  return deleted.map(({ uuid }) => uuid);
}
