import type { MemberRole } from "@countersign/contract/member";
import type { Reader, Trx } from "../../store/database.ts";
import { invalid, refuse } from "../failure.ts";
import { type AccountDeps, accountScope } from "./deps.ts";

export type Member = {
  uuid: string;
  customerUuid: string;
  name: string;
  email: string;
  role: MemberRole;
  createdAt: number;
  /** Null until the invitation is accepted. */
  joinedAt: number | null;
};
type Sealed = { name: string; email: string };

/** Maximum number of members per account. */
const membersMax = 200;

/** The normalized email address, used for lookups and storage. */
export function plainEmail(text: string): string {
  return text.trim().toLowerCase();
}

export function emailIndex({ vault }: AccountDeps, email: string): Buffer {
  return vault.index("email", accountScope, plainEmail(email));
}

function memberQuery(reader: Reader) {
  return reader
    .selectFrom("member")
    .innerJoin("data_key", "data_key.uuid", "member.data_key_uuid")
    .where("member.removed_at", "is", null)
    .select([
      "member.uuid",
      "member.customer_uuid",
      "member.role",
      "member.sealed",
      "member.created_at",
      "member.joined_at",
      "member.data_key_uuid",
      "data_key.wrapped",
    ]);
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof memberQuery>["executeTakeFirstOrThrow"]>>;

function toMember({ vault }: AccountDeps, row: MemberRow): Member {
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  const { name, email } = vault.open<Sealed>(dataKey, { table: "member", row: row.uuid }, row.sealed);
  return {
    uuid: row.uuid,
    customerUuid: row.customer_uuid,
    name,
    email,
    role: row.role,
    createdAt: row.created_at,
    joinedAt: row.joined_at,
  };
}

export async function findMember(deps: AccountDeps, reader: Reader, uuid: string): Promise<Member | null> {
  const row = await memberQuery(reader).where("member.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : toMember(deps, row);
}

/** A member of this customer; 404 for an unknown member or another customer's. */
export async function findColleague(
  deps: AccountDeps,
  reader: Reader,
  about: { customerUuid: string; memberUuid: string },
): Promise<Member> {
  const found = await findMember(deps, reader, about.memberUuid);
  if (found?.customerUuid !== about.customerUuid) throw refuse(404, "There is no such member.");
  return found;
}

/** The member with this email address: the accepted membership if `joined`, otherwise the newest open invitation. */
export async function findByEmail(
  deps: AccountDeps,
  reader: Reader,
  about: { email: string; joined: boolean },
): Promise<Member | null> {
  const row = await memberQuery(reader)
    .where("member.email_index", "=", emailIndex(deps, about.email))
    .where("member.joined_at", about.joined ? "is not" : "is", null)
    .orderBy("member.created_at", "desc")
    .executeTakeFirst();
  return row === undefined ? null : toMember(deps, row);
}

/** Locks all memberships of an email address, because only one account may have the address as a member. */
export async function lockAddress(deps: AccountDeps, trx: Trx, email: string): Promise<void> {
  await trx
    .selectFrom("member")
    .select("uuid")
    .where("email_index", "=", emailIndex(deps, email))
    .forUpdate()
    .execute();
}

export async function listMembers(deps: AccountDeps, reader: Reader, customerUuid: string): Promise<Member[]> {
  const rows = await memberQuery(reader)
    .where("member.customer_uuid", "=", customerUuid)
    .orderBy("member.created_at")
    .orderBy("member.uuid")
    .limit(membersMax)
    .execute();
  return rows.map((row) => toMember(deps, row));
}

export type NewMember = {
  customerUuid: string;
  name: string;
  email: string;
  role: MemberRole;
  /** Whether the address counts as proven, as for members that the operator or the demo creates. */
  joined: boolean;
};

/** Adds a member and returns the uuid; null if the account already has this address. */
export async function insertMember(deps: AccountDeps, trx: Trx, what: NewMember): Promise<string | null> {
  const count = await trx
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("customer_uuid", "=", what.customerUuid)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  if (count.count >= membersMax)
    throw invalid([{ path: "body.email", message: `an account has ${membersMax} members at most` }]);
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  const dataKey = await deps.vault.createDataKey(trx, accountScope, now);
  const row = await trx
    .insertInto("member")
    .values({
      uuid,
      customer_uuid: what.customerUuid,
      data_key_uuid: dataKey.uuid,
      email_index: emailIndex(deps, what.email),
      role: what.role,
      sealed: sealedOf(deps, dataKey, { uuid, name: what.name, email: what.email }),
      created_at: now,
      joined_at: what.joined ? now : null,
      removed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uuid")
    .executeTakeFirst();
  return row?.uuid ?? null;
}

type OpenKey = Awaited<ReturnType<AccountDeps["vault"]["readDataKey"]>>;

function sealedOf({ vault }: AccountDeps, dataKey: OpenKey, { uuid, name, email }: Sealed & { uuid: string }): Buffer {
  return vault.seal(dataKey, { table: "member", row: uuid }, { name, email: plainEmail(email) } satisfies Sealed);
}

export async function renameMember(deps: AccountDeps, trx: Trx, member: Member, name: string): Promise<void> {
  const { data_key_uuid } = await trx
    .selectFrom("member")
    .select("data_key_uuid")
    .where("uuid", "=", member.uuid)
    .executeTakeFirstOrThrow();
  const dataKey = await deps.vault.readDataKey(trx, data_key_uuid);
  await trx
    .updateTable("member")
    .set({ sealed: sealedOf(deps, dataKey, { ...member, name }) })
    .where("uuid", "=", member.uuid)
    .execute();
}
