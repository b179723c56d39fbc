/** The audit log: what members, API keys and the operator changed. It is kept when members are removed. */
import { type AuditAction, auditActors } from "@countersign/contract/audit";
import type { Environment } from "@countersign/contract/brand";
import { sql } from "kysely";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import { insertRows } from "../../store/rows.ts";
import type { Change } from "../../store/tables.ts";
import type { AccountDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { lockRole, type Member } from "./member-rows.ts";

/** Who did it: a member, in one request. `call` is the endpoint. */
export type MemberActor = { member: Pick<Member, "uuid" | "customerUuid" | "role">; requestId: string; call?: string };
/** An API key, a user of this machine, or the operator, who runs commands under an id of its own. */
export type OtherActor = {
  member: { uuid: null; customerUuid: string | null };
  requestId: string;
  via: "sandboxControl" | "commandLine";
  /** The endpoint or the command, without its parameters. */
  call: string;
  apiKeyUuid?: string | null;
};
export type AccountActor = MemberActor | OtherActor;

/** The operator, for an action on one account. */
export function operatorOn({ operator }: Pick<AccountDeps, "operator">, customerUuid: string | null): OtherActor {
  return { ...operator, member: { uuid: null, customerUuid }, via: "commandLine" };
}

export type AccountEntry = {
  action: AuditAction;
  brandUuid?: string | undefined;
  environment?: Environment;
  /** What was changed, such as a key's name or a section, if the action does not say it. Never a secret. */
  subject?: string | undefined;
  /** The member that the action affects. */
  aboutMember?: string;
  /** The version of the settings after the change. */
  settingsVersion?: number;
  changes?: Change[];
};

/**
 * Records an action in its transaction. Refuses it if the member was removed, or got another role, while the call
 * waited for a lock.
 */
export async function recordChange(
  deps: Pick<AccountDeps, "clock">,
  trx: HomeTrx,
  by: AccountActor,
  entry: AccountEntry,
): Promise<void> {
  if (by.member.uuid !== null) {
    const role = await lockRole(trx, by.member.uuid);
    if (role === null) throw refuse(401, "Sign in first.");
    if (role !== by.member.role) throw refuse(403, `Your role has changed to ${role}.`);
  }
  await insertEntry(deps, trx, by, entry);
}

async function insertEntry(
  deps: Pick<AccountDeps, "clock">,
  trx: HomeTrx,
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
      api_key_uuid: "apiKeyUuid" in by ? (by.apiKeyUuid ?? null) : null,
      via: "via" in by ? by.via : "dashboard",
      call: by.call ?? null,
    },
  ]);
}

/** Records a successful call, unless its change is already recorded. */
export async function recordUnlessRecorded(
  deps: Pick<AccountDeps, "clock" | "home">,
  by: AccountActor,
  entry: AccountEntry,
): Promise<void> {
  const found = await deps.home
    .selectFrom("account_audit")
    .select("id")
    .where("request_id", "=", by.requestId)
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) await deps.home.inTransaction((trx) => insertEntry(deps, trx, by, entry));
}

export type AuditRow = {
  id: number;
  at: number;
  action: string;
  via: string;
  call: string | null;
  memberUuid: string | null;
  apiKeyUuid: string | null;
  keyName: string | null;
  keyLastFour: string | null;
  aboutMemberUuid: string | null;
  customerUuid: string | null;
  brandUuid: string | null;
  brandName: string | null;
  environment: string | null;
  subject: string | null;
  changes: Change[];
};

