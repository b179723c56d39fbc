import { type RawBuilder, sql } from "kysely";
import type { AnyTrx } from "../database.ts";
import type { Tables } from "./tables.ts";

/** Which expired rows: those of an environment, by the time of its clock, and at most `max` of them. */
export type Expired = { environment: string; now: number; max: number };

/** Tables whose rows sweeps erase. */
type Swept = {
  [Table in keyof Tables]: Tables[Table] extends { uuid: unknown; environment: unknown } ? Table : never;
}[keyof Tables];

/**
 * Locks the rows that expired first, and returns their uuids. Rows that another process has locked are left to it.
 * `column` is the time of expiry, and `which` is a further condition.
 */
export async function lockExpired<Table extends Swept>(
  trx: AnyTrx,
  table: Table,
  column: keyof Tables[Table] & string,
  { environment, now, max }: Expired,
  which: RawBuilder<unknown> = sql`true`,
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from ${sql.table(table)}
     where environment = ${environment} and ${sql.ref(column)} <= ${now} and ${which}
     order by ${sql.ref(column)} limit ${max} for update skip locked`.execute(trx);
  return rows.map(({ uuid }) => uuid);
}
