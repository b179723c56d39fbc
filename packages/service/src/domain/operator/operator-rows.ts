/** People who use the operator's console, with their sessions and passkeys. Each has a data key of their own. */
import type { OperatorRole } from "@countersign/contract/operator-role";
import { sql } from "kysely";
import { destroyDataKeys, insertDataKeys } from "../../store/data-key-rows.ts";
import type { Home, HomeReader, HomeTrx } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";
import { type AccountDeps, accountScope } from "../deps.ts";
import { plainEmail } from "../email.ts";
import type { PasskeyKey } from "../webauthn.ts";

export type ConsoleOperator = { uuid: string; name: string; email: string; role: OperatorRole; createdAt: number };
type Sealed = { name: string; email: string };
type Keys = Pick<AccountDeps, "vault">;

const place = (uuid: string) => ({ table: "operator", row: uuid });
const emailIndexOf = ({ vault }: Keys, email: string) => vault.index("email", accountScope, plainEmail(email));

function operatorQuery(reader: HomeReader) {
  return reader
    .selectFrom("operator")
    .innerJoin("data_key", "data_key.uuid", "operator.data_key_uuid")
    .where("operator.removed_at", "is", null)
    .select(["operator.uuid", "operator.role", "operator.sealed", "operator.created_at", "data_key.wrapped"])
    .select(["operator.data_key_uuid", "operator.link_expires_at"]);
}
type OperatorRow = Awaited<ReturnType<ReturnType<typeof operatorQuery>["executeTakeFirstOrThrow"]>>;

function toOperator({ vault }: Keys, row: OperatorRow): ConsoleOperator {
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  const { name, email } = vault.open<Sealed>(dataKey, place(row.uuid), row.sealed);
  return { uuid: row.uuid, name, email, role: row.role, createdAt: row.created_at };
}

