/** Every statement about `consent`. */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";
import { insertRows, isAmong, type NewRow } from "../../store/statements/rows.ts";
import type { Deps } from "../deps.ts";
import { detailsOfConsents, type PersonAtBrands } from "./audit-rows.ts";

type LaterColumns = "email_index" | "evidence_hash" | "obtained_at" | "origin";
export type ConsentRow = Required<Omit<NewRow<"consent">, LaterColumns>> &
  Partial<Pick<NewRow<"consent">, LaterColumns>>;

/** Inserts consents that have the same columns. */
export async function insertConsents(trx: Trx, rows: readonly ConsentRow[]): Promise<void> {
  await insertRows(trx, "consent", rows);
}

/** A person's consent to an action on a 1-Click. */
export async function findConsentRow(
  { db }: Deps,
  { personUuid, oneClickUuid, action }: { personUuid: string; oneClickUuid: string; action: string },
) {
  return await db
    .selectFrom("consent")
    .select(["source", "version", "language", "words", "url"])
    .where("person_uuid", "=", personUuid)
    .where("one_click_uuid", "=", oneClickUuid)
    .where("action", "=", action)
    .executeTakeFirst();
}

/**
 * The decisions of a person. Consents to get a text are left out: anyone can type a phone number, so the person with
 * that phone may not have made them.
 */
function decisionsOf(reader: Reader, environment: string, { personUuid, brands }: PersonAtBrands) {
  return reader
    .selectFrom("consent")
    .where("consent.action", "!=", "prove")
    .where("consent.environment", "=", environment)
    .where("consent.person_uuid", "=", personUuid)
    .where(({ or, eb }) => or([eb("consent.brand_uuid", "is", null), isAmong("consent.brand_uuid", brands)]));
}

/** One decision, and the detail of the audit entry that names it. */
export async function findDecision(
  { environment }: Deps,
  reader: Reader,
  { uuid, ...of }: PersonAtBrands & { uuid: string },
) {
  return await decisionsOf(reader, environment, of)
    .leftJoin("audit", (join) =>
      join
        .onRef("audit.person_uuid", "=", "consent.person_uuid")
        .on(sql`audit.detail->>'consent'`, "=", sql`consent.uuid::text`),
    )
    .selectAll("consent")
    .select("audit.detail")
    .where("consent.uuid", "=", uuid)
    .executeTakeFirst();
}

export type StoredDecision = NonNullable<Awaited<ReturnType<typeof findDecision>>>;

/** The newest decisions, with the details of the audit entries that name them. */
export async function listDecisions(
  { db, environment }: Deps,
  { max, ...of }: PersonAtBrands & { max: number },
): Promise<StoredDecision[]> {
  const rows = await decisionsOf(db, environment, of).selectAll("consent").orderBy("at", "desc").limit(max).execute();
  const consents = rows.map(({ uuid }) => uuid);
  // With a join, the planner may read all entries again for each decision.
  const details = await detailsOfConsents(db, { personUuid: of.personUuid, consents });
  return rows.map((row) => ({ ...row, detail: details.get(row.uuid) ?? null }));
}

/** Replaces the indexes of a person's consents by a hash that only this person's phone has. */
export async function unlinkConsents(trx: Trx, personUuid: string, evidenceHash: Buffer): Promise<void> {
  await trx
    .updateTable("consent")
    .set({ phone_index: null, email_index: null, evidence_hash: evidenceHash })
    .where("person_uuid", "=", personUuid)
    .execute();
}

/** Deletes consents up to an instant. Those that a billed issuance needs stay, without the person. */
export async function endConsents({ db, environment }: Deps, before: number): Promise<void> {
  const isOver = sql`consent.environment = ${environment} and consent.at < ${before}`;
  const unbilled = sql`not exists (select from issuance where consent_uuid = consent.uuid)`;
  await deleteInBatches(db, "consent", sql`${isOver} and ${unbilled}`);
  await sql`
    update consent set person_uuid = null, phone_index = null, email_index = null, evidence_hash = null
    where ${isOver} and num_nonnulls(person_uuid, phone_index, email_index, evidence_hash) > 0`.execute(db);
}
