/** The rows of `account_session`: sessions of a person's own page. Only the hash of a session's token is stored. */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";
import type { Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { tokenHash } from "../token.ts";

type Store = Pick<Deps, "db" | "environment">;

export type AccountSessionRow = {
  uuid: string;
  person: Person;
  phone: Phone;
  customerUuid: string | null;
  device: string;
  usedAt: number;
  provenUntil: number | null;
  hides: number;
};

const place = (uuid: string) => ({ table: "account_session", row: uuid });

export async function insertAccountSession(
  deps: Deps,
  trx: Trx,
  input: {
    uuid: string;
    token: string;
    person: Person;
    phone: Phone;
    customerUuid: string | null;
    device: string;
    expiresAt: number;
  },
): Promise<void> {
  const now = deps.clock.now();
  await trx
    .insertInto("account_session")
    .values({
      uuid: input.uuid,
      environment: deps.environment,
      person_uuid: input.person.uuid,
      customer_uuid: input.customerUuid,
      token_hash: tokenHash(input.token),
      sealed: deps.vault.seal(input.person.dataKey, place(input.uuid), { phone: input.phone }),
      device: input.device,
      created_at: now,
      used_at: now,
      expires_at: input.expiresAt,
      proven_until: null,
    })
    .execute();
}

/** Sets the customer whose brands a session shows. Until then, it shows none. */
export async function setCustomer({ db }: Pick<Deps, "db">, token: string, customerUuid: string): Promise<void> {
  await db
    .updateTable("account_session")
    .set({ customer_uuid: customerUuid })
    .where("token_hash", "=", tokenHash(token))
    .execute();
}

/** The session of a token. Null if it has expired, was not used since `usedAfter`, or its person was deleted. */
export async function findAccountSession(
  deps: Deps,
  token: string,
  usedAfter: number,
): Promise<AccountSessionRow | null> {
  const row = await deps.db
    .selectFrom("account_session")
    .innerJoin("person", "person.uuid", "account_session.person_uuid")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .selectAll("account_session")
    .select(["person.data_key_uuid", "data_key.wrapped"])
    .where("token_hash", "=", tokenHash(token))
    .where("account_session.environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now())
    .where("used_at", ">", usedAfter)
    .executeTakeFirst();
  if (row === undefined || row.wrapped === null) return null;
  const dataKey: DataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    person: { uuid: row.person_uuid, dataKey },
    phone: deps.vault.open<{ phone: Phone }>(dataKey, place(row.uuid), row.sealed).phone,
    customerUuid: row.customer_uuid,
    device: row.device,
    usedAt: row.used_at,
    provenUntil: row.proven_until,
    hides: row.hides,
  };
}

/** Locks a session, so that nobody can end it until the transaction ends. False if it has ended. */
export async function lockAccountSession(trx: Trx, uuid: string): Promise<boolean> {
  const row = await trx
    .selectFrom("account_session")
    .select("uuid")
    .where("uuid", "=", uuid)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasAccountSession(reader: Reader, uuid: string): Promise<boolean> {
  const row = await reader.selectFrom("account_session").select("uuid").where("uuid", "=", uuid).executeTakeFirst();
  return row !== undefined;
}

/** Locks all sessions of a person, so that nobody can end one until the transaction ends. */
export async function lockSessionsOf(trx: Trx, personUuid: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("account_session")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .orderBy("uuid")
    .forKeyShare()
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export async function setUsedAt({ db }: Store, uuid: string, usedAt: number): Promise<void> {
  await db.updateTable("account_session").set({ used_at: usedAt }).where("uuid", "=", uuid).execute();
}

/** Shows full values until `provenUntil`, unless the person has hidden them since the session was read. */
export async function setProvenUntil(
  { db }: Store,
  { sessionUuid, hides }: { sessionUuid: string; hides: number },
  provenUntil: number,
): Promise<void> {
  await db
    .updateTable("account_session")
    .set({ proven_until: provenUntil })
    .where("uuid", "=", sessionUuid)
    .where("hides", "=", hides)
    .execute();
}

/** Ends the proof of a session. */
export async function hideProven({ db }: Store, uuid: string): Promise<void> {
  await db
    .updateTable("account_session")
    .set(({ eb }) => ({ proven_until: null, hides: eb("hides", "+", 1) }))
    .where("uuid", "=", uuid)
    .execute();
}

export type StoredDevice = { uuid: string; device: string; createdAt: number; usedAt: number };

/** The person's sessions that have not expired and were used since `usedAfter`, newest first. */
export async function listAccountSessions(deps: Deps, personUuid: string, usedAfter: number): Promise<StoredDevice[]> {
  const rows = await deps.db
    .selectFrom("account_session")
    .select(["uuid", "device", "created_at", "used_at"])
    .where("person_uuid", "=", personUuid)
    .where("expires_at", ">", deps.clock.now())
    .where("used_at", ">", usedAfter)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .execute();
  return rows.map((row) => ({ uuid: row.uuid, device: row.device, createdAt: row.created_at, usedAt: row.used_at }));
}

/** Locks the rows in the same order as `lockSessionsOf`. Otherwise a sign-out and a deletion could deadlock. */
export async function deleteAccountSessions({ db }: Store, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  await sql`
    with locked as (select uuid from account_session where uuid = any(${uuids}) order by uuid for update)
    delete from account_session using locked where account_session.uuid = locked.uuid`.execute(db);
}

export async function deleteByToken({ db, environment }: Store, token: string): Promise<void> {
  await db
    .deleteFrom("account_session")
    .where("token_hash", "=", tokenHash(token))
    .where("environment", "=", environment)
    .execute();
}

/** Returns the number of deleted sessions. */
export async function deleteAccountSessionsOf(
  db: Reader,
  { personUuid, environment }: { personUuid: string; environment: string },
): Promise<number> {
  const deleted = await db
    .deleteFrom("account_session")
    .where("person_uuid", "=", personUuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** Deletes expired sessions. Returns how many there were. */
export async function deleteExpiredAccountSessions(trx: Trx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "account_session", "expires_at", expired);
  if (uuids.length > 0) await trx.deleteFrom("account_session").where("uuid", "in", uuids).execute();
  return uuids.length;
}

/** Ends the sessions of all people of a cell. Returns how many there were. */
export async function deleteEveryAccountSession(db: Reader): Promise<number> {
  return Number((await db.deleteFrom("account_session").executeTakeFirst()).numDeletedRows);
}
