import type { Environment } from "@countersign/contract/brand";
import type { Trx } from "../../store/database.ts";
import type { Change } from "../../store/tables.ts";
import type { AccountDeps } from "./deps.ts";
import { listMembers, type Member } from "./member.ts";

/** Actions recorded in the audit log of an account. */
export type AccountAction =
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
export type Actor = { member: Pick<Member, "uuid" | "customerUuid">; requestId: string };
/** Who did it: a member, or the operator on the command line, who is not a member. */
export type Doer = Actor | { member: { uuid: null; customerUuid: string }; requestId: null };
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
  by: Doer,
  entry: AccountEntry,
): Promise<void> {
  await trx
    .insertInto("account_audit")
    .values({
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
      changes: JSON.stringify(entry.changes ?? []),
    })
    .execute();
}

/** Shown for a removed member, whose name is not kept. */
const formerMember = "A former member";
/** Maximum number of entries on a page. */
const pageMax = 50;

export type AuditLine = {
  id: number;
  at: number;
  action: string;
  /** Null for the operator. */
  who: string | null;
  aboutWhom: string | null;
  brandUuid: string | null;
  brandName: string | null;
  environment: string | null;
  subject: string | null;
  changes: Change[];
};

/** An account's audit log, newest first. `before` is the id of the last line of the previous page. */
export async function listChanges(
  deps: AccountDeps,
  about: { customerUuid: string; brandUuid?: string; before?: number },
): Promise<{ lines: AuditLine[]; hasOlder: boolean }> {
  let query = deps.db
    .selectFrom("account_audit")
    .leftJoin("brand", "brand.uuid", "account_audit.brand_uuid")
    .where("account_audit.customer_uuid", "=", about.customerUuid)
    .select([
      "account_audit.id",
      "account_audit.at",
      "account_audit.action",
      "account_audit.member_uuid",
      "account_audit.brand_uuid",
      "account_audit.environment",
      "account_audit.about_member_uuid",
      "account_audit.subject",
      "account_audit.changes",
      "brand.name as brand_name",
    ]);
  if (about.brandUuid !== undefined) query = query.where("account_audit.brand_uuid", "=", about.brandUuid);
  if (about.before !== undefined) query = query.where("account_audit.id", "<", about.before);
  const rows = await query
    .orderBy("account_audit.id", "desc")
    .limit(pageMax + 1)
    .execute();
  const members = new Map((await listMembers(deps, deps.db, about.customerUuid)).map((one) => [one.uuid, one]));
  const nameFor = (uuid: string | null) => {
    const member = uuid === null ? undefined : members.get(uuid);
    return uuid === null ? null : member === undefined ? formerMember : nameOf(member);
  };
  const lines = rows.slice(0, pageMax).map((row) => {
    return {
      id: row.id,
      at: row.at,
      action: row.action,
      who: nameFor(row.member_uuid),
      aboutWhom: nameFor(row.about_member_uuid),
      brandUuid: row.brand_uuid,
      brandName: row.brand_name,
      environment: row.environment,
      subject: row.subject,
      changes: row.changes,
    };
  });
  return { lines, hasOlder: rows.length > pageMax };
}

export function nameOf({ name, email }: Pick<Member, "name" | "email">): string {
  return name === "" ? email : name;
}
