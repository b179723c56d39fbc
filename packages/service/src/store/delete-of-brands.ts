import { sql } from "kysely";
import { columnTypes } from "./columns.generated.ts";
import type { AnyTrx } from "./database.ts";
import type { Tables } from "./tables.ts";

/** A table whose rows belong to a brand in an environment. */
export type BrandTable = {
  [Name in keyof Tables]: Tables[Name] extends { environment: unknown; brand_uuid: unknown } ? Name : never;
}[keyof Tables];

/**
 * Deletes the rows of brands, for a reset of the sandbox only, because the tables have other keepers. Returns the data
 * key of each deleted row, or null for rows without one and for sessions of earlier versions, which use the person's
 * key.
 */
export async function deleteOfBrands(
  trx: AnyTrx,
  table: BrandTable,
  { environment, brands }: { environment: string; brands: readonly string[] },
): Promise<(string | null)[]> {
  const columns = columnTypes[table];
  const ownKey =
    "has_own_key" in columns ? sql`case when has_own_key then data_key_uuid end` : sql.ref("data_key_uuid");
  const key = "data_key_uuid" in columns ? ownKey : sql`null::uuid`;
  const { rows } = await sql<{ key: string | null }>`
    delete from ${sql.table(table)} where environment = ${environment} and brand_uuid = any(${[...brands]}::uuid[])
    returning ${key} as key`.execute(trx);
  return rows.map((row) => row.key);
}
