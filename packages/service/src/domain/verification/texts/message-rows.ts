/** Every statement about the table `message`: texts to send, and texts sent. */
import { type Selectable, sql } from "kysely";
import type { Reader, Trx } from "../../../store/database.ts";
import {
  type ColumnPlaceholders,
  columnsIn,
  columnsOf,
  insertRows,
  isAmong,
  recordsOf,
} from "../../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../../store/statements/statement.ts";
import type { Tables } from "../../../store/statements/tables.ts";
import type { DataKey } from "../../../store/vault.ts";
import { firstBrandOf } from "../../audit/audit-rows.ts";
import type { Deps } from "../../deps.ts";
import type { Phone } from "../../ports.ts";
import { allCustomers } from "./text-stop-rows.ts";

type Stored = Selectable<Tables["message"]>;
/** `superseded`: a resend replaced the text before the gateway answered. The gateway may or may not have it. */
export type TextState = Stored["status"];
/** The encrypted part of a text. */
export type Text = { to: Phone; body: string };

const place = (uuid: string) => ({ table: "message", row: uuid });

/** A text to queue. `brandUuid`: null for the service's own texts. */
export type NewText = {
  uuid: string;
  brandUuid: string | null;
  personUuid: string | null;
  verificationUuid: string;
  dataKey: DataKey;
  /** The index of the phone. */
  toIndex: Buffer;
  text: Text;
};

export async function insertTexts({ environment, clock, vault }: Deps, trx: Trx, all: readonly NewText[]) {
  const rows = all.map((one) => ({
    uuid: one.uuid,
    environment,
    brand_uuid: one.brandUuid,
    person_uuid: one.personUuid,
    verification_uuid: one.verificationUuid,
    data_key_uuid: one.dataKey.uuid,
    channel: "sms" as const,
    to_index: one.toIndex,
    status: "queued" as const,
    sealed: vault.seal(one.dataKey, place(one.uuid), one.text),
    created_at: clock.now(),
  }));
  await insertRows(trx, "message", rows);
}

/**
 * Marks the unsent texts of verifications as superseded. A text that the gateway is processing still gets its result.
 */
export async function supersedeTexts(
  trx: Trx,
  { verificationUuids, keepsTexts }: { verificationUuids: readonly string[]; keepsTexts: boolean },
): Promise<void> {
  if (verificationUuids.length > 0) await supersedeStatement(trx, { verificationUuids, keepsTexts });
}

type Superseding = { verificationUuids: readonly string[]; keepsTexts: boolean };
const supersedeStatement = statement((db, { verificationUuids, keepsTexts }: Placeholders<Superseding>) =>
  db
    .updateTable("message")
    .set({ status: "superseded", sealed: sql<Buffer | null>`case when ${keepsTexts}::boolean then sealed end` })
    .where(({ eb, fn }) => eb("verification_uuid", "=", fn.any(verificationUuids)))
    .where("status", "=", "queued"),
);

export type QueuedText = Awaited<ReturnType<typeof readQueuedTexts>>[number];

/** Reads queued texts with their keys, their verifications, and whether the phone has opted out of texts. */
export async function readQueuedTexts(reader: Reader, uuids: readonly string[]) {
  return (await queuedStatement(reader, { uuids })).rows;
}

const queuedStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("message")
    .innerJoin("data_key", "data_key.uuid", "message.data_key_uuid")
    .leftJoin("verification", "verification.uuid", "message.verification_uuid")
    .leftJoin("text_stop", (join) =>
      join
        .onRef("text_stop.environment", "=", "message.environment")
        .onRef("text_stop.phone_index", "=", "message.to_index")
        .on("text_stop.customer_uuid", "=", allCustomers),
    )
    .select(["message.uuid", "message.brand_uuid", "message.data_key_uuid", "message.sealed", "data_key.wrapped"])
    .select("text_stop.stopped")
    .select(["verification.uuid as verification_uuid", "verification.status", "attempts_used", "expires_at"])
    .where(({ eb, fn }) => eb("message.uuid", "=", fn.any(uuids)))
    .where("message.status", "=", "queued"),
);

/** Null if the text is no longer kept, or its key was destroyed. */
export function openText({ vault }: Deps, row: Pick<QueuedText, "uuid" | "data_key_uuid" | "sealed" | "wrapped">) {
  if (row.sealed === null || row.wrapped === null) return null;
  return vault.open<Text>(vault.openDataKey(row.data_key_uuid, row.wrapped), place(row.uuid), row.sealed);
}

