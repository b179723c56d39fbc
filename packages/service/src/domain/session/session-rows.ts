/**
 * The rows of `session`: sessions of the SDK, from the key that a brand makes to the 1-Click that it opens. The hash of
 * the session key selects the database of a row, which may be another one than the person's.
 */
import { sql } from "kysely";
import { findKeyed } from "../../store/cells/keyed.ts";
import { deleteDataKeys } from "../../store/data-key-rows.ts";
import type { Keyed, KeyedTrx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { isAmong } from "../../store/statements/rows.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import type { PersonInputs, Phone } from "../ports.ts";
import { tokenHash } from "../token.ts";

/** The encrypted part of a session: what the brand said about the person. */
export type SessionSecrets = { phone?: Phone; inputs: PersonInputs };

/** Identifies a row. `keyed` is its database. */
export type SessionRef = { uuid: string; keyed: Keyed };
export type SessionRow = SessionRef & {
  brandUuid: string;
  /** Whose phone the session contains, or else whose phone was typed last. Null if there is none. */
  personUuid: string | null;
  verificationUuid: string | null;
  deviceVerificationUuid: string | null;
  /** The 1-Click that the session chose. It may not exist yet. */
  oneClickUuid: string | null;
  createdAt: number;
  secrets: SessionSecrets;
};

/** Length of a selector in hexadecimal digits. 24 bits are far more than there are databases. */
const selectorLength = 6;

/**
 * The key that selects the database of a session: the first digits of its key's hash. The token begins with them, too.
 */
export function sessionSelector(keyHash: Buffer): string {
  return keyHash.toString("hex").slice(0, selectorLength);
}

const place = (uuid: string) => ({ table: "session", row: uuid });

/** Inserts a session that is not open yet. Stores only the hash of its key. `personUuid`: whose phone it contains. */
export async function insertSdkSession(
  deps: Deps,
  trx: KeyedTrx,
  input: {
    uuid: string;
    brandUuid: string;
    personUuid: string | null;
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
      uuid: input.uuid,
      environment: deps.environment,
      brand_uuid: input.brandUuid,
      person_uuid: input.personUuid,
      verification_uuid: input.verificationUuid,
      data_key_uuid: input.dataKey.uuid,
      key_hash: tokenHash(input.sessionKey),
      sealed: deps.vault.seal(input.dataKey, place(input.uuid), input.secrets),
      created_at: deps.clock.now(),
      expires_at: input.expiresAt,
    })
    .execute();
}

/** Opens the session of a key, once, and returns its uuid. Null if the key is unknown, used or expired. */
export async function markOpened(
  deps: HomeDeps,
  trx: KeyedTrx,
  { sessionKey, token, expiresAt }: { sessionKey: string; token: string; expiresAt: number },
): Promise<string | null> {
  const now = deps.clock.now();
  const row = await trx
    .updateTable("session")
    .set({ opened_at: now, token_hash: tokenHash(token), expires_at: expiresAt })
    .where("key_hash", "=", tokenHash(sessionKey))
    .where("environment", "=", deps.environment)
    .where("opened_at", "is", null)
    .where("expires_at", ">", now)
    .returning("uuid")
    .executeTakeFirst();
  return row?.uuid ?? null;
}

/** The session of a token. Null if there is none, it has expired, or its data was erased. */
export async function findSdkSession(deps: HomeDeps, token: string): Promise<SessionRow | null> {
  return await findKeyed(deps, token.slice(0, selectorLength), (keyed) => findByTokenIn(deps, keyed, token));
}

async function findByTokenIn(deps: HomeDeps, keyed: Keyed, token: string): Promise<SessionRow | null> {
  const row = await keyed
    .selectFrom("session")
    .innerJoin("data_key", "data_key.uuid", "session.data_key_uuid")
    .selectAll("session")
    .select("data_key.wrapped")
    .where("token_hash", "=", tokenHash(token))
    .where("session.environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  if (row === undefined || row.sealed === null || row.wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    keyed,
    brandUuid: row.brand_uuid,
    personUuid: row.person_uuid,
    verificationUuid: row.verification_uuid,
    deviceVerificationUuid: row.device_verification_uuid,
    oneClickUuid: row.one_click_uuid,
    createdAt: row.created_at,
    secrets: deps.vault.open<SessionSecrets>(dataKey, place(row.uuid), row.sealed),
  };
}

