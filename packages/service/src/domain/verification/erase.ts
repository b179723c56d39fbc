import { deleteKeysWithoutPerson } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { deleteTextsOf } from "./texts/message-rows.ts";
import { deleteVerifications, insertPastVerifications, lockExpiredVerifications } from "./verification-rows.ts";

/** Erases verifications whose retention has ended, and their texts. Returns how many there were, at most `max`. */
export async function eraseExpiredVerifications({ db, environment, clock }: Deps, max: number): Promise<number> {
  return await db.inTransaction(async (trx) => {
    const uuids = await lockExpiredVerifications(trx, { environment, now: clock.now(), max });
    await eraseVerifications(trx, uuids);
    return uuids.length;
  });
}

/** Erases a verification that moved to another cell, where it is counted. */
export async function dropVerification(trx: Trx, uuid: string): Promise<void> {
  const rows = await deleteVerifications(trx, [uuid]);
  await deleteKeysWithoutPerson(
    trx,
    rows.map((row) => row.data_key_uuid),
  );
}

/**
 * Erases verifications and their texts. For each verification of a brand, keeps a row for analytics without an id or a
 * person.
 */
export async function eraseVerifications(trx: Trx, uuids: readonly string[]): Promise<void> {
  // Delete verifications first: the lock waits for a delivery in progress, whose text is then deleted too.
  const [rows, sent] = await Promise.all([deleteVerifications(trx, uuids), deleteTextsOf(trx, uuids)]);
  const past = rows.flatMap((row) => {
    const { environment, brand_uuid, channel, status, attempts_used, deliveries } = row;
    const { created_at, expires_at, delivered_at } = row;
    if (brand_uuid === null) return [];
    const counts = { attempts_used, deliveries, texts_sent: sent.get(row.uuid) ?? 0 };
    return [{ environment, brand_uuid, channel, status, ...counts, created_at, expires_at, delivered_at }];
  });
  await Promise.all([
    deleteKeysWithoutPerson(
      trx,
      rows.map((row) => row.data_key_uuid),
    ),
    insertPastVerifications(trx, past),
  ]);
}
