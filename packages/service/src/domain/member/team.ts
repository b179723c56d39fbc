import type { MemberRole } from "@countersign/contract/member";
import { dayMs, hourMs } from "@countersign/contract/time";
import type { HomeTrx } from "../../store/database.ts";
import { countInvitations, type MemberActor, recordChange } from "../audit/account-audit-rows.ts";
import {
  lockCustomer,
  readCustomerName,
  readPasskeyPolicy,
  setCustomerName,
  setPasskeyPolicy,
} from "../brand/customer-rows.ts";
import type { NameOwner } from "../brand/name-request-rows.ts";
import { replaceRequest, type WaitingName, waitingNames } from "../brand/name-requests.ts";
import { type AccountDeps, accountScope } from "../deps.ts";
import { refuse } from "../failure.ts";
import { cancelInvitations, endAccess, eraseMember } from "./end-access.ts";
import { post, type Written, write } from "./mail.ts";
import { createMember, findColleague } from "./member.ts";
import { listMembers, listOwners, type Member, renameMember, setRole } from "./member-rows.ts";
import { hasPasskey, havePasskeys } from "./passkey-rows.ts";
import { makeSignInLink } from "./sign-in.ts";
import { deleteSignInsOf } from "./sign-in-rows.ts";

/** Lifetime of an invitation, in milliseconds. */
const invitationLifeMs = 7 * dayMs;
/**
 * Maximum invitation emails per account and hour. The limit per member is not enough, because a person who is removed
 * and invited again is a new member.
 */
const invitationsPerHourMax = 30;
/** Maximum invitation emails per member and day. */
const invitationsPerMemberMax = 5;

export type Customer = { uuid: string; name: string; requiresPasskey: boolean; waitingName?: WaitingName };

/** An account, with a name that waits for the operator's approval. */
export async function readCustomer({ home }: AccountDeps, uuid: string): Promise<Customer> {
  const name = await readCustomerName(home, uuid);
  const [waitingName] = await waitingNames(home, ownerOf(uuid), { name });
  const requiresPasskey = await readPasskeyPolicy(home, uuid);
  return { uuid, name, requiresPasskey, ...(waitingName === undefined ? {} : { waitingName }) };
}

/** The members of an account. Owners also read who has a passkey. */
export async function listTeam(
  deps: AccountDeps,
  { customerUuid, role }: Member,
): Promise<(Member & { hasPasskey?: boolean })[]> {
  const members = await listMembers(deps, deps.home, customerUuid);
  if (role !== "owner") return members;
  const withPasskey = await havePasskeys(
    deps.home,
    members.map(({ uuid }) => uuid),
  );
  return members.map((one) => ({ ...one, hasPasskey: withPasskey.has(one.uuid) }));
}

/** The owner of an account's own name in name requests. */
function ownerOf(customerUuid: string): NameOwner {
  return { customerUuid, brandUuid: null, environment: accountScope };
}

/** Invites a person by email. The reply does not reveal whether the address has another account. */
export async function inviteMember(
  deps: AccountDeps,
  by: MemberActor,
  input: { email: string; name: string; role: MemberRole },
): Promise<string> {
  const { customerUuid } = by.member;
  const { uuid, written } = await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    await assertFewInvitations(deps, trx, { customerUuid, memberUuid: null });
    const made = await createMember(deps, trx, { ...input, customerUuid, joined: false });
    if (made === null) throw refuse(409, "This address already belongs to a member or to someone who is invited.");
    const member = await findColleague(deps, trx, { customerUuid, memberUuid: made });
    await recordChange(deps, trx, by, { action: "member.invited", aboutMember: made, subject: input.role });
    return { uuid: made, written: await writeInvitation(deps, trx, member) };
  });
  await postInvitation(deps, written);
  return uuid;
}

/** Sends an invitation again. Earlier links stop working. */
export async function inviteAgain(deps: AccountDeps, by: MemberActor, memberUuid: string): Promise<void> {
  const { customerUuid } = by.member;
  const written = await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    const member = await findColleague(deps, trx, { customerUuid, memberUuid });
    if (member.joinedAt !== null) throw refuse(409, "This member has already accepted the invitation.");
    await assertFewInvitations(deps, trx, { customerUuid, memberUuid: member.uuid });
    await deleteSignInsOf(trx, member.uuid);
    await recordChange(deps, trx, by, { action: "member.invited", aboutMember: member.uuid, subject: member.role });
    return await writeInvitation(deps, trx, member);
  });
  await postInvitation(deps, written);
}

/** Counts invitations in the audit log, whose rows outlive removed members. The caller has locked the account. */
async function assertFewInvitations(
  deps: AccountDeps,
  trx: HomeTrx,
  invitation: { customerUuid: string; memberUuid: string | null },
): Promise<void> {
  const now = deps.clock.now();
  const sent = await countInvitations(trx, { ...invitation, since: now - hourMs, memberSince: now - dayMs });
  if (sent.ofMember >= invitationsPerMemberMax)
    throw refuse(429, "This member was sent too many invitations. Try again tomorrow.", {
      "retry-after": String(dayMs / 1000),
    });
  if (sent.ofAccount >= invitationsPerHourMax)
    throw refuse(429, "This account sent too many invitations. Try again in an hour.", {
      "retry-after": String(hourMs / 1000),
    });
}

