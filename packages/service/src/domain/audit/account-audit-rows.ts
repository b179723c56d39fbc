/** The audit log: what members, API keys and the operator changed. It is kept when members are removed. */
import { type AuditAction, type AuditVia, auditActors } from "@countersign/contract/audit";
import type { Environment } from "@countersign/contract/brand";
import type { MemberRole } from "@countersign/contract/member";
import type { OperatorRole } from "@countersign/contract/operator-role";
import { sql } from "kysely";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import { insertRows } from "../../store/statements/rows.ts";
import type { Change } from "../../store/statements/tables.ts";
import type { AccountDeps, Operator } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Clock } from "../ports.ts";

/** Who did it: a member, in one request. `call` is the endpoint. `sessionUuid`: null while the member signs in. */
export type MemberActor = {
  member: { uuid: string; customerUuid: string; role: MemberRole };
  sessionUuid: string | null;
  requestId: string;
  call?: string;
};
/** An API key, a user of this machine, or the operator, by a command or in the console. */
export type OtherActor = {
  member: { uuid: null; customerUuid: string | null };
  requestId: string;
  via: Exclude<AuditVia, "dashboard">;
  /** The endpoint or the command, without its parameters. */
  call: string;
  apiKeyUuid?: string | null;
  /** Who acts in the console, and why. */
  person?: Operator["person"];
  reason?: string | undefined;
};
export type AccountActor = MemberActor | OtherActor;

