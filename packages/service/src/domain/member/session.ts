import type { Database, Trx } from "../../store/database.ts";
import { invalid } from "../failure.ts";
import { randomWord, wordHash } from "../token.ts";
import { type Actor, recordChange } from "./audit.ts";
import type { AccountDeps } from "./deps.ts";
import { findByEmail, findMember, type Member } from "./member.ts";

/** A session ends after this long without a request, and in any case after `sessionLifeMs`. */
export const idleMs = 60 * 60_000;
export const sessionLifeMs = 12 * 60 * 60_000;
/** How precisely the last use is stored, so that not every request writes the row. */
const exactMs = 60_000;
/** 43 base62 characters have 256 bits of entropy. */
const tokenLength = 43;
const deviceMax = 80;

export type SignInMethod = "code" | "link" | "passkey";
export type Session = { uuid: string; member: Member };

/** Always opens a new session, so that a session token planted in the browser is never signed in. */
export async function openSession(
  deps: AccountDeps,
  trx: Trx,
  about: { memberUuid: string; method: SignInMethod; device: string },
): Promise<string> {
  const token = randomWord(deps.random, tokenLength);
  const now = deps.clock.now();
  await trx
    .deleteFrom("member_session")
    .where("member_uuid", "=", about.memberUuid)
    .where("expires_at", "<=", now)
    .execute();
  await trx
    .insertInto("member_session")
    .values({
      uuid: deps.random.uuid(),
      member_uuid: about.memberUuid,
      token_hash: wordHash(token),
      method: about.method,
      device: about.device.slice(0, deviceMax),
      created_at: now,
      last_used_at: now,
      expires_at: now + sessionLifeMs,
    })
    .execute();
  return token;
}

/** The session of a token, with its member; null if it has ended. */
export async function findSession(deps: AccountDeps, token: string): Promise<Session | null> {
  if (token.length !== tokenLength) return null;
  const now = deps.clock.now();
  const row = await deps.db
    .selectFrom("member_session")
    .select(["uuid", "member_uuid", "last_used_at"])
    .where("token_hash", "=", wordHash(token))
    .where("expires_at", ">", now)
    .where("last_used_at", ">", now - idleMs)
    .executeTakeFirst();
  const member = row === undefined ? null : await findMember(deps, deps.db, row.member_uuid);
  if (row === undefined || member === null) return null;
  if (now - row.last_used_at >= exactMs)
    await deps.db.updateTable("member_session").set({ last_used_at: now }).where("uuid", "=", row.uuid).execute();
  return { uuid: row.uuid, member };
}

export type SessionLine = {
  uuid: string;
  method: SignInMethod;
  device: string;
  createdAt: number;
  lastUsedAt: number;
};

export async function listSessions(deps: AccountDeps, memberUuid: string): Promise<SessionLine[]> {
  const now = deps.clock.now();
  const rows = await deps.db
    .selectFrom("member_session")
    .select(["uuid", "method", "device", "created_at", "last_used_at"])
    .where("member_uuid", "=", memberUuid)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", now - idleMs)
    .orderBy("last_used_at", "desc")
    .orderBy("uuid")
    .execute();
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    createdAt: created_at,
    lastUsedAt: last_used_at,
  }));
}

/** Signs a member out of one of their own sessions; false if the session is not their own. */
export async function signOut(deps: AccountDeps, by: Actor, sessionUuid: string): Promise<boolean> {
  return await deps.db.inTransaction(async (trx) => {
    const ended = await endSession(trx, { memberUuid: by.member.uuid, sessionUuid });
    if (ended) await recordChange(deps, trx, by, { action: "session.ended" });
    return ended;
  });
}

/** Signs a member out everywhere, for the operator. Returns how many sessions ended. */
export async function signOutEverywhere(deps: AccountDeps, email: string): Promise<number> {
  const member = await findByEmail(deps, deps.db, { email, joined: true });
  if (member === null) throw invalid([{ path: "--email", message: "is no member's" }]);
  const { customerUuid } = member;
  return await deps.db.inTransaction(async (trx) => {
    const ended = await trx.deleteFrom("member_session").where("member_uuid", "=", member.uuid).executeTakeFirst();
    const operator = { member: { uuid: null, customerUuid }, requestId: null };
    await recordChange(deps, trx, operator, { action: "session.ended", aboutMember: member.uuid });
    return Number(ended.numDeletedRows);
  });
}

/** Ends one of a member's own sessions; false if the session is not their own. */
export async function endSession(
  db: Database | Trx,
  about: { memberUuid: string; sessionUuid: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom("member_session")
    .where("uuid", "=", about.sessionUuid)
    .where("member_uuid", "=", about.memberUuid)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
