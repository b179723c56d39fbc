/** The audit log of accounts: what members and the operator changed. It is kept when members are removed. */
import type { Environment } from "@countersign/contract/brand";
import type { Reader, Trx } from "../../store/database.ts";
import { insertRows } from "../../store/rows.ts";
import type { Change } from "../../store/tables.ts";
import type { AccountDeps } from "../deps.ts";
import type { Member } from "./member-rows.ts";

/** Actions recorded in the audit log of an account. */
type AccountAction =
  | "member.invited"
  | "member.joined"
  | "member.changed"
  | "member.renamed"
  | "session.ended"
  | "member.removed"
  | "member.signedIn"
  | "passkey.created"
  | "passkey.deleted"
  | "customer.changed"
  | "brand.created"
  | "brand.changed"
  | "environment.created"
  | "settings.changed"
  | "settings.synced"
  | "key.created"
  | "key.changed"
  | "key.rolled"
  | "key.revoked"
  | "webhook.created"
  | "webhook.changed"
  | "webhook.rotated"
  | "webhook.deleted"
  | "webhook.tested"
  | "delivery.replayed"
  | "delivery.revealed"
  | "approval.requested"
  | "name.requested"
  | "name.withdrawn"
  | "name.approved"
  | "name.rejected";

/** Who did it: a member, in one request. */
export type MemberActor = { member: Pick<Member, "uuid" | "customerUuid">; requestId: string };
/** Who did it: a member, or the operator on the command line, who is not a member. */
export type AccountActor = MemberActor | { member: { uuid: null; customerUuid: string }; requestId: null };

/** The operator, for an action on one account. */
export function operatorOn(customerUuid: string): AccountActor {
  return { member: { uuid: null, customerUuid }, requestId: null };
}

export type AccountEntry = {
  action: AccountAction;
  brandUuid?: string;
  environment?: Environment;
  /** What was changed if the action does not name it, such as a key's name or a section. Never a secret. */
  subject?: string;
  /** The member that the action affects. */
  aboutMember?: string;
  /** The version of the settings after the change. */
  settingsVersion?: number;
  changes?: Change[];
};

/** Runs in the transaction of the action. */
export async function recordChange(
  deps: Pick<AccountDeps, "clock">,
  trx: Trx,
  by: AccountActor,
  entry: AccountEntry,
): Promise<void> {
  await insertRows(trx, "account_audit", [
    {
      at: deps.clock.now(),
      customer_uuid: by.member.customerUuid,
      member_uuid: by.member.uuid,
      brand_uuid: entry.brandUuid ?? null,
      environment: entry.environment ?? null,
      action: entry.action,
      about_member_uuid: entry.aboutMember ?? null,
      subject: entry.subject ?? null,
      settings_version: entry.settingsVersion ?? null,
      request_id: by.requestId,
      changes: entry.changes ?? [],
    },
  ]);
}

export type AuditRow = {
  id: number;
  at: number;
  action: string;
  memberUuid: string | null;
  aboutMemberUuid: string | null;
  brandUuid: string | null;
  brandName: string | null;
  environment: string | null;
  subject: string | null;
  changes: Change[];
};

/** Entries of an account, newest first. `before` is the id of the last entry that the reader has. */
export async function listAccountEntries(
  reader: Reader,
  about: { customerUuid: string; brandUuid?: string; before?: number; max: number },
): Promise<AuditRow[]> {
  let query = reader
    .selectFrom("account_audit")
    .leftJoin("brand", "brand.uuid", "account_audit.brand_uuid")
    .where("account_audit.customer_uuid", "=", about.customerUuid)
    .select(["account_audit.id", "account_audit.at", "account_audit.action", "account_audit.subject"])
    .select(["account_audit.member_uuid as memberUuid", "account_audit.about_member_uuid as aboutMemberUuid"])
    .select(["account_audit.brand_uuid as brandUuid", "brand.name as brandName"])
    .select(["account_audit.environment", "account_audit.changes"]);
  if (about.brandUuid !== undefined) query = query.where("account_audit.brand_uuid", "=", about.brandUuid);
  if (about.before !== undefined) query = query.where("account_audit.id", "<", about.before);
  return await query.orderBy("account_audit.id", "desc").limit(about.max).execute();
}

/** The uuid of the member who stored a version of settings; null for the operator. */
export async function findSettingsAuthor(
  reader: Reader,
  environment: Environment,
  { brandUuid, version }: { brandUuid: string; version: number },
): Promise<string | null> {
  const row = await reader
    .selectFrom("account_audit")
    .select("member_uuid")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("settings_version", "=", version)
    .executeTakeFirst();
  return row?.member_uuid ?? null;
}

/** Counts invitations of an account since one instant, and of one member since another, the earlier one. */
export async function countInvitations(
  trx: Trx,
  about: { customerUuid: string; since: number; memberUuid: string | null; memberSince: number },
): Promise<{ ofAccount: number; ofMember: number }> {
  return await trx
    .selectFrom("account_audit")
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere("at", ">", about.since).as("ofAccount"),
      fn.countAll<number>().filterWhere("about_member_uuid", "=", about.memberUuid).as("ofMember"),
    ])
    .where("customer_uuid", "=", about.customerUuid)
    .where("action", "=", "member.invited")
    .where("at", ">", about.memberSince)
    .executeTakeFirstOrThrow();
}