/** The brand and verification of a text, and its position in the order of queueing. */
export async function findText(
  { db, environment }: Deps,
  uuid: string,
): Promise<Pick<Stored, "brand_uuid" | "verification_uuid" | "number"> | null> {
  const row = await db
    .selectFrom("message")
    .select(["brand_uuid", "verification_uuid", "number"])
    .where("uuid", "=", uuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks texts in uuid order, to avoid deadlocks. The caller has locked their verifications before. */
export async function lockTexts(
  trx: Trx,
  uuids: readonly string[],
): Promise<Pick<Stored, "uuid" | "status" | "sent_at">[]> {
  return (await lockStatement(trx, { uuids })).rows;
}

const lockStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("message")
    .select(["uuid", "status", "sent_at"])
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
    .orderBy("uuid")
    .forNoKeyUpdate(),
);

/** A new state of a text. `is_kept`: its words stay readable. */
export type SavedText = Pick<Stored, "uuid" | "status" | "sent_at"> & { is_kept: boolean };

export async function saveTexts(trx: Trx, all: readonly SavedText[]): Promise<void> {
  if (all.length > 0) await saveStatement(trx, columnsOf("text", savedTypes, all));
}

const savedTypes = { ...columnsIn("message", ["uuid", "status", "sent_at"]), is_kept: "boolean" } as const;
const saveStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .updateTable("message")
    .from(sql<SavedText>`(${recordsOf("text", savedTypes, columns)})`.as("text"))
    .set((eb) => ({
      status: eb.ref("text.status"),
      sent_at: eb.ref("text.sent_at"),
      sealed: sql<Buffer | null>`case when "text".is_kept then message.sealed end`,
    }))
    .whereRef("message.uuid", "=", "text.uuid"),
);

/** Whether a newer text was queued for the verification. */
export async function hasNewerText(
  trx: Trx,
  { verificationUuid, number }: { verificationUuid: string; number: number },
): Promise<boolean> {
  const newer = await trx
    .selectFrom("message")
    .select("uuid")
    .where("verification_uuid", "=", verificationUuid)
    .where("number", ">", number)
    .limit(1)
    .executeTakeFirst();
  return newer !== undefined;
}

/** Deletes the texts of verifications. Returns the number of texts that were sent, by verification. */
export async function deleteTextsOf(trx: Trx, verificationUuids: readonly string[]): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  if (verificationUuids.length === 0) return sent;
  const texts = await trx
    .deleteFrom("message")
    .where("verification_uuid", "in", verificationUuids)
    .returning(["verification_uuid", "sent_at"])
    .execute();
  for (const { verification_uuid: uuid, sent_at } of texts)
    if (uuid !== null && sent_at !== null) sent.set(uuid, (sent.get(uuid) ?? 0) + 1);
  return sent;
}

/** The texts of a verification. */
export async function listTextUuids(trx: Trx, verificationUuid: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("message")
    .select("uuid")
    .where("verification_uuid", "=", verificationUuid)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export type SentText = {
  uuid: string;
  text: Text;
  channel: "sms";
  brandUuid: string | null;
  verificationUuid: string | null;
  sentAt: number;
};
type Readable = { brands: readonly string[]; to?: Phone; max: number };

/**
 * The kept texts of a customer's brands, newest first. A sign-in text has no brand: the customer may read it if it went
 * to a fixed test person, or to a number that no other customer used before.
 */
export async function listSentTexts(deps: Deps, { brands, to, max }: Readable): Promise<SentText[]> {
  const isFixed = to !== undefined && deps.phones.isFixed(to);
  const first = firstBrandOf(deps, sql.ref("message.person_uuid"), sql.ref("verification.created_at"));
  const rows = await deps.db
    .selectFrom("message")
    .innerJoin("verification", "verification.uuid", "message.verification_uuid")
    .innerJoin("data_key", "data_key.uuid", "message.data_key_uuid")
    .select(["message.uuid", "message.brand_uuid", "message.sent_at", "message.sealed", "message.channel"])
    .select("message.verification_uuid")
    .select(["message.data_key_uuid", "data_key.wrapped"])
    .where("message.environment", "=", deps.environment)
    .where("verification.environment", "=", deps.environment)
    .where("message.status", "=", "sent")
    .where(({ or, and, eb }) =>
      or([
        isAmong("verification.brand_uuid", brands),
        and([
          eb("verification.brand_uuid", "is", null),
          isFixed ? sql<boolean>`true` : sql<boolean>`coalesce(${first} = any(${[...brands]}::uuid[]), true)`,
        ]),
      ]),
    )
    .$if(to !== undefined, (query) =>
      query.where("message.to_index", "=", deps.vault.index("phone", deps.environment, to ?? "")),
    )
    .orderBy("message.sent_at", "desc")
    .orderBy("message.number", "desc")
    .limit(max)
    .execute();
  return rows.flatMap(({ uuid, sent_at: sentAt, channel, brand_uuid: brandUuid, ...row }) => {
    if (row.sealed === null || row.wrapped === null || sentAt === null) return [];
    const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
    const text = deps.vault.open<Text>(dataKey, place(uuid), row.sealed);
    return [{ uuid, text, channel, brandUuid, verificationUuid: row.verification_uuid, sentAt }];
  });
}

/** The brands of texts, by the text's uuid. A text of the service itself has none, and is left out. */
export async function brandsOfTexts(db: Reader, uuids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom("message").select(["uuid", "brand_uuid"]).where(isAmong("uuid", uuids)).execute();
  return new Map(rows.flatMap(({ uuid, brand_uuid }) => (brand_uuid === null ? [] : [[uuid, brand_uuid] as const])));
}