/** The operator, for an action on one account. */
export function operatorOn({ operator }: Pick<AccountDeps, "operator">, customerUuid: string | null): OtherActor {
  const via = operator.person === undefined ? "commandLine" : "console";
  const { requestId, call, person, reason } = operator;
  return { requestId, call, member: { uuid: null, customerUuid }, via, ...(person && { person }), reason };
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

/** An environment has a real clock besides its own, and accounts have only the real one. */
type Clocks = { clock: Clock; realClock?: Clock };

/** Records an action in its transaction, unless the service itself acts (`by` is undefined). Refuses as `requireActing`. */
export async function recordChange(
  deps: Clocks,
  trx: HomeTrx,
  by: AccountActor | undefined,
  entry: AccountEntry,
): Promise<void> {
  if (by === undefined) return;
  await requireActing(trx, by);
  await insertEntry(deps, trx, by, entry);
}

/**
 * Refuses if the person was removed, got another role or lost the session while the call waited for a lock. None of it
 * can happen until the transaction ends.
 */
export async function requireActing(trx: HomeTrx, by: AccountActor): Promise<void> {
  const signedIn = "via" in by ? by.person : { ...by.member, sessionUuid: by.sessionUuid };
  if (signedIn === undefined) return;
  const { uuid, sessionUuid } = signedIn;
  const table = "via" in by ? "operator" : "member";
  const role = await lockRole(trx, table, uuid);
  if (role === null) throw refuse(401, "Sign in first.");
  // Lock the person first, as each call that ends sessions does. In another order, the two could deadlock.
  if (sessionUuid !== null && !(await lockSession(trx, `${table}_session`, sessionUuid)))
    throw refuse(401, "Sign in first.");
  if (role !== signedIn.role) throw refuse(403, `Your role has changed to ${role}.`);
}

/** The person's role, which cannot change until the transaction ends. Null if the person was removed. */
async function lockRole(
  trx: HomeTrx,
  table: "member" | "operator",
  uuid: string,
): Promise<MemberRole | OperatorRole | null> {
  const row = await trx
    .selectFrom(table)
    .select("role")
    .where("uuid", "=", uuid)
    .where("removed_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return row?.role ?? null;
}

/** Whether a session has not ended. It can then be used, but cannot end, until the transaction ends. */
async function lockSession(trx: HomeTrx, table: "member_session" | "operator_session", uuid: string): Promise<boolean> {
  const row = await trx.selectFrom(table).select("uuid").where("uuid", "=", uuid).forKeyShare().executeTakeFirst();
  return row !== undefined;
}

async function insertEntry(
  { clock, realClock = clock }: Clocks,
  trx: HomeTrx,
  by: AccountActor,
  entry: AccountEntry,
): Promise<void> {
  await insertRows(trx, "account_audit", [
    {
      at: realClock.now(),
      customer_uuid: by.member.customerUuid,
      member_uuid: by.member.uuid,
      brand_uuid: entry.brandUuid ?? null,
      environment: entry.environment ?? null,
      action: entry.action,
      about_member_uuid: entry.aboutMember ?? null,
      operator_uuid: ("person" in by ? by.person?.uuid : undefined) ?? null,
      subject: entry.subject ?? null,
      reason: ("reason" in by ? by.reason : undefined) ?? null,
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
  deps: Clocks & Pick<AccountDeps, "home">,
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

export type AccountAuditRow = {
  id: number;
  at: number;
  action: string;
  via: AuditVia;
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
  operatorUuid: string | null;
  reason: string | null;
  changes: Change[];
};

/**
 * Which entries to read. `actor` is a kind of actor, or the uuid of a member, an API key or an operator. `subject`: such
 * as the person whom an operator looked at.
 */
export type AuditFilter = {
  subject?: string | undefined;
  brandUuid?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** Any of these. */
  actions?: readonly string[] | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** Entries of one account (null: of all), newest first. `before`: the id of the last entry of the previous page. */
export async function listAccountEntries(
  reader: HomeReader,
  filter: AuditFilter & { customerUuid: string | null; before?: number | undefined; max: number },
): Promise<AccountAuditRow[]> {
  const { customerUuid, brandUuid, actor, action, actions, subject, from, to, before, max } = filter;
  return await lines(reader)
    .$if(customerUuid !== null, (query) => query.where("account_audit.customer_uuid", "=", customerUuid))
    .$if(brandUuid !== undefined, (query) => query.where("account_audit.brand_uuid", "=", brandUuid ?? ""))
    .$if(actor !== undefined, (query) => query.where(isBy(actor ?? "")))
    .$if(action !== undefined, (query) => query.where("account_audit.action", "=", action ?? ""))
    .$if(actions !== undefined, (query) => query.where("account_audit.action", "in", [...(actions ?? [])]))
    .$if(subject !== undefined, (query) => query.where("account_audit.subject", "=", subject ?? ""))
    .$if(from !== undefined, (query) => query.where("account_audit.at", ">=", from ?? 0))
    .$if(to !== undefined, (query) => query.where("account_audit.at", "<", to ?? 0))
    .$if(before !== undefined, (query) => query.where("account_audit.id", "<", before ?? 0))
    .orderBy("account_audit.id", "desc")
    .limit(max)
    .execute();
}

/** Entries per query of `accountEntryPages`. */
const pageMax = 1_000;

/** All entries of a filter, newest first, in pages. A log can have any length, so it is never in memory as a whole. */
export async function* accountEntryPages(
  reader: HomeReader,
  filter: AuditFilter & { customerUuid: string | null },
): AsyncGenerator<AccountAuditRow[]> {
  let before: number | undefined;
  for (;;) {
    const rows = await listAccountEntries(reader, { ...filter, before, max: pageMax });
    if (rows.length > 0) yield rows;
    if (rows.length < pageMax) return;
    before = rows.at(-1)?.id;
  }
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
    .select(["account_audit.environment", "account_audit.changes", "account_audit.reason"])
    .select("account_audit.operator_uuid as operatorUuid");
}

function isBy(actor: string) {
  const kind = auditActors.find((one) => one === actor);
  if (kind === "member") return sql<boolean>`account_audit.member_uuid is not null`;
  if (kind === "apiKey") return sql<boolean>`account_audit.api_key_uuid is not null`;
  if (kind === "operator") return sql<boolean>`account_audit.via in ('commandLine', 'console')`;
  if (kind === "machine")
    return sql<boolean>`account_audit.via = 'sandboxControl' and account_audit.api_key_uuid is null`;
  return sql<boolean>`${actor}::uuid in (account_audit.member_uuid, account_audit.api_key_uuid, account_audit.operator_uuid)`;
}

/** The kind of actor. An entry without a member or a key is by a user of this machine or by the operator. */
export function actorOf({ memberUuid, apiKeyUuid, via }: Pick<AccountAuditRow, "memberUuid" | "apiKeyUuid" | "via">) {
  if (memberUuid !== null) return "member" as const;
  if (apiKeyUuid !== null) return "apiKey" as const;
  return via === "sandboxControl" ? ("machine" as const) : ("operator" as const);
}

/** Locks the oldest entries that have not been streamed, except those that another process streams now. */
export async function lockUnstreamed(trx: HomeTrx, max: number): Promise<AccountAuditRow[]> {
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
