/** Every statement about the table `text_stop`: phones that opted out of texts. */
import { sql } from "kysely";
import type { Database, Reader, Trx } from "../../../store/database.ts";
import { deleteInBatches } from "../../../store/delete-in-batches.ts";
import { type Placeholders, statement } from "../../../store/statement.ts";

type ByPhone = { environment: string; phoneIndex: Buffer };

type OptOutQuery = { environment: string; phoneIndexes: readonly Buffer[] };

/** Whether one of the phones has opted out of texts. */
export async function hasOptOut(reader: Reader, query: OptOutQuery): Promise<boolean> {
  return (await optOutStatement(reader, query)).rows.length > 0;
}

const optOutStatement = statement((db, { environment, phoneIndexes }: Placeholders<OptOutQuery>) =>
  db
    .selectFrom("text_stop")
    .select("at")
    .where("environment", "=", environment)
    .where(({ eb, fn }) => eb("phone_index", "=", fn.any(phoneIndexes)))
    .where("stopped", "=", true)
    .limit(1),
);

/** Locks a phone's row, and inserts it if it is missing. Returns the hashes of remembered messages. */
export async function lockStop(
  trx: Trx,
  { environment, phoneIndex, at }: ByPhone & { at: number },
): Promise<{ heeded: Buffer[] }> {
  const [, row] = await Promise.all([
    trx
      .insertInto("text_stop")
      .values({ environment, phone_index: phoneIndex, stopped: false, at, heeded: [] })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
    trx
      .selectFrom("text_stop")
      .select("heeded")
      .where("environment", "=", environment)
      .where("phone_index", "=", phoneIndex)
      .forUpdate()
      .executeTakeFirstOrThrow(),
  ]);
  return row;
}

export async function saveStop(
  trx: Trx,
  { environment, phoneIndex, ...row }: ByPhone & { stopped: boolean; at: number; heeded: Buffer[] },
): Promise<void> {
  await trx
    .updateTable("text_stop")
    .set(row)
    .where("environment", "=", environment)
    .where("phone_index", "=", phoneIndex)
    .execute();
}

/** Records an opt-out without a message from the phone, unless the stored row is newer than `askedAt`. */
export async function insertStop(
  reader: Reader,
  { environment, phoneIndex, at, askedAt }: ByPhone & { at: number; askedAt: number },
): Promise<void> {
  const row = { stopped: true, at };
  await reader
    .insertInto("text_stop")
    .values({ environment, phone_index: phoneIndex, heeded: [], ...row })
    .onConflict((conflict) =>
      conflict.columns(["environment", "phone_index"]).doUpdateSet(row).where("text_stop.at", "<=", askedAt),
    )
    .execute();
}

/** Deletes rows of phones that opted in again before an instant. */
export async function deleteOldStarts(db: Database, environment: string, before: number): Promise<void> {
  await deleteInBatches(db, "text_stop", sql`environment = ${environment} and not stopped and at < ${before}`);
}
