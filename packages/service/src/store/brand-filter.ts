import { type RawBuilder, sql } from "kysely";

/** The brands whose rows a statement is about. Null: all brands. */
export type BrandFilter = readonly string[] | null;

/** A condition on a column with the uuid of a brand. */
export function isOfBrands(brands: BrandFilter, column: string): RawBuilder<boolean> {
  return brands === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${[...brands]}::uuid[])`;
}
