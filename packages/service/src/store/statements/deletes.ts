import { type RawBuilder, sql } from "kysely";
import type { AnyReader, AnyTrx } from "../database.ts";
import { columnTypes } from "./columns.generated.ts";
import type { Tables } from "./tables.ts";

/** Maximum rows per statement, and statements per table in one run. The next run deletes the rest. */
const usualBatchMax = 5_000;
const batchesMax = 200;

/** Deletes the rows that `which` selects, in batches, so that no statement holds many locks. Returns their number. */
export async function deleteInBatches(
  db: AnyReader,
  table: keyof Tables,
  which: RawBuilder<unknown>,
  batchMax = usualBatchMax,
): Promise<number> {
  const rows = sql.table(table);
  let deleted = 0;
  for (let batches = 0; batches < batchesMax; batches += 1) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid = any(array(select ctid from ${rows} where ${which} limit ${batchMax}))`.execute(
      db,
    );
    deleted += Number(numAffectedRows);
    if (numAffectedRows < BigInt(batchMax)) break;
  }
  return deleted;
}

/** A table whose rows belong to a brand in an environment. */
export type BrandTable = {
  [Name in keyof Tables]: Tables[Name] extends { environment: unknown; brand_uuid: unknown } ? Name : never;
}[keyof Tables];

/**
 * Deletes the rows of brands, for a reset of the sandbox only, because the tables have other keepers. Returns the data
 * key of each deleted row, or null for rows without one.
 */
export async function deleteOfBrands(
  trx: AnyTrx,
  table: BrandTable,
  { environment, brands }: { environment: string; brands: readonly string[] },
): Promise<(string | null)[]> {
  const key = "data_key_uuid" in columnTypes[table] ? sql.ref("data_key_uuid") : sql`null::uuid`;
  const { rows } = await sql<{ key: string | null }>`
    delete from ${sql.table(table)} where environment = ${environment} and brand_uuid = any(${[...brands]}::uuid[])
    returning ${key} as key`.execute(trx);
  return rows.map((row) => row.key);
}
