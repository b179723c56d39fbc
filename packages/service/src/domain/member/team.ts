import type { MemberRole } from "@countersign/contract/member";
import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { nameProblem } from "../brand/name.ts";
import { type NameOwner, putRequest, type WaitingName, waitingNames } from "../brand/name-requests.ts";
import { refuse } from "../failure.ts";
import { type Actor, recordChange } from "./audit.ts";
import { type AccountDeps, accountScope } from "./deps.ts";
import { post, type Written, write } from "./mail.ts";
import { findColleague, insertMember, type Member, renameMember } from "./member.ts";
import { makeLink } from "./sign-in.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** Lifetime of an invitation, in milliseconds. */
export const invitationLifeMs = 7 * dayMs;
/**
 * Maximum invitation emails per account and hour. A person who is removed and invited again is a new member each time,
 * so the limit per member is not enough.
 */
const invitationsPerHourMax = 30;
/** Maximum invitation emails per member and day. */
const invitationsPerMemberMax = 5;

export type Customer = { uuid: string; name: string; waitingName?: WaitingName };

/** An account, with a name that waits for the operator's approval. */
export async function readCustomer({ db }: AccountDeps, uuid: string): Promise<Customer> {
  const customer = await db
    .selectFrom("customer")
    .select(["uuid", "name"])
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  const [waitingName] = await waitingNames(db, ownerOf(uuid), customer);
  return { ...customer, ...(waitingName === undefined ? {} : { waitingName }) };
}

/** The owner of an account's own name in name requests. */
export function ownerOf(customerUuid: string): NameOwner {
  return { customerUuid, brandUuid: null, environment: accountScope };
}

/** Invites a person by email. The reply does not reveal whether the address has another account. */
export async function invite(
  deps: AccountDeps,
  by: Actor,
  what: { email: string; name: string; role: MemberRole },
): Promise<string> {
  const { customerUuid } = by.member;
  const { uuid, written } = await deps.db.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    await assertFewInvitations(deps, trx, { customerUuid, memberUuid: null });
    const made = await insertMember(deps, trx, { ...what, customerUuid, joined: false });
    if (made === null) throw refuse(409, "This address is a member or invited already.");
    const member = await findColleague(deps, trx, { customerUuid, memberUuid: made });
    await recordChange(deps, trx, by, { action: "member.invited", aboutMember: made, subject: what.role });
    return { uuid: made, written: await writeInvitation(deps, trx, member) };
  });
  await postInvitation(deps, written);
  return uuid;
}

/** Sends an invitation again. Earlier links stop working. */
export async function inviteAgain(deps: AccountDeps, by: Actor, memberUuid: string): Promise<void> {
  const { customerUuid } = by.member;
  const written = await deps.db.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    const member = await findColleague(deps, trx, { customerUuid, memberUuid });
    if (member.joinedAt !== null) throw refuse(409, "This member has accepted the invitation.");
    await assertFewInvitations(deps, trx, { customerUuid, memberUuid: member.uuid });
    await trx.deleteFrom("sign_in").where("member_uuid", "=", member.uuid).execute();
    await recordChange(deps, trx, by, { action: "member.invited", aboutMember: member.uuid, subject: member.role });
    return await writeInvitation(deps, trx, member);
  });
  await postInvitation(deps, written);
}

/** Counts invitations in the audit log, whose rows outlive removed members. The caller has locked the account. */
async function assertFewInvitations(
  deps: AccountDeps,
  trx: Trx,
  about: { customerUuid: string; memberUuid: string | null },
): Promise<void> {
  const now = deps.clock.now();
  const sent = await trx
    .selectFrom("account_audit")
    .select((eb) => [
      eb.fn
        .countAll<number>()
        .filterWhere("at", ">", now - hourMs)
        .as("ofAccount"),
      eb.fn.countAll<number>().filterWhere("about_member_uuid", "=", about.memberUuid).as("ofMember"),
    ])
    .where("customer_uuid", "=", about.customerUuid)
    .where("action", "=", "member.invited")
    .where("at", ">", now - dayMs)
    .executeTakeFirstOrThrow();
  if (sent.ofMember >= invitationsPerMemberMax)
    throw refuse(429, "This member was sent too many invitations. Try again tomorrow.", {
      "retry-after": String(dayMs / 1000),
    });
  if (sent.ofAccount >= invitationsPerHourMax)
    throw refuse(429, "This account sent too many invitations. Try again in an hour.", {
      "retry-after": String(hourMs / 1000),
    });
}

/** Sends the email after the invitation is committed, so a mail server outage does not undo it. */
async function postInvitation(deps: AccountDeps, written: Written): Promise<void> {
  try {
    await post(deps, written);
  } catch {
    // The mail sender logs the failure.
    throw refuse(
      503,
      "The invitation stands, but its e-mail could not be sent. Send it again from the list of members.",
    );
  }
}

