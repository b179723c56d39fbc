/**
 * Every statement about the tables `verification` and `verification_past`, except those of `one-time-code.ts`, which
 * counts attempts and consumes codes.
 */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import {
  type ColumnPlaceholders,
  columnsIn,
  columnsOf,
  insertRows,
  isAmong,
  type NewRow,
  recordsOf,
  type StoredRow,
} from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";
import { codeAttemptsMax, openVerificationStates } from "../one-time-code.ts";
import {
  deliveriesMax,
  type Verification,
  type VerificationRow,
  type VerificationSecrets,
  verificationStatesBefore,
} from "./verification.ts";

/** All columns except the hashes. A list instead of `*`, so that statements can be prepared. */
const columns = [
  "verification.uuid",
  "verification.environment",
  "verification.brand_uuid",
  "verification.person_uuid",
  "verification.data_key_uuid",
  "verification.channel",
  "verification.format",
  "verification.status",
  "verification.sealed",
  "verification.attempts_used",
  "verification.deliveries",
  "verification.created_at",
  "verification.expires_at",
  "verification.kept_until",
  "verification.delivered_at",
  "verification.verified_at",
  "verification.redirect_user_after",
  "verification.denied_at",
  "verification.code_shown_to_brand",
] as const;

type Stored = StoredRow<"verification">;

const place = (uuid: string) => ({ table: "verification", row: uuid });

/** Encrypts the secrets for the column `sealed`. */
export function sealSecrets({ vault }: Deps, dataKey: DataKey, uuid: string, secrets: VerificationSecrets): Buffer {
  return vault.seal(dataKey, place(uuid), secrets);
}

/** Null if the key of the verification was destroyed. */
export function openVerification(
  { vault }: Deps,
  row: VerificationRow & { wrapped: Buffer | null },
): Verification | null {
  if (row.wrapped === null) return null;
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { row, dataKey, secrets: vault.open<VerificationSecrets>(dataKey, place(row.uuid), row.sealed) };
}

/**
 * Reads verifications with their encrypted keys. A verification that began during a change of the phone's holder
 * belongs to the former holder, so it is read as if its key were destroyed.
 */
export async function readVerifications(
  reader: Reader,
  uuids: readonly string[],
): Promise<(VerificationRow & { wrapped: Buffer | null })[]> {
  return (await readStatement(reader, { uuids })).rows;
}

const readStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("verification")
    .innerJoin("data_key", "data_key.uuid", "verification.data_key_uuid")
    .leftJoin("person", "person.uuid", "verification.person_uuid")
    .select(columns)
    .select(
      sql<Buffer | null>`case when person.uuid is null or person.phone_index is not null then data_key.wrapped end`.as(
        "wrapped",
      ),
    )
    .where(({ eb, fn }) => eb("verification.uuid", "=", fn.any(uuids))),
);

/** Locks verifications in uuid order, to avoid deadlocks. */
export async function lockVerifications(trx: Trx, uuids: readonly string[]): Promise<VerificationRow[]> {
  return uuids.length === 0 ? [] : (await lockStatement(trx, { uuids })).rows;
}

const lockStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("verification")
    .select(columns)
    .where(({ eb, fn }) => eb("verification.uuid", "=", fn.any(uuids)))
    .orderBy("verification.uuid")
    .forNoKeyUpdate(),
);

/** Which of the verifications are verified now. */
export async function listVerified(reader: Reader, uuids: readonly string[]): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set();
  return new Set((await verifiedStatement(reader, { uuids })).rows.map(({ uuid }) => uuid));
}

const verifiedStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("verification")
    .select("uuid")
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
    .where("status", "=", "verified"),
);

/** Locks all verifications of a person for their deletion, in uuid order. Lock the person afterwards. */
export async function lockVerificationsOf(trx: Trx, personUuid: string): Promise<void> {
  await trx
    .selectFrom("verification")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .orderBy("uuid")
    .forUpdate()
    .execute();
}

export async function insertVerifications(reader: Reader, rows: readonly NewRow<"verification">[]): Promise<void> {
  await insertRows(reader, "verification", rows);
}

/** What a delivery changes in a verification. `code_hmac` and `sealed`: null if they stay unchanged. */
export type Delivered = Pick<Stored, "uuid" | "format" | "code_hmac" | "link_hash" | "redirect_user_after"> & {
  sealed: Buffer | null;
};

/**
 * Counts a delivery of each verification and replaces its code. Returns the verifications that had a delivery left.
 * Locks the verifications in uuid order, to avoid deadlocks.
 */
