/**
 * Every statement about `risk_sighting`: which phones were used together with an email or a device address. The value's
 * hash is the key of a row.
 */
import { sql } from "kysely";
import type { KeyedReader, KeyedTrx } from "../store/database.ts";

/** A value that was used together with a phone. Both are keyed hashes. */
export type Sighting = { environment: string; kind: "email" | "deviceIp"; value_hash: Buffer; phone_hash: Buffer };

/** Records a sighting, or updates the time of an earlier one. */
export async function upsertSighting(reader: KeyedReader, sighting: Sighting, at: number): Promise<void> {
  await reader
    .insertInto("risk_sighting")
    .values({ ...sighting, at })
    .onConflict((conflict) => conflict.columns(["environment", "kind", "value_hash", "phone_hash"]).doUpdateSet({ at }))
    .execute();
}

/** Counts the other phones with which the value was used since an instant. */
export async function countOtherPhones(reader: KeyedReader, sighting: Sighting, since: number): Promise<number> {
  const { phones } = await reader
    .selectFrom("risk_sighting")
    .select(sql<number>`count(*)::int`.as("phones"))
    .where("environment", "=", sighting.environment)
    .where("kind", "=", sighting.kind)
    .where("value_hash", "=", sighting.value_hash)
    .where("phone_hash", "<>", sighting.phone_hash)
    .where("at", ">", since)
    .executeTakeFirstOrThrow();
  return phones;
}

/** Deletes sightings that were last seen at `before` or earlier. */
export async function deleteOldSightings(trx: KeyedTrx, environment: string, before: number): Promise<void> {
  await trx.deleteFrom("risk_sighting").where("environment", "=", environment).where("at", "<=", before).execute();
}
