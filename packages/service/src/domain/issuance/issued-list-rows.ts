/** Lists of issued credentials with limits on their number and size: what belongs to a phone, and what a person got. */
import { setImmediate } from "node:timers/promises";
import type { CredentialType } from "@countersign/contract/credential";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { AnyReader } from "../../store/database.ts";
import { listedBytesMin } from "../../store/seal.ts";
import { batched } from "../../store/statements/batch.ts";
import { smallBytesMax } from "../../store/statements/large-columns.ts";
import { isAmong } from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { Tables } from "../../store/statements/tables.ts";
import type { Deps } from "../deps.ts";
import { holdLarge } from "../large-values.ts";
import type { Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { addLarge, opened, type UsableCredential } from "./issued-credential-rows.ts";

/**
 * Maximum credentials per type and issuer, newest first. A `multi` request returns three. The others are used if one of
 * those is empty.
 */
const perIssuerMax = 10;

/** The person who has the phone, and the brands that issued something to them. Null if none did. */
export async function findIssuersTo(
  deps: Deps,
  phone: Phone,
): Promise<{ holderUuid: string; brands: string[] } | null> {
  const rows = await issuersTogether(deps, deps.vault.index("phone", deps.environment, phone));
  const [first] = rows;
  if (first === undefined) return null;
  return { holderUuid: first.person_uuid, brands: rows.map((row) => row.brand_uuid) };
}

const issuersTogether = batched(async ({ db, environment }: Deps, phoneIndexes: readonly Buffer[]) => {
  const { rows } = await issuersStatement(db, { environment, phoneIndexes });
  return phoneIndexes.map((index) => rows.filter(({ phone_index }) => phone_index?.equals(index)));
});

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
  const [usable, linked] = await Promise.all([
    (belonging === "all" ? usableStatement : toEmailsStatement)(deps.db, asked),
    linkedStatement(deps.db, asked),
  ]);
  const here = { reader: deps.db, rows: usable.rows };
  const rows = await newestWithLarge(deps, [here, ...(await listElsewhere(deps, linked.rows, held))]);
  return await openWithinLimits(rows, (row) =>
    row.wrapped === null ? null : opened(deps, deps.vault.openDataKey(row.data_key_uuid, row.wrapped), row),
  );
}

type Linked = { email_index: Buffer | null };

/** Credentials issued to these email addresses alone. They are in the cells of the addresses. */
async function listElsewhere(deps: Deps, linked: readonly Linked[], held: Omit<Usable, "phoneIndex" | "linkers">) {
  return await Promise.all(
    linked.map(async ({ email_index: emailIndex }) => {
      const cell = emailIndex === null ? deps : await deps.cells.ofEmail(emailIndex);
      if (emailIndex === null || cell.db === deps.db) return { reader: deps.db, rows: [] };
      return { reader: cell.db, rows: (await usableOfEmailStatement(cell.db, { ...held, emailIndex })).rows };
    }),
  );
}

type Counted = { uuid: string; issued_at: number; sealed: Buffer | null; counted: number; large_bytes: number };
type List<Row> = { reader: AnyReader; rows: readonly Row[] };