export async function countDeliveries(trx: Trx, all: readonly Delivered[], now: number): Promise<VerificationRow[]> {
  const uuids = all.map(({ uuid }) => uuid);
  const [, { rows }] = await Promise.all([
    lockVerifications(trx, uuids),
    deliverStatement(trx, { ...columnsOf("delivered", deliveredTypes, all), now }),
  ]);
  return rows;
}

const deliveredTypes = columnsIn("verification", [
  "uuid",
  "format",
  "code_hmac",
  "link_hash",
  "redirect_user_after",
  "sealed",
]);
const deliverStatement = statement((db, values: ColumnPlaceholders & Placeholders<{ now: number }>) =>
  db
    .updateTable("verification")
    .from(sql<Delivered>`(${recordsOf("delivered", deliveredTypes, values)})`.as("text"))
    .set((eb) => ({
      format: eb.ref("text.format"),
      code_hmac: sql<Buffer>`coalesce("text".code_hmac, verification.code_hmac)`,
      link_hash: eb.ref("text.link_hash"),
      redirect_user_after: eb.ref("text.redirect_user_after"),
      sealed: sql<Buffer>`coalesce("text".sealed, verification.sealed)`,
      deliveries: eb("verification.deliveries", "+", 1),
      status: "sending",
      delivered_at: null,
    }))
    .whereRef("verification.uuid", "=", "text.uuid")
    .where("status", "in", verificationStatesBefore("sending"))
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", values.now)
    .where("deliveries", "<", deliveriesMax)
    .returning(columns),
);

/** The result of a verification's newest text. `delivered_at`: null if it does not change. */
export type TextResult = { uuid: string; status: "delivered" | "failed"; delivered_at: number | null };

/** Records the results of texts for verifications that wait for one. */
export async function saveTextResults(trx: Trx, all: readonly TextResult[]): Promise<void> {
  if (all.length > 0) await resultStatement(trx, columnsOf("result", resultTypes, all));
}

const resultTypes = columnsIn("verification", ["uuid", "status", "delivered_at"]);
const resultStatement = statement((db, values: ColumnPlaceholders) =>
  db
    .updateTable("verification")
    .from(sql<TextResult>`(${recordsOf("result", resultTypes, values)})`.as("result"))
    .set((eb) => ({
      status: eb.ref("result.status"),
      delivered_at: eb.fn.coalesce("result.delivered_at", "verification.delivered_at"),
    }))
    .whereRef("verification.uuid", "=", "result.uuid")
    .where("verification.status", "=", "sending"),
);

