/**
 * Every statement about `risk_sighting`: which phones were used together with an email or a device address. The value's
 * hash is the key of a row.
 */
import { sql } from "kysely";
import type { KeyedReader, KeyedTrx } from "../store/database.ts";

/** A value that a brand used together with a phone. Both are keyed hashes. */
export type Sighting = {
  environment: string;
  kind: "email" | "deviceIp";
  value_hash: Buffer;
  brand_uuid: string;
  phone_hash: Buffer;
};

/** Records a sighting, or updates the time of an earlier one. */
export async function upsertSighting(reader: KeyedReader, sighting: Sighting, at: number): Promise<void> {
  await reader
    .insertInto("risk_sighting")
    .values({ ...sighting, at })
    .onConflict((conflict) =>
      conflict.columns(["environment", "kind", "value_hash", "brand_uuid", "phone_hash"]).doUpdateSet({ at }),
    )
    .execute();
}

/** Counts the other phones with which the value was used since an instant, at most `ofOtherMax` of each other brand. */
export async function countOtherPhones(
  reader: KeyedReader,
  { environment, kind, value_hash, brand_uuid, phone_hash }: Sighting,
  { since, ofOtherMax }: { since: number; ofOtherMax: number },
): Promise<number> {
  const { rows } = await sql<{ phones: number }>`
    select count(distinct phone_hash)::int as phones
    from (
      select brand_uuid, phone_hash, row_number() over (partition by brand_uuid order by phone_hash) as nth
      from risk_sighting
      where environment = ${environment} and kind = ${kind} and value_hash = ${value_hash}
        and phone_hash <> ${phone_hash} and at > ${since}
    ) seen
    where brand_uuid = ${brand_uuid} or nth <= ${ofOtherMax}
  `.execute(reader);
  return rows[0]?.phones ?? 0;
}

/** Deletes sightings that were last seen at `before` or earlier. */
export async function deleteOldSightings(trx: KeyedTrx, environment: string, before: number): Promise<void> {
  await trx.deleteFrom("risk_sighting").where("environment", "=", environment).where("at", "<=", before).execute();
}
