/** Customers: the companies that own brands. */
import type { HomeReader, HomeTrx } from "../../store/database.ts";

/** Stores a customer. An existing customer keeps its name. */
export async function insertCustomer(
  reader: HomeReader,
  { uuid, name, now }: { uuid: string; name: string; now: number },
): Promise<void> {
  await reader
    .insertInto("customer")
    .values({ uuid, name, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function customerExists(reader: HomeReader, uuid: string): Promise<boolean> {
  const row = await reader.selectFrom("customer").select("uuid").where("uuid", "=", uuid).executeTakeFirst();
  return row !== undefined;
}

export async function readCustomerName(reader: HomeReader, uuid: string): Promise<string> {
  const row = await reader.selectFrom("customer").select("name").where("uuid", "=", uuid).executeTakeFirstOrThrow();
  return row.name;
}

/**
 * Locks a customer and returns its name, so that two owners cannot remove each other at once. The lock does not block
 * inserts that reference the customer. Otherwise a transaction that locked a sign-in link and then inserts an audit row
 * would deadlock.
 */
export async function lockCustomer(trx: HomeTrx, uuid: string): Promise<string> {
  const { name } = await trx
    .selectFrom("customer")
    .select("name")
    .where("uuid", "=", uuid)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return name;
}

export async function setCustomerName(trx: HomeTrx, uuid: string, name: string): Promise<void> {
  await trx.updateTable("customer").set({ name }).where("uuid", "=", uuid).execute();
}

/** Whether the members of an account must sign in with a passkey. */
export async function readPasskeyPolicy(reader: HomeReader, uuid: string): Promise<boolean> {
  const row = await reader
    .selectFrom("customer")
    .select("requires_passkey")
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  return row?.requires_passkey === true;
}

export async function setPasskeyPolicy(trx: HomeTrx, uuid: string, requiresPasskey: boolean): Promise<void> {
  await trx.updateTable("customer").set({ requires_passkey: requiresPasskey }).where("uuid", "=", uuid).execute();
}

/** Every customer, also one that has no brand yet, oldest first. */
export async function listCustomers(reader: HomeReader): Promise<{ uuid: string; name: string; createdAt: number }[]> {
  return await reader
    .selectFrom("customer")
    .select(["uuid", "name", "created_at as createdAt"])
    .orderBy("created_at")
    .orderBy("uuid")
    .execute();
}

export async function namesOfCustomers(reader: HomeReader, uuids: readonly string[]): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("customer")
    .select(["uuid", "name"])
    .where("uuid", "in", [...new Set(uuids)])
    .execute();
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}
