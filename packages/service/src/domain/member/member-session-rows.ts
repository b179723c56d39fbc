/** Sessions of members in the dashboard. */
import { sql } from "kysely";
import type { Home, HomeReader, HomeTrx } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";

export type SignInMethod = "code" | "link" | "passkey" | "openid";
export type SessionLine = {
  uuid: string;
  method: SignInMethod;
  device: string;
  createdAt: number;
  lastUsedAt: number;
};
/** A session works until it expires, and only while it was last used after `idleSince`. */
type Working = { now: number; idleSince: number };

/** Stores a session, and deletes the member's expired ones. */
export async function insertSession(
  trx: HomeTrx,
  row: {
    uuid: string;
    memberUuid: string;
    tokenHash: Buffer;
    method: SignInMethod;
    device: string;
    now: number;
    expiresAt: number;
  },
): Promise<void> {
  await Promise.all([
    trx
      .deleteFrom("member_session")
      .where("member_uuid", "=", row.memberUuid)
      .where("expires_at", "<=", row.now)
      .execute(),
    trx
      .insertInto("member_session")
      .values({
        uuid: row.uuid,
        member_uuid: row.memberUuid,
        token_hash: row.tokenHash,
        method: row.method,
        device: row.device,
        created_at: row.now,
        last_used_at: row.now,
        expires_at: row.expiresAt,
      })
      .execute(),
  ]);
}

export async function findSessionRow(
  reader: HomeReader,
  tokenHash: Buffer,
  { now, idleSince }: Working,
): Promise<{
  uuid: string;
  memberUuid: string;
  method: SignInMethod;
  createdAt: number;
  lastUsedAt: number;
} | null> {
  const row = await reader
    .selectFrom("member_session")
    .select(["uuid", "member_uuid as memberUuid", "method"])
    .select(["created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", idleSince)
    .executeTakeFirst();
  return row ?? null;
}

/** Marks a session as signed in by passkey, because the member has just created one in it. */
export async function setSessionPasskey(trx: HomeTrx, uuid: string): Promise<void> {
  await trx.updateTable("member_session").set({ method: "passkey" }).where("uuid", "=", uuid).execute();
}

export async function noteSessionUse(reader: HomeReader, uuid: string, now: number): Promise<void> {
  await reader.updateTable("member_session").set({ last_used_at: now }).where("uuid", "=", uuid).execute();
}

/** A member's sessions that still work, last used first. */
export async function sessionsOf(
  reader: HomeReader,
  memberUuid: string,
  { now, idleSince }: Working,
): Promise<SessionLine[]> {
  return await reader
    .selectFrom("member_session")
    .select(["uuid", "method", "device", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("member_uuid", "=", memberUuid)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", idleSince)
    .orderBy("last_used_at", "desc")
    .orderBy("uuid")
    .execute();
}

/** Ends one of the member's sessions. Returns false if the session is not theirs. */
export async function endSession(
  reader: HomeReader,
  { memberUuid, sessionUuid }: { memberUuid: string; sessionUuid: string },
): Promise<boolean> {
  const { numDeletedRows } = await reader
    .deleteFrom("member_session")
    .where("uuid", "=", sessionUuid)
    .where("member_uuid", "=", memberUuid)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends all sessions of a member, except one. Returns how many there were. */
export async function endSessionsOf(trx: HomeTrx, memberUuid: string, except?: string): Promise<number> {
  let ending = trx.deleteFrom("member_session").where("member_uuid", "=", memberUuid);
  if (except !== undefined) ending = ending.where("uuid", "!=", except);
  const { numDeletedRows } = await ending.executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the sessions that no longer work. */
export async function sweepSessions(home: Home, { now, idleSince }: Working): Promise<number> {
  return await deleteInBatches(home, "member_session", sql`expires_at <= ${now} or last_used_at <= ${idleSince}`);
}

/** Ends the sessions of all members. Returns how many there were. */
export async function endEverySession(trx: HomeTrx): Promise<number> {
  return Number((await trx.deleteFrom("member_session").executeTakeFirst()).numDeletedRows);
}
