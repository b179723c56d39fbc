/** Ends everything with which a member, or someone who used the member's session, can sign in. */
import type { HomeTrx } from "../../store/database.ts";
import { type AccountActor, findInvited, operatorOn, recordChange } from "../audit/account-audit-rows.ts";
import { lockCustomer } from "../brand/customer-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { post } from "./mail.ts";
import { deleteMailsTo } from "./mail-rows.ts";
import {
  countMembers,
  findByEmail,
  findMember,
  listMembers,
  lockInvited,
  lockMember,
  type Member,
  setRemoved,
} from "./member-rows.ts";
import { endSessionsOf } from "./member-session-rows.ts";
import { writeRemoved } from "./passkey.ts";
import { deletePasskeysOf } from "./passkey-rows.ts";
import { deleteLinksOf, deleteSignInsOf, endCodesOf } from "./sign-in-rows.ts";

export type EndedAccess = { sessions: number; passkeys: number; invitations: number };

/**
 * The caller has locked the account, so that no passkey is added and nobody is invited at the same time. A call that
 * waits for the lock with one of the member's sessions is refused afterwards, because it needs its session.
 */
export async function endAccess(
  deps: AccountDeps,
  trx: HomeTrx,
  by: AccountActor,
  member: Pick<Member, "uuid" | "customerUuid">,
): Promise<EndedAccess> {
  await lockMember(trx, member.uuid);
  const invitations = await cancelInvitations(deps, trx, by, member);
  const [sessions, passkeys] = await Promise.all([
    endSessionsOf(trx, member.uuid),
    deletePasskeysOf(trx, member.uuid),
    deleteLinksOf(trx, member.uuid),
    endCodesOf(trx, member.uuid, deps.clock.now()),
  ]);
  return { sessions, passkeys, invitations };
}

/** Cancels the invitations that a member sent and that nobody has accepted. Returns how many there were. */
export async function cancelInvitations(
  deps: AccountDeps,
  trx: HomeTrx,
  by: AccountActor,
  { uuid, customerUuid }: Pick<Member, "uuid" | "customerUuid">,
): Promise<number> {
  const invited = await lockInvited(trx, await findInvited(trx, { customerUuid, memberUuid: uuid }));
  for (const one of invited) {
    await recordChange(deps, trx, by, { action: "member.removed", aboutMember: one.uuid, subject: one.role });
    await eraseMember(deps, trx, one.uuid);
  }
  return invited.length;
}

/** Makes a member's personal data unreadable. The row stays for the audit log. */
export async function eraseMember(deps: AccountDeps, trx: HomeTrx, memberUuid: string): Promise<void> {
  await Promise.all([
    deleteSignInsOf(trx, memberUuid),
    deleteMailsTo(trx, memberUuid),
    setRemoved(trx, memberUuid, deps.clock.now()),
  ]);
}

/** Signs a member out everywhere, for the operator. The member needs a code by email or a link to sign in again. */
export async function signOutEverywhere(deps: AccountDeps, email: string): Promise<EndedAccess> {
  const member = await findByEmail(deps, deps.home, { email, joined: true });
  if (member === null) throw invalid([{ path: "--email", message: "is not a member's email address" }]);
  return await endAccessTo(deps, member);
}

/** The same for a member whose uuid the audit log names. */
export async function signOutAgain(deps: AccountDeps, memberUuid: string): Promise<EndedAccess> {
  const member = await findMember(deps, deps.home, memberUuid);
  if (member === null) throw refuse(404, "No such member.");
  return await endAccessTo(deps, member);
}

async function endAccessTo(deps: AccountDeps, member: Member): Promise<EndedAccess> {
  const by = operatorOn(deps, member.customerUuid);
  const { ended, written } = await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, member.customerUuid);
    await recordChange(deps, trx, by, { action: "session.ended", aboutMember: member.uuid });
    const ended = await endAccess(deps, trx, by, member);
    return { ended, written: ended.passkeys === 0 ? null : await writeRemoved(deps, trx, member) };
  });
  // The mail sender logs a failure.
  if (written !== null) await post(deps, written).catch(() => {});
  return ended;
}

/**
 * Ends the access of everyone in the accounts that a start with DEMO created, and removes whom others invited there.
 * Returns how much there was.
 */
export async function endSeededMembers(
  deps: AccountDeps,
  customers: readonly { uuid: string; email: string }[],
): Promise<number> {
  let count = 0;
  for (const { uuid, email } of customers) {
    // Most databases never had a demo.
    if ((await countMembers(deps.home, uuid)) === 0) continue;
    count += await deps.home.inTransaction(async (trx) => {
      await lockCustomer(trx, uuid);
      const by = operatorOn(deps, uuid);
      let ofAccount = 0;
      for (const member of await listMembers(deps, trx, uuid)) {
        const { sessions, passkeys, invitations } = await endAccess(deps, trx, by, member);
        const isSeeded = member.email === email;
        const ended = sessions + passkeys + invitations + (isSeeded ? 0 : 1);
        ofAccount += ended;
        const action = isSeeded ? "session.ended" : "member.removed";
        if (ended > 0) await recordChange(deps, trx, by, { action, aboutMember: member.uuid });
        if (!isSeeded) await eraseMember(deps, trx, member.uuid);
      }
      return ofAccount;
    });
  }
  return count;
}

/** Removes a member for the operator, also the only owner of an account. */
export async function removeByOperator(deps: AccountDeps, memberUuid: string): Promise<EndedAccess> {
  const member = await findMember(deps, deps.home, memberUuid);
  if (member === null) throw refuse(404, "No such member. `countersign members list` lists them.");
  const by = operatorOn(deps, member.customerUuid);
  return await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, member.customerUuid);
    await recordChange(deps, trx, by, { action: "member.removed", aboutMember: member.uuid, subject: member.role });
    const ended = await endAccess(deps, trx, by, member);
    await eraseMember(deps, trx, member.uuid);
    return ended;
  });
}
