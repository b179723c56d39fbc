/** Members of accounts. Each member's name and email address are sealed under a data key of their own. */
import type { MemberRole } from "@countersign/contract/member";
import { deleteDataKeys, destroyDataKeys, insertDataKeys } from "../../store/data-key-rows.ts";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import type { DataKey } from "../../store/vault.ts";
import { type AccountDeps, accountScope } from "../deps.ts";
import { plainEmail } from "../email.ts";

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
export const membersMax = 200;

const place = (uuid: string) => ({ table: "member", row: uuid });

export function memberEmailIndex({ vault }: AccountDeps, email: string): Buffer {
  return vault.index("email", accountScope, plainEmail(email));
}

function memberQuery(reader: HomeReader) {
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
  const { name, email } = vault.open<Sealed>(dataKey, place(row.uuid), row.sealed);
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

export async function findMember(deps: AccountDeps, reader: HomeReader, uuid: string): Promise<Member | null> {
  const row = await memberQuery(reader).where("member.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : toMember(deps, row);
}

/**
 * Locks a member, so that a sign-in and what ends the member's access happen one after the other. Lock the member
 * before the member's passkeys, links, codes and sessions.
 */
export async function lockMember(trx: HomeTrx, uuid: string): Promise<void> {
  await trx.selectFrom("member").select("uuid").where("uuid", "=", uuid).forNoKeyUpdate().execute();
}

/** The member with this email address: the accepted membership if `joined`, otherwise the newest open invitation. */
export async function findByEmail(
  deps: AccountDeps,
  reader: HomeReader,
  options: { email: string; joined: boolean },
): Promise<Member | null> {
  const row = await memberQuery(reader)
    .where("member.email_index", "=", memberEmailIndex(deps, options.email))
    .where("member.joined_at", options.joined ? "is not" : "is", null)
    .orderBy("member.created_at", "desc")
    .executeTakeFirst();
  return row === undefined ? null : toMember(deps, row);
}

export async function listMembers(deps: AccountDeps, reader: HomeReader, customerUuid: string): Promise<Member[]> {
  const rows = await memberQuery(reader)
    .where("member.customer_uuid", "=", customerUuid)
    .orderBy("member.created_at")
    .orderBy("member.uuid")
    .limit(membersMax)
    .execute();
  return rows.map((row) => toMember(deps, row));
}

export async function countMembers(reader: HomeReader, customerUuid: string): Promise<number> {
  const { count } = await reader
    .selectFrom("member")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("customer_uuid", "=", customerUuid)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The owners of an account who have accepted their invitation. */
export async function listOwners(
  reader: HomeReader,
  customerUuid: string,
): Promise<{ uuid: string; hasPasskey: boolean }[]> {
  const rows = await reader
    .selectFrom("member")
    .leftJoin("passkey", "passkey.member_uuid", "member.uuid")
    .select(["member.uuid", ({ fn }) => fn.count<number>("passkey.uuid").as("passkeys")])
    .where("member.customer_uuid", "=", customerUuid)
    .where("member.role", "=", "owner")
    .where("member.joined_at", "is not", null)
    .where("member.removed_at", "is", null)
    .groupBy("member.uuid")
    .execute();
  return rows.map(({ uuid, passkeys }) => ({ uuid, hasPasskey: passkeys > 0 }));
}

/** Locks all memberships of an email address, because only one account may have the address as a member. */
export async function lockAddress(deps: AccountDeps, trx: HomeTrx, email: string): Promise<void> {
  await trx
    .selectFrom("member")
    .select("uuid")
    .where("email_index", "=", memberEmailIndex(deps, email))
    .forUpdate()
    .execute();
}

export type NewMember = {
  customerUuid: string;
  name: string;
  email: string;
  role: MemberRole;
  /** Whether the address counts as proven. It does for members that the operator or the demo creates. */
  joined: boolean;
};

/**
 * Stores a member and returns the uuid. Null if the account has this address already, or if it is a member of another
 * account.
 */
export async function insertMember(deps: AccountDeps, trx: HomeTrx, input: NewMember): Promise<string | null> {
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  const { dataKey, row: key } = deps.vault.makeDataKey(accountScope, now);
  const [, row] = await Promise.all([
    insertDataKeys(trx, [key]),
    trx
      .insertInto("member")
      .values({
        uuid,
        customer_uuid: input.customerUuid,
        data_key_uuid: dataKey.uuid,
        email_index: memberEmailIndex(deps, input.email),
        role: input.role,
        sealed: sealMember(deps, dataKey, { uuid, name: input.name, email: input.email }),
        created_at: now,
        joined_at: input.joined ? now : null,
        removed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("uuid")
      .executeTakeFirst(),
  ]);
  if (row === undefined) await deleteDataKeys(trx, [dataKey.uuid]);
  return row?.uuid ?? null;
}

function sealMember(
  { vault }: AccountDeps,
  dataKey: DataKey,
  { uuid, name, email }: Sealed & { uuid: string },
): Buffer {
  return vault.seal(dataKey, place(uuid), { name, email: plainEmail(email) } satisfies Sealed);
}

/** The key under which everything about a member is sealed. */
export async function readMemberKey({ vault }: AccountDeps, reader: HomeReader, uuid: string): Promise<DataKey> {
  const row = await reader
    .selectFrom("member")
    .innerJoin("data_key", "data_key.uuid", "member.data_key_uuid")
    .select(["data_key_uuid", "wrapped"])
    .where("member.uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  return vault.openDataKey(row.data_key_uuid, row.wrapped);
}

export async function renameMember(deps: AccountDeps, trx: HomeTrx, member: Member, name: string): Promise<void> {
  const sealed = sealMember(deps, await readMemberKey(deps, trx, member.uuid), { ...member, name });
  await trx.updateTable("member").set({ sealed }).where("uuid", "=", member.uuid).execute();
}

export async function setRole(trx: HomeTrx, uuid: string, role: MemberRole): Promise<void> {
  await trx.updateTable("member").set({ role }).where("uuid", "=", uuid).execute();
}

/** Locks those of the members who have not accepted their invitation. */
export async function lockInvited(trx: HomeTrx, uuids: readonly string[]): Promise<Pick<Member, "uuid" | "role">[]> {
  if (uuids.length === 0) return [];
  return await trx
    .selectFrom("member")
    .select(["uuid", "role"])
    .where("uuid", "in", uuids)
    .where("joined_at", "is", null)
    .where("removed_at", "is", null)
    .orderBy("uuid")
    .forUpdate()
    .execute();
}

/** Accepts the invitation of a member. */
export async function setJoined(trx: HomeTrx, uuid: string, now: number): Promise<void> {
  await trx.updateTable("member").set({ joined_at: now }).where("uuid", "=", uuid).execute();
}

/** Removes a member from the account and destroys their key. The row stays for the audit log. */
export async function setRemoved(trx: HomeTrx, uuid: string, now: number): Promise<void> {
  const { data_key_uuid } = await trx
    .updateTable("member")
    .set({ removed_at: now, email_index: null })
    .where("uuid", "=", uuid)
    .returning("data_key_uuid")
    .executeTakeFirstOrThrow();
  await destroyDataKeys(trx, [data_key_uuid], now);
}
