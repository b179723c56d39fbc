/** Passkeys of members, and the challenges that their devices answer. */
import { sql } from "kysely";
import type { Home, HomeReader, HomeTrx } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";

export type PasskeyLine = {
  uuid: string;
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
  credentialId: string;
  transports: string[];
};
export type Passkey = PasskeyLine & { memberUuid: string; publicKey: Buffer; counter: number };

/** Stores a passkey; false if another member has it. */
export async function insertPasskey(trx: HomeTrx, passkey: Passkey): Promise<boolean> {
  const row = await trx
    .insertInto("passkey")
    .values({
      uuid: passkey.uuid,
      member_uuid: passkey.memberUuid,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      name: passkey.name,
      is_synced: passkey.isSynced,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uuid")
    .executeTakeFirst();
  return row !== undefined;
}

const lineColumns = [
  "uuid",
  "name",
  "is_synced as isSynced",
  "created_at as createdAt",
  "last_used_at as lastUsedAt",
  "credential_id as credentialId",
  "transports",
] as const;

export async function findPasskey(reader: HomeReader, credentialId: string): Promise<Passkey | null> {
  const row = await reader
    .selectFrom("passkey")
    .select([...lineColumns, "member_uuid as memberUuid", "public_key as publicKey", "counter"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/** A member's passkeys, oldest first. */
export async function listPasskeys(reader: HomeReader, memberUuid: string): Promise<PasskeyLine[]> {
  return await reader
    .selectFrom("passkey")
    .select(lineColumns)
    .where("member_uuid", "=", memberUuid)
    .orderBy("created_at")
    .orderBy("uuid")
    .execute();
}

export async function hasPasskey(reader: HomeReader, memberUuid: string): Promise<boolean> {
  const row = await reader
    .selectFrom("passkey")
    .select("uuid")
    .where("member_uuid", "=", memberUuid)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of the members have a passkey. */
export async function havePasskeys(reader: HomeReader, members: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom("passkey")
    .select("member_uuid")
    .distinct()
    .where("member_uuid", "in", members)
    .execute();
  return new Set(rows.map((row) => row.member_uuid));
}

/** False if the passkey was deleted. */
export async function notePasskeyUse(
  trx: HomeTrx,
  uuid: string,
  { counter, now }: { counter: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("passkey")
    .set({ counter, last_used_at: now })
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes one of a member's own passkeys. Returns whether there was one. */
export async function deletePasskeyRow(
  trx: HomeTrx,
  { uuid, memberUuid }: { uuid: string; memberUuid: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("passkey")
    .where("uuid", "=", uuid)
    .where("member_uuid", "=", memberUuid)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes a member's passkeys and open challenges. Returns how many passkeys there were. */
export async function deletePasskeysOf(trx: HomeTrx, memberUuid: string): Promise<number> {
  const [{ numDeletedRows }] = await Promise.all([
    trx.deleteFrom("passkey").where("member_uuid", "=", memberUuid).executeTakeFirstOrThrow(),
    trx.deleteFrom("passkey_challenge").where("member_uuid", "=", memberUuid).execute(),
  ]);
  return Number(numDeletedRows);
}

export type Challenge = { uuid: string; memberUuid: string | null; challenge: string; expiresAt: number };

/** Stores a challenge, and deletes expired ones. */
export async function insertChallenge(db: Home, row: Challenge & { now: number }): Promise<void> {
  await db.deleteFrom("passkey_challenge").where("expires_at", "<", row.now).execute();
  await db
    .insertInto("passkey_challenge")
    .values({ uuid: row.uuid, member_uuid: row.memberUuid, challenge: row.challenge, expires_at: row.expiresAt })
    .execute();
}

/** Takes a challenge, so each is answered only once. Null if it expired or belongs to another member. */
export async function takeChallenge(
  db: Home,
  { uuid, memberUuid, now }: { uuid: string; memberUuid: string | null; now: number },
): Promise<string | null> {
  const row = await db
    .deleteFrom("passkey_challenge")
    .where("uuid", "=", uuid)
    .where("expires_at", ">", now)
    .where("member_uuid", "is not distinct from", memberUuid)
    .returning("challenge")
    .executeTakeFirst();
  return row?.challenge ?? null;
}

export async function sweepChallenges(db: Home, now: number): Promise<number> {
  return await deleteInBatches(db, "passkey_challenge", sql`expires_at <= ${now}`);
}
