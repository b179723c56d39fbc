/** Columns for sealed values that may be large. `domain/large-values.ts` says when the large ones may be read. */
import { type RawBuilder, sql } from "kysely";

/** Sealed bytes. A longer value is large. */
export const smallBytesMax = 256 * 1024;

/** A sealed column, or null if its value is large. */
export function smallOnly(column: string): RawBuilder<Buffer | null> {
  return sql<Buffer | null>`case when octet_length(${sql.ref(column)}) <= ${sql.lit(smallBytesMax)} then ${sql.ref(column)} end`;
}

/** The length of a sealed column if its value is large, otherwise 0. */
export function largeBytes(column: string): RawBuilder<number> {
  return sql<number>`case when octet_length(${sql.ref(column)}) > ${sql.lit(smallBytesMax)} then octet_length(${sql.ref(column)}) else 0 end`;
}