/** The rows of all lists with their large values, newest first, with the limit for all issuers. */
async function newestWithLarge<Row extends Counted>(deps: Deps, lists: readonly List<Row>[]) {
  const newestFirst = (a: Counted, b: Counted) => b.issued_at - a.issued_at;
  const kept = new Set<Row>();
  let counted = 0;
  for (const row of lists.flatMap(({ rows }) => rows).sort(newestFirst)) {
    counted += row.counted;
    if (counted > allIssuersBytesMax) break;
    kept.add(row);
  }
  if (counted > smallBytesMax) await holdLarge(counted, { mayWait: true });
  const whole = await Promise.all(
    lists.map(({ reader, rows }) =>
      addLarge(
        deps,
        reader,
        rows.filter((row) => kept.has(row)),
      ),
    ),
  );
  return whole.flat().sort(newestFirst);
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

type HeldByAll = { environment: string; phoneIndexes: readonly Buffer[] };

const issuersStatement = statement((db, { environment, phoneIndexes }: Placeholders<HeldByAll>) =>
  db
    .selectFrom(newestHolders(db, { environment, phoneIndexes }).as("newest"))
    .innerJoin("issued_credential", "issued_credential.person_uuid", "newest.uuid")
    .select(["newest.phone_index", "newest.uuid as person_uuid", "brand_uuid"])
    .distinct()
    .where("newest.wrapped", "is not", null)
    .where("issued_credential.environment", "=", environment),
);

/** The newest holder of each phone, who may have been deleted. */
function newestHolders(db: AnyReader, { environment, phoneIndexes }: Placeholders<HeldByAll>) {
  return db
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .distinctOn("person.phone_index")
    .select(["person.uuid", "person.phone_index", "wrapped"])
    .where("person.environment", "=", environment)
    .where(({ eb, fn }) => eb("person.phone_index", "=", fn.any(phoneIndexes)))
    .orderBy("person.phone_index")
    .orderBy("generation", "desc");
}

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

/** Each address may be in another cell, whose list is read too. */
const linkedMax = 20;

const linkedStatement = statement((db, values: Placeholders<Usable>) =>
  linkedEmails(db, values).distinct().orderBy("email_index").limit(linkedMax),
);

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
/**
 * What a row counts. A shorter value counts as much as content that may be compressed freely, so the sum tells how much
 * memory the values need, and how many are opened at most.
 */
const countedBytes = sql<number>`greatest(octet_length(sealed), ${sql.lit(listedBytesMin)})`;
/** What a row and all newer ones count: of its issuer, and of all issuers. */
const bytesOf = [
  sql<number>`sum(${countedBytes}) over (partition by brand_uuid ${newestFirst})`.as("bytes"),
  sql<number>`sum(${countedBytes}) over (${newestFirst})`.as("all_bytes"),
];

/** The newest values are read with their rows, as long as they are small together. */
const newestSealed = [
  countedBytes.as("counted"),
  sql<Buffer | null>`case when all_bytes <= ${sql.lit(smallBytesMax)} then sealed end`.as("sealed"),
  sql<number>`case when all_bytes > ${sql.lit(smallBytesMax)} then ${countedBytes} else 0 end`.as("large_bytes"),
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
    .select(["uuid", "type", "status", "brand_uuid", "data_key_uuid", "wrapped", "issued_at", "expires_at"])
    .select(newestSealed)
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
    .select(["uuid", "type", "status", "brand_uuid", "data_key_uuid", "issued_at", "expires_at"])
    .select(newestSealed)
    .where("bytes", "<=", perIssuerBytesMax)
    .where("all_bytes", "<=", allIssuersBytesMax)
    .orderBy("issued_at", "desc")
    .orderBy("issuance", "desc")
    .orderBy("position")
    .limit(max)
    .execute();
  const whole = await newestWithLarge(deps, [{ reader: deps.db, rows }]);
  return await openWithinLimits(whole, (row) => opened(deps, person.dataKey, row));
}

/**
 * Limits on the bytes that a lookup decrypts, for one issuer and for all, so issuers of images cannot slow down a
 * phone's 1-Clicks. Statements compare the limits with the stored length, of which the opened length is at most twice.
 */
const perIssuerBytesMax = 16 * 1024 * 1024;
const allIssuersBytesMax = 2 * perIssuerBytesMax;

/** Other requests get a turn after this many opened bytes. */
const turnBytes = 1024 * 1024;

/** Opens rows, newest first, and leaves out those past a limit. `open` returns null for a row without a key. */
async function openWithinLimits<Row extends { brand_uuid: string }, Opened extends { data: unknown }>(
  rows: readonly Row[],
  open: (row: Row) => Opened | null,
): Promise<Opened[]> {
  const lengths = new Map<string, number>();
  const kept: Opened[] = [];
  let [all, turnsAt] = [0, turnBytes];
  for (const row of rows) {
    const before = lengths.get(row.brand_uuid) ?? 0;
    if (before > perIssuerBytesMax || all > allIssuersBytesMax) continue;
    const opened = open(row);
    if (opened === null) continue;
    const length = lengthOf(opened.data);
    all += length;
    lengths.set(row.brand_uuid, before + length);
    if (before + length <= perIssuerBytesMax && all <= allIssuersBytesMax) kept.push(opened);
    if (all < turnsAt) continue;
    await setImmediate();
    turnsAt = all + turnBytes;
  }
  return kept;
}

/** The length of all texts in a value. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 0);
}
