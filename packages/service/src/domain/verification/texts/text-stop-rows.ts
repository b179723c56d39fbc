/** Every statement about the table `text_stop`: phones that opted out of texts. */
import { sql } from "kysely";
import type { Database, Reader, Trx } from "../../../store/database.ts";
import { batched } from "../../../store/statements/batch.ts";
import { deleteInBatches } from "../../../store/statements/deletes.ts";
import { type Placeholders, statement } from "../../../store/statements/statement.ts";
import type { Deps } from "../../deps.ts";
import type { Phone } from "../../ports.ts";

/** The customer of an opt-out that counts for the texts of all customers. */
export const allCustomers = "00000000-0000-0000-0000-000000000000";

/** A phone, and the customer whose texts an opt-out ends. */
type Scope = { phoneIndex: Buffer; customerUuid: string };
type ByPhone = Scope & { environment: string };

/**
 * The phone and the customer of an opt-out. In a sandbox, customers test with the same numbers, so an opt-out counts for
 * the texts of one customer there. `customerUuid`: null for texts of the service itself.
 */
export function stopScope(
  { environment, vault, phones }: Pick<Deps, "environment" | "vault" | "phones">,
  phone: Phone,
  customerUuid: string | null,
): { phoneIndex: Buffer; customerUuid: string } {
  const isOfCustomer = phones.sharesNumbers && customerUuid !== null;
  return {
    phoneIndex: vault.index("phone", environment, phone),
    customerUuid: isOfCustomer ? customerUuid : allCustomers,
  };
}

/** Whether one of the phones has opted out of texts. */
export async function hasOptOut(
  reader: Reader,
  asked: { environment: string; scopes: readonly Scope[] },
): Promise<boolean> {
  return (await optOutsOf(reader, asked)).includes(true);
}

/** Whether a phone has opted out of texts. Concurrent calls are batched. */
export const hasOptOutTogether = batched(({ db, environment }: Deps, scopes: readonly Scope[]) =>
  optOutsOf(db, { environment, scopes }),
);

/** Whether each phone has opted out, in the order of `scopes`. */
async function optOutsOf(
  reader: Reader,
  { environment, scopes }: { environment: string; scopes: readonly Scope[] },
): Promise<boolean[]> {
  const phoneIndexes = scopes.map(({ phoneIndex }) => phoneIndex);
  const customerUuids = scopes.map(({ customerUuid }) => customerUuid);
  const { rows } = await optOutStatement(reader, { environment, phoneIndexes, customerUuids });
  return scopes.map(({ phoneIndex, customerUuid }) =>
    rows.some((row) => row.customer_uuid === customerUuid && row.phone_index.equals(phoneIndex)),
  );
}

type OptOutQuery = { environment: string; phoneIndexes: readonly Buffer[]; customerUuids: readonly string[] };

const optOutStatement = statement((db, { environment, phoneIndexes, customerUuids }: Placeholders<OptOutQuery>) =>
  db
    .selectFrom("text_stop")
    .select(["phone_index", "customer_uuid"])
    .where("environment", "=", environment)
    .where(
      sql<boolean>`(phone_index, customer_uuid) in
        (select * from unnest(${phoneIndexes}::bytea[], ${customerUuids}::uuid[]))`,
    )
    .where("stopped", "=", true),
);

/** Locks a phone's row, and inserts it if it is missing. Returns the hashes of remembered messages. */
export async function lockStop(
  trx: Trx,
  { environment, phoneIndex, customerUuid, at }: ByPhone & { at: number },
): Promise<{ heeded: Buffer[] }> {
  const [, row] = await Promise.all([
    trx
      .insertInto("text_stop")
      .values({ environment, phone_index: phoneIndex, customer_uuid: customerUuid, stopped: false, at, heeded: [] })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
    trx
      .selectFrom("text_stop")
      .select("heeded")
      .where("environment", "=", environment)
      .where("phone_index", "=", phoneIndex)
      .where("customer_uuid", "=", customerUuid)
      .forUpdate()
      .executeTakeFirstOrThrow(),
  ]);
  return row;
}

export async function saveStop(
  trx: Trx,
  { environment, phoneIndex, customerUuid, ...row }: ByPhone & { stopped: boolean; at: number; heeded: Buffer[] },
): Promise<void> {
  await trx
    .updateTable("text_stop")
    .set(row)
    .where("environment", "=", environment)
    .where("phone_index", "=", phoneIndex)
    .where("customer_uuid", "=", customerUuid)
    .execute();
}

/** Records an opt-out without a message from the phone, unless the stored row is newer than `askedAt`. */
export async function insertStop(
  reader: Reader,
  { environment, phoneIndex, customerUuid, at, askedAt }: ByPhone & { at: number; askedAt: number },
): Promise<void> {
  const row = { stopped: true, at };
  await reader
    .insertInto("text_stop")
    .values({ environment, phone_index: phoneIndex, customer_uuid: customerUuid, heeded: [], ...row })
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "phone_index", "customer_uuid"])
        .doUpdateSet(row)
        .where("text_stop.at", "<=", askedAt),
    )
    .execute();
}

/** Deletes rows of phones that opted in again before an instant. */
export async function deleteOldStarts(db: Database, environment: string, before: number): Promise<number> {
  return await deleteInBatches(db, "text_stop", sql`environment = ${environment} and not stopped and at < ${before}`);
}
