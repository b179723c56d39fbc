import { type RawBuilder, sql } from "kysely";
import type { AnyReader } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Maximum rows per statement, and statements per table in one run. The next run deletes the rest. */
const usualBatchMax = 5_000;
const batchesMax = 200;

/** Deletes the rows that `which` selects, in batches, so that no statement holds many locks. */
export async function deleteInBatches(
  db: AnyReader,
  table: keyof Tables,
  which: RawBuilder<unknown>,
  batchMax = usualBatchMax,
): Promise<void> {
  const rows = sql.table(table);
  for (let batches = 0; batches < batchesMax; batches += 1) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid = any(array(select ctid from ${rows} where ${which} limit ${batchMax}))`.execute(
      db,
    );
    if (numAffectedRows < BigInt(batchMax)) return;
  }
}