/** Which entries to read. `actor` is a kind of actor, or the uuid of a member or an API key. */
export type AuditFilter = {
  brandUuid?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** Entries of one account (null: of all), newest first. `before`: the id of the last entry of the previous page. */
export async function listAccountEntries(
  reader: HomeReader,
  filter: AuditFilter & { customerUuid: string | null; before?: number | undefined; max: number },
): Promise<AuditRow[]> {
  const { customerUuid, brandUuid, actor, action, from, to, before, max } = filter;
  return await lines(reader)
    .$if(customerUuid !== null, (query) => query.where("account_audit.customer_uuid", "=", customerUuid))
    .$if(brandUuid !== undefined, (query) => query.where("account_audit.brand_uuid", "=", brandUuid ?? ""))
    .$if(actor !== undefined, (query) => query.where(isBy(actor ?? "")))
    .$if(action !== undefined, (query) => query.where("account_audit.action", "=", action ?? ""))
    .$if(from !== undefined, (query) => query.where("account_audit.at", ">=", from ?? 0))
    .$if(to !== undefined, (query) => query.where("account_audit.at", "<", to ?? 0))
    .$if(before !== undefined, (query) => query.where("account_audit.id", "<", before ?? 0))
    .orderBy("account_audit.id", "desc")
    .limit(max)
    .execute();
}

function lines(reader: HomeReader) {
  return reader
    .selectFrom("account_audit")
    .leftJoin("brand", "brand.uuid", "account_audit.brand_uuid")
    .leftJoin("api_key", "api_key.uuid", "account_audit.api_key_uuid")
    .select(["account_audit.id", "account_audit.at", "account_audit.action", "account_audit.subject"])
    .select(["account_audit.via", "account_audit.call", "account_audit.customer_uuid as customerUuid"])
    .select(["account_audit.member_uuid as memberUuid", "account_audit.about_member_uuid as aboutMemberUuid"])
    .select(["account_audit.api_key_uuid as apiKeyUuid", "api_key.name as keyName", "api_key.last_four as keyLastFour"])
    .select(["account_audit.brand_uuid as brandUuid", "brand.name as brandName"])
    .select(["account_audit.environment", "account_audit.changes"]);
}

function isBy(actor: string) {
  const kind = auditActors.find((one) => one === actor);
  if (kind === "member") return sql<boolean>`account_audit.member_uuid is not null`;
  if (kind === "apiKey") return sql<boolean>`account_audit.api_key_uuid is not null`;
  if (kind === "operator") return sql<boolean>`account_audit.via = 'commandLine'`;
  if (kind === "machine")
    return sql<boolean>`account_audit.via = 'sandboxControl' and account_audit.api_key_uuid is null`;
  return sql<boolean>`${actor}::uuid in (account_audit.member_uuid, account_audit.api_key_uuid)`;
}

/** The kind of actor. An entry without a member or a key is by a user of this machine or by the operator. */
export function actorOf({ memberUuid, apiKeyUuid, via }: Pick<AuditRow, "memberUuid" | "apiKeyUuid" | "via">) {
  if (memberUuid !== null) return "member" as const;
  if (apiKeyUuid !== null) return "apiKey" as const;
  return via === "sandboxControl" ? ("machine" as const) : ("operator" as const);
}

/** Locks the oldest entries that have not been streamed, except those that another process streams now. */
export async function lockUnstreamed(trx: HomeTrx, max: number): Promise<AuditRow[]> {
  return await lines(trx)
    .where("account_audit.streamed_at", "is", null)
    .orderBy("account_audit.id")
    .limit(max)
    .forUpdate("account_audit")
    .skipLocked()
    .execute();
}

export async function setStreamed(trx: HomeTrx, ids: readonly number[], now: number): Promise<void> {
  await trx
    .updateTable("account_audit")
    .set({ streamed_at: now })
    .where(({ eb, fn, val }) => eb("id", "=", fn.any(val(ids))))
    .execute();
}

/** The uuid of the member who stored a version of settings; null for the operator. */
export async function findSettingsAuthor(
  reader: HomeReader,
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

/** The members whom a member invited, also those who have accepted. */
export async function findInvited(
  trx: HomeTrx,
  { customerUuid, memberUuid }: { customerUuid: string; memberUuid: string },
): Promise<string[]> {
  const rows = await trx
    .selectFrom("account_audit")
    .select("about_member_uuid")
    .distinct()
    .where("customer_uuid", "=", customerUuid)
    .where("member_uuid", "=", memberUuid)
    .where("action", "=", "member.invited")
    .execute();
  return rows.flatMap(({ about_member_uuid }) => about_member_uuid ?? []);
}

/** Counts an account's invitations since one instant, and one member's since another instant, which is earlier. */
export async function countInvitations(
  trx: HomeTrx,
  options: { customerUuid: string; since: number; memberUuid: string | null; memberSince: number },
): Promise<{ ofAccount: number; ofMember: number }> {
  return await trx
    .selectFrom("account_audit")
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere("at", ">", options.since).as("ofAccount"),
      fn.countAll<number>().filterWhere("about_member_uuid", "=", options.memberUuid).as("ofMember"),
    ])
    .where("customer_uuid", "=", options.customerUuid)
    .where("action", "=", "member.invited")
    .where("at", ">", options.memberSince)
    .executeTakeFirstOrThrow();
}
