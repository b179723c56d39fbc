import type { RawBuilder } from "kysely";
import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { type ColumnPlaceholders, type ColumnTypes, columnsOf, namesOf, recordsOf } from "../../store/rows.ts";
import { statement } from "../../store/statement.ts";
import type { Brand, Deps } from "../deps.ts";
import type { Phone } from "../ports.ts";

/** What can be done with somebody's data. Written in the transaction that does it. */
export type AuditAction =
  | "oneClick.released"
  | "oneClick.read"
  | "oneClick.refused"
  | "oneClick.declined"
  | "verification.verified"
  | "verification.denied"
  | "credential.issued"
  | "credential.read"
  | "credential.changed"
  | "health.requested"
  | "health.released"
  | "health.read"
  | "account.signedIn"
  | "account.corrected"
  | "account.downloaded"
  | "account.withdrawn"
  | "account.reset"
  | "account.deleted"
  | "account.handedOver";

/** On whose behalf: a caller, a brand whose person acts on its page, or, without a brand, the person on their own page. */
export type Actor = { brand: { uuid: string } | null; apiKeyUuid: string | null; requestId: string };

export type AuditEntry = {
  action: AuditAction;
  personUuid?: string;
  oneClickUuid?: string;
  verificationUuid?: string;
  /** Facts about the deed, never personal values: types released, the consent it rests on, the error code of a refusal. */
  detail?: Record<string, string | string[]>;
};

export async function recordAudit(deps: Deps, trx: Trx, by: Actor, entry: AuditEntry): Promise<void> {
  await insertStatement(trx, auditColumnsOf([auditRow(deps, by, entry)]));
}

/** Records several entries at once. */
export async function recordAudits(trx: Trx, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length > 0) await insertStatement(trx, auditColumnsOf(rows));
}

/** Of a deed that writes nothing else, as reading: those of the same moment are written together. */
export async function recordAuditAlone(deps: Deps, by: Actor, entry: AuditEntry): Promise<void> {
  await insertTogether(deps, auditRow(deps, by, entry));
}

export type AuditRow = ReturnType<typeof auditRow>;
export function auditRow(deps: Deps, by: Actor, entry: AuditEntry) {
  return {
    environment: deps.environment,
    at: deps.clock.now(),
    action: entry.action,
    brand_uuid: by.brand?.uuid ?? null,
    api_key_uuid: by.apiKeyUuid,
    person_uuid: entry.personUuid ?? null,
    one_click_uuid: entry.oneClickUuid ?? null,
    verification_uuid: entry.verificationUuid ?? null,
    request_id: by.requestId,
    detail: entry.detail ?? {},
  };
}

const auditTypes: ColumnTypes<AuditRow> = {
  environment: "text",
  at: "bigint",
  action: "text",
  brand_uuid: "uuid",
  api_key_uuid: "uuid",
  person_uuid: "uuid",
  one_click_uuid: "uuid",
  verification_uuid: "uuid",
  request_id: "text",
  detail: "jsonb",
};

export const auditColumnsOf = (rows: readonly AuditRow[]) => columnsOf("audit", auditTypes, rows);

/** `columns`: those of the rows, among others; `which`: of those that this is true of. */
export function insertAudits(db: Pick<Reader, "insertInto">, columns: ColumnPlaceholders, which?: RawBuilder<unknown>) {
  return db
    .insertInto("audit")
    .columns(namesOf(auditTypes))
    .expression(recordsOf("audit", auditTypes, columns, which));
}

const insertStatement = statement((db, columns: ColumnPlaceholders) => insertAudits(db, columns));
const insertTogether = batched(async ({ db }: Deps, rows: readonly AuditRow[]): Promise<undefined[]> => {
  await insertStatement(db, auditColumnsOf(rows));
  return rows.map(() => undefined);
});

/** What an entry's details say to those who read it. */
export function detailOf(detail: unknown): { types: string[]; word?: string } {
  if (typeof detail !== "object" || detail === null) return { types: [] };
  const types = "types" in detail && Array.isArray(detail.types) ? detail.types.map(String) : [];
  return { types, ...("word" in detail && typeof detail.word === "string" ? { word: detail.word } : {}) };
}

/** What a person agreed to: the text that a screen of ours showed, or what the brand declares that its own did. */
export type ConsentGiven = {
  source: "brandDeclaration" | "wallet";
  version: string;
  language: string | null;
  words: string | null;
  url: string | null;
};

/** The ground of a release whose person the brand itself asked: its declaration, as its settings state it. */
export function declaredConsent({ settings }: Brand): ConsentGiven {
  const { version, text, url } = settings.consent;
  return { source: "brandDeclaration", version, language: null, words: text, url };
}

/** Keeps a decision, or the word it rests on; answers the record's uuid, by which its receipt is found. */
export async function recordConsent(deps: Deps, trx: Trx, by: Actor, about: AboutConsent): Promise<string> {
  const row = consentRow(deps, by, about);
  await insertConsentsStatement(trx, consentColumnsOf([row]));
  return row.uuid;
}

/** What a person agreed to earlier in a 1-Click; null where no screen asked. */
export async function findConsent(
  { db }: Deps,
  { uuid, personUuid }: { uuid: string; personUuid: string },
  action: AboutConsent["action"],
): Promise<ConsentGiven | null> {
  const row = await db
    .selectFrom("consent")
    .select(["source", "version", "language", "words", "url"])
    .where("person_uuid", "=", personUuid)
    .where("one_click_uuid", "=", uuid)
    .where("action", "=", action)
    .executeTakeFirst();
  return row === undefined || row.source === "brandRequest" ? null : { ...row, source: row.source };
}

export type AboutConsent = {
  /** `prove`: to be texted, or recognised by the carrier. */
  action: "prove" | "share" | "decline" | "withdraw" | "correct" | "delete" | "handOver";
  phone: Phone;
  personUuid: string;
  oneClickUuid?: string;
  given: ConsentGiven;
  /** Where the deed is recorded before the word it rests on. */
  uuid?: string;
};

export type ConsentRow = ReturnType<typeof consentRow>;
export function consentRow(deps: Deps, by: Actor, about: AboutConsent) {
  return {
    uuid: about.uuid ?? deps.random.uuid(),
    environment: deps.environment,
    at: deps.clock.now(),
    action: about.action,
    brand_uuid: by.brand?.uuid ?? null,
    person_uuid: about.personUuid,
    phone_index: deps.vault.index("phone", deps.environment, about.phone),
    one_click_uuid: about.oneClickUuid ?? null,
    ...about.given,
  };
}

const consentTypes: ColumnTypes<ConsentRow> = {
  uuid: "uuid",
  environment: "text",
  at: "bigint",
  action: "text",
  brand_uuid: "uuid",
  person_uuid: "uuid",
  phone_index: "bytea",
  one_click_uuid: "uuid",
  source: "text",
  version: "text",
  language: "text",
  words: "text",
  url: "text",
};

export const consentColumnsOf = (rows: readonly ConsentRow[]) => columnsOf("consent", consentTypes, rows);

/** `columns`: those of the rows, among others; `which`: of those that this is true of. */
export function insertConsents(
  db: Pick<Reader, "insertInto">,
  columns: ColumnPlaceholders,
  which?: RawBuilder<unknown>,
) {
  return db
    .insertInto("consent")
    .columns(namesOf(consentTypes))
    .expression(recordsOf("consent", consentTypes, columns, which));
}

const insertConsentsStatement = statement((db, columns: ColumnPlaceholders) => insertConsents(db, columns));