/** The brand of the session with this key. Null if there is none or it has expired. */
export async function findBrandByKeyHash(deps: HomeDeps, keyHash: Buffer): Promise<string | null> {
  return await findKeyed(deps, sessionSelector(keyHash), async (keyed) => {
    const row = await keyed
      .selectFrom("session")
      .select("brand_uuid")
      .where("key_hash", "=", keyHash)
      .where("environment", "=", deps.environment)
      .where("expires_at", ">", deps.clock.now())
      .executeTakeFirst();
    return row?.brand_uuid ?? null;
  });
}

/** Counts a phone that the session tries. False if `max` phones are used up. */
export async function countPhone({ uuid, keyed }: SessionRef, max: number): Promise<boolean> {
  const counted = await keyed
    .updateTable("session")
    .set({ phones_used: sql<number>`phones_used + 1` })
    .where("uuid", "=", uuid)
    .where("phones_used", "<", max)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

/** Sets whose phone the person typed last in a session that contains none. */
export async function setPerson({ uuid, keyed }: SessionRef, personUuid: string): Promise<void> {
  await keyed.updateTable("session").set({ person_uuid: personUuid }).where("uuid", "=", uuid).execute();
}

export async function setDeviceVerification({ uuid, keyed }: SessionRef, verificationUuid: string): Promise<void> {
  await keyed
    .updateTable("session")
    .set({ device_verification_uuid: verificationUuid })
    .where("uuid", "=", uuid)
    .execute();
}

/**
 * Chooses the 1-Click that the session opens, before it exists. `former`: the earlier choice, which is replaced. If
 * another call chose first, returns its choice. Null if the session no longer exists.
 */
export async function chooseOneClick(
  { uuid, keyed }: SessionRef,
  { former, oneClickUuid }: { former: string | null; oneClickUuid: string },
): Promise<string | null> {
  const isUnchanged = sql`one_click_uuid is not distinct from ${former}::uuid`;
  const row = await keyed
    .updateTable("session")
    .set({ one_click_uuid: sql`case when ${isUnchanged} then ${oneClickUuid}::uuid else one_click_uuid end` })
    .where("uuid", "=", uuid)
    .returning("one_click_uuid")
    .executeTakeFirst();
  return row?.one_click_uuid ?? null;
}

/** Deletes expired sessions with their keys. Returns how many sessions there were. */
export async function deleteExpiredSessions(trx: KeyedTrx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "session", "expires_at", expired);
  if (uuids.length === 0) return 0;
  await deleteKeysOf(
    trx,
    await trx.deleteFrom("session").where("uuid", "in", uuids).returning("data_key_uuid").execute(),
  );
  return uuids.length;
}

/** Deletes a session with its key. */
export async function deleteSession(trx: KeyedTrx, uuid: string): Promise<void> {
  await deleteKeysOf(
    trx,
    await trx.deleteFrom("session").where("uuid", "=", uuid).returning("data_key_uuid").execute(),
  );
}

/** Which sessions to delete. */
export type SessionsOf = {
  personUuid: string;
  oneClickUuids: readonly string[];
  brands: readonly string[] | null;
  /** Only sessions that were made before. */
  before?: number | undefined;
};

/** Deletes the sessions that contain a person's phone, where it was typed last, or that opened one of these 1-Clicks. */
export async function deleteSessionsOf(trx: KeyedTrx, of: SessionsOf): Promise<void> {
  const deleted = await trx
    .deleteFrom("session")
    .where(({ or, eb }) => or([eb("person_uuid", "=", of.personUuid), isAmong("one_click_uuid", of.oneClickUuids)]))
    .where(isAmong("brand_uuid", of.brands))
    .$if(of.before !== undefined, (query) => query.where("created_at", "<", of.before ?? 0))
    .returning("data_key_uuid")
    .execute();
  await deleteKeysOf(trx, deleted);
}

/** Deletes all sessions and unused session keys. Returns how many there were. */
export async function deleteEverySession(trx: KeyedTrx): Promise<number> {
  const deleted = await trx.deleteFrom("session").returning("data_key_uuid").execute();
  await deleteKeysOf(trx, deleted);
  return deleted.length;
}

async function deleteKeysOf(trx: KeyedTrx, deleted: readonly { data_key_uuid: string }[]): Promise<void> {
  await deleteDataKeys(
    trx,
    deleted.map((row) => row.data_key_uuid),
  );
}
