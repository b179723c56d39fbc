/** The clearinghouse's payers as they were read last; where they never were, the bundled ones serve. */
import { sql } from "kysely";
import type { Database, Reader } from "../../store/database.ts";
import { announceBrandChange } from "../brand/store.ts";
import { refuse } from "../failure.ts";
import type { Clock, DirectoryPayer, PayerDirectory } from "../ports.ts";

/** Payers that a directory has at most; the largest list of a clearinghouse has a tenth of it. */
const payersMax = 50_000;
/** Payers written by one statement. */
const batchMax = 500;

type Dated = PayerDirectory & { syncedAt?: number };

/** The stored directory; null where there is none, or where it is the one that is known already. */
export async function readPayers(reader: Reader, known?: PayerDirectory): Promise<PayerDirectory | null> {
  const { syncedAt } = await reader
    .selectFrom("payer")
    .select(sql<number | null>`max(synced_at)`.as("syncedAt"))
    .executeTakeFirstOrThrow();
  const dated: Dated | undefined = known;
  if (syncedAt === null || dated?.syncedAt === syncedAt) return null;
  const rows = await reader.selectFrom("payer").select("payer").orderBy("position").limit(payersMax).execute();
  const directory: Dated = { payers: rows.map(({ payer }) => payer), syncedAt };
  return directory;
}

/** Puts a directory in the place of the one before, whole or not at all, and tells the processes that run. */
export async function replacePayers(db: Database, clock: Clock, payers: readonly DirectoryPayer[]): Promise<void> {
  if (payers.length > payersMax) throw refuse(413, `A directory has at most ${payersMax} payers.`);
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("payer").execute();
    for (let from = 0; from < payers.length; from += batchMax) {
      const rows = payers.slice(from, from + batchMax).map((payer, at) => ({
        vendor_id: payer.vendorId,
        position: from + at,
        payer: JSON.stringify(payer),
        synced_at: now,
      }));
      await trx.insertInto("payer").values(rows).execute();
    }
    await announceBrandChange(trx);
  });
}