/** Sends the email after the commit, so an outage of the mail server does not undo the invitation. */
async function postInvitation(deps: AccountDeps, written: Written): Promise<void> {
  try {
    await post(deps, written);
  } catch {
    // The mail sender logs the failure.
    throw refuse(
      503,
      "The invitation was created, but its email could not be sent. Send it again from the list of members.",
    );
  }
}

async function writeInvitation(deps: AccountDeps, trx: HomeTrx, member: Member) {
  const link = await makeSignInLink(deps, trx, { memberUuid: member.uuid, lifeMs: invitationLifeMs });
  const name = await readCustomerName(trx, member.customerUuid);
  return await write(deps, trx, member, {
    subject: `${name} invites you to Countersign`,
    body: `${name} invites you to its Countersign account, as ${member.role}.\n\nAccept within 7 days: ${link}\n\nIf you don't know who this is, ignore this email.`,
  });
}

export async function changeRole(
  deps: AccountDeps,
  by: MemberActor,
  input: { memberUuid: string; role: MemberRole },
): Promise<void> {
  const { customerUuid } = by.member;
  await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    const member = await findColleague(deps, trx, { customerUuid, memberUuid: input.memberUuid });
    if (member.role === input.role) return;
    if (member.role === "owner") {
      await keepAnOwner(trx, member);
      // Only owners invite.
      await cancelInvitations(deps, trx, by, member);
    }
    // Record the change first, because it requires the acting member's role, which may be the one that changes.
    await recordChange(deps, trx, by, {
      action: "member.changed",
      aboutMember: member.uuid,
      changes: [{ path: "role", from: member.role, to: input.role }],
    });
    await setRole(trx, member.uuid, input.role);
  });
}

/** Removes a member. They are signed out at once, their invitations end, and their personal data becomes unreadable. */
export async function removeMember(deps: AccountDeps, by: MemberActor, memberUuid: string): Promise<void> {
  const { customerUuid } = by.member;
  await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    const member = await findColleague(deps, trx, { customerUuid, memberUuid });
    if (member.role === "owner") await keepAnOwner(trx, member);
    // Record the removal first, because it requires that the acting member, who may leave, is not removed yet.
    await recordChange(deps, trx, by, { action: "member.removed", aboutMember: member.uuid, subject: member.role });
    await endAccess(deps, trx, by, member);
    await eraseMember(deps, trx, memberUuid);
  });
}

/** Renames the member. The audit log is kept forever, so it records the change without the names. */
export async function renameSelf(deps: AccountDeps, by: MemberActor & { member: Member }, name: string): Promise<void> {
  await deps.home.inTransaction(async (trx) => {
    await renameMember(deps, trx, by.member, name);
    await recordChange(deps, trx, by, { action: "member.renamed" });
  });
}

/** Changes whether all members need a passkey. An owner who requires it must have one. */
export async function requirePasskeys(deps: AccountDeps, by: MemberActor, requiresPasskey: boolean): Promise<void> {
  const { uuid, customerUuid } = by.member;
  await deps.home.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    if (requiresPasskey && !(await hasPasskey(trx, uuid)))
      throw refuse(409, "Add a passkey of your own first, under Account security.");
    const before = await readPasskeyPolicy(trx, customerUuid);
    if (before === requiresPasskey) return;
    await setPasskeyPolicy(trx, customerUuid, requiresPasskey);
    const changes = [{ path: "requiresPasskey", from: String(before), to: String(requiresPasskey) }];
    await recordChange(deps, trx, by, { action: "customer.changed", changes });
  });
}

/**
 * Renames an account. If emails are really sent, the operator must approve the name first, because invitations show it.
 */
export async function renameCustomer(deps: AccountDeps, by: MemberActor, name: string): Promise<void> {
  const { customerUuid } = by.member;
  await deps.home.inTransaction(async (trx) => {
    const before = await lockCustomer(trx, customerUuid);
    const needsApproval = !deps.mail.keepsMails && name !== before;
    const request = needsApproval ? { uuid: deps.random.uuid(), value: name, now: deps.clock.now() } : null;
    const wasWaiting = await replaceRequest(trx, ownerOf(customerUuid), { path: "name", request });
    if (!needsApproval) await setCustomerName(trx, customerUuid, name);
    const isWithdrawn = wasWaiting && name === before;
    await recordChange(deps, trx, by, {
      action: needsApproval ? "name.requested" : isWithdrawn ? "name.withdrawn" : "customer.changed",
      changes: isWithdrawn ? [] : [{ path: "name", from: before, to: name }],
    });
  });
}

async function keepAnOwner(trx: HomeTrx, leaving: Member): Promise<void> {
  const owners = await listOwners(trx, leaving.customerUuid);
  if (leaving.joinedAt !== null && owners.every(({ uuid }) => uuid === leaving.uuid))
    throw refuse(409, "An account needs an owner. Make another member an owner first.");
}