/** Replaces the code of a sign-in with the texted one, and sets its person. False if the sign-in has ended. */
export async function replaceCode(
  trx: Trx,
  input: { uuid: string; personUuid: string; hash: Buffer; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("verification")
    .set({ code_hmac: input.hash, person_uuid: input.personUuid })
    .where("uuid", "=", input.uuid)
    .where("status", "in", openVerificationStates)
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", input.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The verification of a link. `isProvenByLink` distinguishes a proof by link from a proof by code, at this `status`. */
export async function findByLink(
  reader: Reader,
  { environment, linkHash }: { environment: string; linkHash: Buffer },
): Promise<(Pick<VerificationRow, "uuid" | "status"> & { isProvenByLink: boolean }) | null> {
  const row = await reader
    .selectFrom("verification")
    .select(["uuid", "status", "code_hmac"])
    .where("link_hash", "=", linkHash)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row === undefined ? null : { uuid: row.uuid, status: row.status, isProvenByLink: row.code_hmac === null };
}

/** Ends the lifetime of a verification at once. Only the sandbox does this. Returns when it ended. */
export async function endLifetime(reader: Reader, uuid: string, now: number): Promise<number> {
  const row = await reader
    .updateTable("verification")
    .set({ expires_at: sql<number>`least(expires_at, ${now})` })
    .where("uuid", "=", uuid)
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return row.expires_at;
}

type EndedByLink = Pick<VerificationRow, "person_uuid" | "code_shown_to_brand">;
type ProvenByLink = { linkHash: Buffer; now: number; reviewFollows: boolean };

/**
 * Marks a link's verification as verified, and invalidates its code. Null if the verification has ended. A proof after
 * which no review follows is the brand's own, also if the brand declares its consent a moment later.
 */
export async function verifyByLink(trx: Trx, proven: ProvenByLink): Promise<EndedByLink | null> {
  const { linkHash, now, reviewFollows } = proven;
  const row = await trx
    .updateTable("verification")
    .set({
      status: "verified",
      verified_at: now,
      attempts_used: sql<number>`attempts_used + 1`,
      // Keep the link's hash, which identifies a repeated "Continue".
      code_hmac: null,
      ...(reviewFollows ? {} : { redirect_user_after: "phoneVerification" as const }),
    })
    .where("link_hash", "=", linkHash)
    .where("status", "in", verificationStatesBefore("verified"))
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", now)
    .returning(["person_uuid", "code_shown_to_brand"])
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a link's verification because the person did not ask for it. Null if it has ended before. */
export async function denyByLink(trx: Trx, linkHash: Buffer, now: number): Promise<EndedByLink | null> {
  const row = await trx
    .updateTable("verification")
    .set({ status: "failed", denied_at: now, code_hmac: null, link_hash: null })
    .where("link_hash", "=", linkHash)
    .where("status", "in", verificationStatesBefore("failed"))
    .returning(["person_uuid", "code_shown_to_brand"])
    .executeTakeFirst();
  return row ?? null;
}

type DeviceStep = { environment: string; hash: Buffer; now: number };

/** Consumes a device's token, and stores the state with which the carrier sends the device back. */
export async function useDeviceToken(
  reader: Reader,
  { environment, hash, now, next }: DeviceStep & { next: { hash: Buffer; until: number } },
): Promise<{ uuid: string } | null> {
  const row = await reader
    .updateTable("verification")
    .set({ device_token_hash: null, carrier_state_hash: next.hash, carrier_state_until: next.until })
    .where("device_token_hash", "=", hash)
    .where("device_token_until", ">", now)
    .where("status", "=", "pending")
    .where("environment", "=", environment)
    .returning("uuid")
    .executeTakeFirst();
  return row ?? null;
}

/** Consumes the state with which the carrier sent the device back. */
export async function useCarrierState(
  reader: Reader,
  { environment, hash, now }: DeviceStep,
): Promise<{ uuid: string } | null> {
  const row = await reader
    .updateTable("verification")
    .set({ carrier_state_hash: null })
    .where("carrier_state_hash", "=", hash)
    .where("carrier_state_until", ">", now)
    .where("status", "=", "pending")
    .where("environment", "=", environment)
    .returning("uuid")
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Marks a verification by device as verified. From now on, it belongs to `personUuid`, whose key encrypts it. False if
 * it was deleted or has ended.
 */
export async function verifyByDevice(
  trx: Trx,
  input: { uuid: string; personUuid: string; dataKeyUuid: string; sealed: Buffer; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("verification")
    .set({
      status: "verified",
      verified_at: input.now,
      person_uuid: input.personUuid,
      data_key_uuid: input.dataKeyUuid,
      sealed: input.sealed,
    })
    .where("uuid", "=", input.uuid)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function failByDevice(reader: Reader, uuid: string): Promise<void> {
  await reader
    .updateTable("verification")
    .set({ status: "failed" })
    .where("uuid", "=", uuid)
    .where("status", "=", "pending")
    .execute();
}

/** Locks verifications whose retention has ended, and returns their uuids. */
export async function lockExpiredVerifications(trx: Trx, expired: Expired): Promise<string[]> {
  return await lockExpired(trx, "verification", "kept_until", expired);
}

/** Deletes verifications and returns the deleted rows. */
export async function deleteVerifications(trx: Trx, uuids: readonly string[]): Promise<VerificationRow[]> {
  if (uuids.length === 0) return [];
  return await trx.deleteFrom("verification").where("uuid", "in", uuids).returning(columns).execute();
}

/** Keeps rows for analytics, without an id or a person. */
export async function insertPastVerifications(trx: Trx, rows: readonly NewRow<"verification_past">[]): Promise<void> {
  await insertRows(trx, "verification_past", rows);
}

/** The verifications of a person, by uuid. `byBrands`: only those that these brands began (null: all). */
export async function listVerificationsOf(
  reader: Reader,
  personUuid: string,
  byBrands: readonly string[] | null = null,
): Promise<string[]> {
  const rows = await reader
    .selectFrom("verification")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .where(isAmong("brand_uuid", byBrands))
    .orderBy("uuid")
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Whether the service itself proved the phone. A brand that received the code could have entered it. */
export async function isProvenByService(reader: Reader, uuid: string): Promise<boolean> {
  const row = await reader
    .selectFrom("verification")
    .select("uuid")
    .where("uuid", "=", uuid)
    .where("status", "=", "verified")
    .where("code_shown_to_brand", "is", false)
    .executeTakeFirst();
  return row !== undefined;
}
