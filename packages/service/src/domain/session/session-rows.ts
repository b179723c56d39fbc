/** The rows of `session`: sessions of the SDK, from the key that a brand makes to the 1-Click that it opens. */
import { sql } from "kysely";
import { deleteKeysWithoutPerson } from "../../store/data-key-rows.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/expired.ts";
import { isAmong } from "../../store/rows.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";
import type { PersonInputs, Phone } from "../ports.ts";
import { wordHash } from "../token.ts";

/** The encrypted part of a session: what the brand said about the person. */
export type SessionSecrets = { phone?: Phone; inputs: PersonInputs };

export type SessionRow = {
  uuid: string;
  brandUuid: string;
  verificationUuid: string | null;
  deviceVerificationUuid: string | null;
  secrets: SessionSecrets;
};

const place = (uuid: string) => ({ table: "session", row: uuid });

/** Inserts a session that is not open yet. Only the hash of its key is stored. */
export async function insertSession(
  deps: Deps,
  trx: Trx,
  what: {
    uuid: string;
    brandUuid: string;
    verificationUuid: string | null;
    dataKey: DataKey;
    sessionKey: string;
    secrets: SessionSecrets;
    expiresAt: number;
  },
): Promise<void> {
  await trx
    .insertInto("session")
    .values({
      uuid: what.uuid,
      environment: deps.environment,
      brand_uuid: what.brandUuid,
      verification_uuid: what.verificationUuid,
      data_key_uuid: what.dataKey.uuid,
      key_hash: wordHash(what.sessionKey),
      sealed: deps.vault.seal(what.dataKey, place(what.uuid), what.secrets),
      created_at: deps.clock.now(),
      expires_at: what.expiresAt,
    })
    .execute();
}

/** Opens the session of a key, once, and returns its uuid. Null if the key is unknown, used or expired. */
export async function markOpened(
  deps: Deps,
  trx: Trx,
  { sessionKey, token, expiresAt }: { sessionKey: string; token: string; expiresAt: number },
): Promise<string | null> {
  const now = deps.clock.now();
  const row = await trx
    .updateTable("session")
    .set({ opened_at: now, token_hash: wordHash(token), expires_at: expiresAt })
    .where("key_hash", "=", wordHash(sessionKey))
    .where("environment", "=", deps.environment)
    .where("opened_at", "is", null)
    .where("expires_at", ">", now)
    .returning("uuid")
    .executeTakeFirst();
  return row?.uuid ?? null;
}

/** The session of a token. Null if there is none, it has expired, or its data was erased. */
export async function findByToken(deps: Deps, token: string): Promise<SessionRow | null> {
  const row = await deps.db
    .selectFrom("session")
    .innerJoin("data_key", "data_key.uuid", "session.data_key_uuid")
    .selectAll("session")
    .select("data_key.wrapped")
    .where("token_hash", "=", wordHash(token))
    .where("session.environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  if (row === undefined || row.sealed === null || row.wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    verificationUuid: row.verification_uuid,
    deviceVerificationUuid: row.device_verification_uuid,
    secrets: deps.vault.open<SessionSecrets>(dataKey, place(row.uuid), row.sealed),
  };
}

/** The brand of the session with this key. Null if there is none or it has expired. */
export async function findBrandByKeyHash(deps: Deps, keyHash: Buffer): Promise<string | null> {
  const row = await deps.db
    .selectFrom("session")
    .select("brand_uuid")
    .where("key_hash", "=", keyHash)
    .where("environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  return row?.brand_uuid ?? null;
}

/** Counts a phone that the session tries. False if it has tried `max` phones. */
export async function countPhone({ db }: Deps, uuid: string, max: number): Promise<boolean> {
  const counted = await db
    .updateTable("session")
    .set({ phones_used: sql<number>`phones_used + 1` })
    .where("uuid", "=", uuid)
    .where("phones_used", "<", max)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

export async function setDeviceVerification({ db }: Deps, uuid: string, verificationUuid: string): Promise<void> {
  await db
    .updateTable("session")
    .set({ device_verification_uuid: verificationUuid })
    .where("uuid", "=", uuid)
    .execute();
}

export async function lockSession(trx: Trx, uuid: string): Promise<void> {
  await trx.selectFrom("session").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
}

/** The 1-Click that the session opened. Null if it opened none. */
export async function findOneClickUuid(reader: Reader, uuid: string): Promise<string | null> {
  const row = await reader.selectFrom("session").select("one_click_uuid").where("uuid", "=", uuid).executeTakeFirst();
  return row?.one_click_uuid ?? null;
}

export async function setOneClick(trx: Trx, uuid: string, oneClickUuid: string): Promise<void> {
  await trx.updateTable("session").set({ one_click_uuid: oneClickUuid }).where("uuid", "=", uuid).execute();
}

/** Deletes expired sessions, and their keys that no person uses. Returns how many sessions there were. */
export async function deleteExpiredSessions(trx: Trx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "session", "expires_at", expired);
  if (uuids.length === 0) return 0;
  const rows = await trx.deleteFrom("session").where("uuid", "in", uuids).returning("data_key_uuid").execute();
  await deleteKeysWithoutPerson(
    trx,
    rows.map((row) => row.data_key_uuid),
  );
  return uuids.length;
}

/** Deletes the sessions that a person's key encrypted, or that opened one of these 1-Clicks. */
export async function deleteSessionsOf(
  trx: Trx,
  {
    dataKeyUuid,
    oneClickUuids,
    brands,
  }: { dataKeyUuid: string; oneClickUuids: readonly string[]; brands: readonly string[] | null },
): Promise<void> {
  await trx
    .deleteFrom("session")
    .where(({ or, eb }) =>
      or([
        eb("data_key_uuid", "=", dataKeyUuid),
        ...(oneClickUuids.length === 0 ? [] : [eb("one_click_uuid", "in", oneClickUuids)]),
      ]),
    )
    .where(isAmong("brand_uuid", brands))
    .execute();
}
