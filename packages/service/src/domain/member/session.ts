import { hourMs, minuteMs } from "@countersign/contract/time";
import type { HomeTrx } from "../../store/database.ts";
import { type MemberActor, recordChange, requireActing } from "../audit/account-audit-rows.ts";
import { readPasskeyPolicy } from "../brand/customer-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { randomToken, tokenHash, tokenLength } from "../token.ts";
import { findMember, lockMember, type Member } from "./member-rows.ts";
import {
  endSession,
  endSessionsOf,
  findSessionRow,
  insertSession,
  noteSessionUse,
  type SessionLine,
  type SignInMethod,
  sessionsOf,
} from "./member-session-rows.ts";
import { hasPasskey } from "./passkey-rows.ts";
import { deleteLinksOf, endCodesOf } from "./sign-in-rows.ts";

/** A session ends after this long without a request, and in any case after `sessionLifeMs`. */
export const idleMs = hourMs;
export const sessionLifeMs = 12 * hourMs;
/** How long a sign-in counts as a fresh proof, which a change of passkeys needs. */
export const freshMs = 10 * minuteMs;
/** Minimum time between two updates of the last use, so that few requests write the row. */
const exactMs = minuteMs;
const deviceMax = 80;

/** `needsPasskey`: the account requires a passkey, and this session did not begin with one. It may only add one. */
export type MemberSession = {
  sessionUuid: string;
  member: Member;
  needsPasskey: boolean;
  /** Whether the member may add a passkey in this session. */
  mayAddPasskey: boolean;
  /** Whether the member signed in a moment ago, so that the session is probably not stolen. */
  isFresh: boolean;
};

/** Always opens a new session, so a token that someone planted in the browser is never signed in. */
export async function openSession(
  deps: AccountDeps,
  trx: HomeTrx,
  { memberUuid, method, device }: { memberUuid: string; method: SignInMethod; device: string },
): Promise<string> {
  const token = randomToken(deps.random);
  const now = deps.clock.now();
  await insertSession(trx, {
    uuid: deps.random.uuid(),
    memberUuid,
    tokenHash: tokenHash(token),
    method,
    device: device.slice(0, deviceMax),
    now,
    expiresAt: now + sessionLifeMs,
  });
  return token;
}

/** The session of a token, with its member; null if it has ended. */
export async function findMemberSession(deps: AccountDeps, token: string): Promise<MemberSession | null> {
  if (token.length !== tokenLength) return null;
  const working = workingAt(deps.clock.now());
  const row = await findSessionRow(deps.home, tokenHash(token), working);
  const member = row === null ? null : await findMember(deps, deps.home, row.memberUuid);
  if (row === null || member === null) return null;
  if (working.now - row.lastUsedAt >= exactMs) await noteSessionUse(deps.home, row.uuid, working.now);
  const needsPasskey = row.method !== "passkey" && (await readPasskeyPolicy(deps.home, member.customerUuid));
  // Otherwise, a session from before the policy could add a passkey. A sign-in link lets members who lost theirs add
  // one.
  const mayAddPasskey = !needsPasskey || row.method === "link" || !(await hasPasskey(deps.home, member.uuid));
  const isFresh = working.now - row.createdAt <= freshMs;
  return { sessionUuid: row.uuid, member, needsPasskey, mayAddPasskey, isFresh };
}

export async function listSessions({ home, clock }: AccountDeps, memberUuid: string): Promise<SessionLine[]> {
  return await sessionsOf(home, memberUuid, workingAt(clock.now()));
}

const workingAt = (now: number) => ({ now, idleSince: now - idleMs });

/** Signs a member out of one of their own sessions. */
export async function signOut(deps: AccountDeps, by: MemberActor, sessionUuid: string): Promise<void> {
  await deps.home.inTransaction(async (trx) => {
    await lockMember(trx, by.member.uuid);
    // Record it first, because the caller's own session may be the one that ends.
    await recordChange(deps, trx, by, { action: "session.ended" });
    if (!(await endSession(trx, { memberUuid: by.member.uuid, sessionUuid }))) throw refuse(404, "No such session.");
  });
}

/** Signs a member out of all their other sessions, and ends unused codes and links. Returns how many sessions ended. */
export async function signOutOthers(
  deps: AccountDeps,
  by: MemberActor & Pick<MemberSession, "sessionUuid">,
): Promise<number> {
  return await deps.home.inTransaction(async (trx) => {
    await lockMember(trx, by.member.uuid);
    // Links and codes end also if no session does, and then nothing is recorded.
    await requireActing(trx, by);
    const [ended] = await Promise.all([
      endSessionsOf(trx, by.member.uuid, by.sessionUuid),
      deleteLinksOf(trx, by.member.uuid),
      endCodesOf(trx, by.member.uuid, deps.clock.now()),
    ]);
    if (ended > 0) await recordChange(deps, trx, by, { action: "session.ended" });
    return ended;
  });
}
