import { sql } from "kysely";
import type { AnyTrx } from "./database.ts";
import type { Tables } from "./tables.ts";

/** A table whose rows belong to a brand in an environment. */
export type BrandTable = {
  [Name in keyof Tables]: Tables[Name] extends { environment: unknown; brand_uuid: unknown } ? Name : never;
}[keyof Tables];

/** Deletes the rows of brands. Only a reset of the sandbox may do this to tables of several keepers. */
export async function deleteOfBrands(
  trx: AnyTrx,
  table: BrandTable,
  { environment, brands }: { environment: string; brands: readonly string[] },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where environment = ${environment} and brand_uuid = any(${[...brands]}::uuid[])`.execute(
    trx,
  );
  return Number(numAffectedRows);
}