async function writeInvitation(deps: AccountDeps, trx: Trx, member: Member) {
  const link = await makeLink(deps, trx, { memberUuid: member.uuid, lifeMs: invitationLifeMs });
  const customer = await trx
    .selectFrom("customer")
    .select("name")
    .where("uuid", "=", member.customerUuid)
    .executeTakeFirstOrThrow();
  // Names stored before the name rules existed are not used in emails.
  const name = nameProblem(customer.name) === null ? customer.name : "A Countersign customer";
  return await write(deps, trx, member, {
    subject: `${name} invites you to Countersign`,
    body: `${name} invites you to its Countersign account, as ${member.role}.\n\nAccept within 7 days: ${link}\n\nIf you don't know who this is, ignore this e-mail.`,
  });
}

export async function changeRole(
  deps: AccountDeps,
  by: Actor,
  what: { memberUuid: string; role: MemberRole },
): Promise<void> {
  const { customerUuid } = by.member;
  await deps.db.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    const member = await findColleague(deps, trx, { customerUuid, memberUuid: what.memberUuid });
    if (member.role === what.role) return;
    if (member.role === "owner") await keepAnOwner(trx, member);
    await trx.updateTable("member").set({ role: what.role }).where("uuid", "=", member.uuid).execute();
    await recordChange(deps, trx, by, {
      action: "member.changed",
      aboutMember: member.uuid,
      changes: [{ path: "role", from: member.role, to: what.role }],
    });
  });
}

/** Removes a member. They are signed out at once, and their personal data becomes unreadable. */
export async function removeMember(deps: AccountDeps, by: Actor, memberUuid: string): Promise<void> {
  const { customerUuid } = by.member;
  await deps.db.inTransaction(async (trx) => {
    await lockCustomer(trx, customerUuid);
    const member = await findColleague(deps, trx, { customerUuid, memberUuid });
    if (member.role === "owner") await keepAnOwner(trx, member);
    for (const table of ["member_session", "passkey", "passkey_challenge", "sign_in", "mail"] as const)
      await trx.deleteFrom(table).where("member_uuid", "=", member.uuid).execute();
    const now = deps.clock.now();
    const { data_key_uuid } = await trx
      .updateTable("member")
      .set({ removed_at: now, email_index: null })
      .where("uuid", "=", member.uuid)
      .returning("data_key_uuid")
      .executeTakeFirstOrThrow();
    await destroyDataKeys(trx, [data_key_uuid], now);
    await recordChange(deps, trx, by, { action: "member.removed", aboutMember: member.uuid, subject: member.role });
  });
}

/** Renames the member. The audit log is kept forever, so it records the change without the names. */
export async function renameSelf(deps: AccountDeps, by: Actor & { member: Member }, name: string): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    await renameMember(deps, trx, by.member, name);
    await recordChange(deps, trx, by, { action: "member.renamed" });
  });
}

/** Renames an account. If emails are really sent, the new name waits for the operator, because invitations show it. */
export async function renameCustomer(deps: AccountDeps, by: Actor, name: string): Promise<void> {
  const { customerUuid } = by.member;
  await deps.db.inTransaction(async (trx) => {
    const before = await lockCustomer(trx, customerUuid);
    const waits = !deps.mail.keepsMails && name !== before;
    const request = waits ? { uuid: deps.random.uuid(), value: name, now: deps.clock.now() } : null;
    const wasWaiting = await putRequest(trx, ownerOf(customerUuid), { path: "name", request });
    if (!waits) await trx.updateTable("customer").set({ name }).where("uuid", "=", customerUuid).execute();
    const isWithdrawn = wasWaiting && name === before;
    await recordChange(deps, trx, by, {
      action: waits ? "name.requested" : isWithdrawn ? "name.withdrawn" : "customer.changed",
      changes: isWithdrawn ? [] : [{ path: "name", from: before, to: name }],
    });
  });
}

/**
 * Locks an account, so that two owners cannot remove each other. The lock does not block inserts that reference the
 * account, such as audit rows. If it did, a member who uses a link while it is replaced would cause a deadlock: that
 * transaction has locked the link and then inserts an audit row.
 */
export async function lockCustomer(trx: Trx, uuid: string): Promise<string> {
  const { name } = await trx
    .selectFrom("customer")
    .select("name")
    .where("uuid", "=", uuid)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return name;
}

async function keepAnOwner(trx: Trx, leaving: Member): Promise<void> {
  const other = await trx
    .selectFrom("member")
    .select("uuid")
    .where("customer_uuid", "=", leaving.customerUuid)
    .where("role", "=", "owner")
    .where("joined_at", "is not", null)
    .where("removed_at", "is", null)
    .where("uuid", "!=", leaving.uuid)
    .executeTakeFirst();
  if (other === undefined && leaving.joinedAt !== null)
    throw refuse(409, "An account needs an owner: make somebody else one first.");
}