export async function findOperator(deps: Keys, reader: HomeReader, uuid: string): Promise<ConsoleOperator | null> {
  const row = await operatorQuery(reader).where("operator.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : toOperator(deps, row);
}

export async function findOperatorByEmail(
  deps: Keys,
  reader: HomeReader,
  email: string,
): Promise<ConsoleOperator | null> {
  const index = emailIndexOf(deps, email);
  const row = await operatorQuery(reader).where("operator.email_index", "=", index).executeTakeFirst();
  return row === undefined ? null : toOperator(deps, row);
}

/** All operators who were not removed, oldest first. `linkUntil`: until when an invitation works. */
export async function listOperatorRows(
  deps: Keys,
  reader: HomeReader,
): Promise<(ConsoleOperator & { linkUntil: number | null; passkeys: number })[]> {
  const rows = await operatorQuery(reader)
    .select(sql<number>`(select count(*) from operator_passkey where operator_uuid = operator.uuid)`.as("passkeys"))
    .orderBy("operator.created_at")
    .orderBy("operator.uuid")
    .execute();
  return rows.map((row) => ({ ...toOperator(deps, row), linkUntil: row.link_expires_at, passkeys: row.passkeys }));
}

/** Stores an operator. Null if one has this email address. */
export async function insertOperator(
  deps: Pick<AccountDeps, "vault" | "random" | "clock">,
  trx: HomeTrx,
  { email, name, role }: Pick<ConsoleOperator, "email" | "name" | "role">,
): Promise<string | null> {
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  const { dataKey, row: key } = deps.vault.makeDataKey(accountScope, now);
  await insertDataKeys(trx, [key]);
  const row = await trx
    .insertInto("operator")
    .values({
      uuid,
      data_key_uuid: dataKey.uuid,
      email_index: emailIndexOf(deps, email),
      role,
      sealed: deps.vault.seal(dataKey, place(uuid), { name, email: plainEmail(email) } satisfies Sealed),
      created_at: now,
      link_hash: null,
      link_expires_at: null,
      removed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uuid")
    .executeTakeFirst();
  return row?.uuid ?? null;
}

/** Stores the link of an invitation in place of an earlier one. */
export async function setOperatorLink(
  trx: HomeTrx,
  { uuid, hash, expiresAt }: { uuid: string; hash: Buffer; expiresAt: number },
): Promise<void> {
  await trx
    .updateTable("operator")
    .set({ link_hash: hash, link_expires_at: expiresAt })
    .where("uuid", "=", uuid)
    .execute();
}

/** Uses a link up. Returns whose it was; null if it expired or was used. */
export async function takeOperatorLink(trx: HomeTrx, hash: Buffer, now: number): Promise<string | null> {
  const row = await trx
    .updateTable("operator")
    .set({ link_hash: null, link_expires_at: null })
    .where("link_hash", "=", hash)
    .where("link_expires_at", ">", now)
    .where("removed_at", "is", null)
    .returning("uuid")
    .executeTakeFirst();
  return row?.uuid ?? null;
}

export async function setOperatorRole(trx: HomeTrx, uuid: string, role: OperatorRole): Promise<void> {
  await trx.updateTable("operator").set({ role }).where("uuid", "=", uuid).execute();
}

/** Ends everything with which an operator can sign in, and makes their name unreadable. The audit log keeps the uuid. */
export async function removeOperatorRow(trx: HomeTrx, uuid: string, now: number): Promise<void> {
  await trx.deleteFrom("operator_session").where("operator_uuid", "=", uuid).execute();
  await trx.deleteFrom("operator_passkey").where("operator_uuid", "=", uuid).execute();
  const { data_key_uuid } = await trx
    .updateTable("operator")
    .set({ removed_at: now, email_index: null, link_hash: null, link_expires_at: null })
    .where("uuid", "=", uuid)
    .returning("data_key_uuid")
    .executeTakeFirstOrThrow();
  await destroyDataKeys(trx, [data_key_uuid], now);
}

export type OperatorSignInMethod = "link" | "passkey" | "openid";
/** A session works until it expires, and only while it was last used after `idleSince`. */
type Working = { now: number; idleSince: number };

export async function insertOperatorSession(
  trx: HomeTrx,
  row: {
    uuid: string;
    operatorUuid: string;
    tokenHash: Buffer;
    method: OperatorSignInMethod;
    device: string;
    now: number;
    expiresAt: number;
  },
): Promise<void> {
  await trx
    .insertInto("operator_session")
    .values({
      uuid: row.uuid,
      operator_uuid: row.operatorUuid,
      token_hash: row.tokenHash,
      method: row.method,
      device: row.device,
      created_at: row.now,
      last_used_at: row.now,
      expires_at: row.expiresAt,
    })
    .execute();
}

export async function findOperatorSessionRow(reader: HomeReader, tokenHash: Buffer, { now, idleSince }: Working) {
  const row = await reader
    .selectFrom("operator_session")
    .select(["uuid", "operator_uuid as operatorUuid", "method", "last_used_at as lastUsedAt"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", idleSince)
    .executeTakeFirst();
  return row ?? null;
}

export async function noteOperatorUse(reader: HomeReader, uuid: string, now: number): Promise<void> {
  await reader.updateTable("operator_session").set({ last_used_at: now }).where("uuid", "=", uuid).execute();
}

/**
 * Marks a session as signed in by the passkey that was just created in it. False if it has ended. `isInvited`: false
 * also if the session has already added a passkey, because an invitation adds only one.
 */
export async function setOperatorSessionPasskey(
  trx: HomeTrx,
  { uuid, isInvited }: { uuid: string; isInvited: boolean },
): Promise<boolean> {
  let marking = trx.updateTable("operator_session").set({ method: "passkey" }).where("uuid", "=", uuid);
  if (isInvited) marking = marking.where("method", "=", "link");
  const { numUpdatedRows } = await marking.executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteOperatorSession(reader: HomeReader, uuid: string): Promise<void> {
  await reader.deleteFrom("operator_session").where("uuid", "=", uuid).execute();
}

/** Deletes the sessions that no longer work. */
export async function sweepOperatorSessions(home: Home, { now, idleSince }: Working): Promise<number> {
  return await deleteInBatches(home, "operator_session", sql`expires_at <= ${now} or last_used_at <= ${idleSince}`);
}

/** Ends the sessions of all operators, and all invitations. Returns how many sessions there were. */
export async function endEveryOperatorSession(trx: HomeTrx): Promise<number> {
  await trx.updateTable("operator").set({ link_hash: null, link_expires_at: null }).execute();
  return Number((await trx.deleteFrom("operator_session").executeTakeFirst()).numDeletedRows);
}

/** Stores a passkey. False if somebody has it. */
export async function insertOperatorPasskey(
  trx: HomeTrx,
  passkey: PasskeyKey & { uuid: string; operatorUuid: string; now: number },
): Promise<boolean> {
  const row = await trx
    .insertInto("operator_passkey")
    .values({
      uuid: passkey.uuid,
      operator_uuid: passkey.operatorUuid,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      created_at: passkey.now,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("uuid")
    .executeTakeFirst();
  return row !== undefined;
}

const passkeyColumns = ["uuid", "operator_uuid as operatorUuid", "counter", "transports"] as const;

export async function findOperatorPasskey(reader: HomeReader, credentialId: string) {
  const row = await reader
    .selectFrom("operator_passkey")
    .select([...passkeyColumns, "credential_id as credentialId", "public_key as publicKey"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row ?? null;
}

export async function listOperatorPasskeys(reader: HomeReader, operatorUuid: string) {
  return await reader
    .selectFrom("operator_passkey")
    .select([...passkeyColumns, "credential_id as credentialId"])
    .select(["created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("operator_uuid", "=", operatorUuid)
    .orderBy("created_at")
    .execute();
}

/** The passkeys of all operators, oldest first. */
export async function listAllPasskeys(reader: HomeReader) {
  return await reader
    .selectFrom("operator_passkey")
    .select(["uuid", "operator_uuid as operatorUuid", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .orderBy("created_at")
    .execute();
}

/**
 * Locks an operator, so that a sign-in and what ends the operator's access happen one after the other. Lock operators
 * before their passkeys and sessions.
 */
export async function lockOperator(trx: HomeTrx, uuid: string): Promise<void> {
  await trx.selectFrom("operator").select("uuid").where("uuid", "=", uuid).forNoKeyUpdate().execute();
}

/** Locks all operators, so that only one change of their passkeys happens at a time. */
export async function lockOperators(trx: HomeTrx): Promise<void> {
  await trx.selectFrom("operator").select("uuid").orderBy("uuid").forUpdate().execute();
}

/** Whether a person with the role operator has a passkey besides this one. */
export async function hasOtherOperatorPasskey(trx: HomeTrx, uuid: string): Promise<boolean> {
  const row = await trx
    .selectFrom("operator_passkey")
    .innerJoin("operator", "operator.uuid", "operator_passkey.operator_uuid")
    .select("operator_passkey.uuid")
    .where("operator.role", "=", "operator")
    .where("operator.removed_at", "is", null)
    .where("operator_passkey.uuid", "<>", uuid)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOperatorPasskey(trx: HomeTrx, uuid: string): Promise<void> {
  await trx.deleteFrom("operator_passkey").where("uuid", "=", uuid).execute();
}

/** Ends an operator's sessions, except one. */
export async function endOtherOperatorSessions(
  trx: HomeTrx,
  { operatorUuid, except }: { operatorUuid: string; except: string },
): Promise<void> {
  await trx
    .deleteFrom("operator_session")
    .where("operator_uuid", "=", operatorUuid)
    .where("uuid", "<>", except)
    .execute();
}

/** False if the passkey was deleted. */
export async function noteOperatorPasskeyUse(
  trx: HomeTrx,
  uuid: string,
  { counter, now }: { counter: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("operator_passkey")
    .set({ counter, last_used_at: now })
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
