/** The clearinghouse's payers as of the last sync. The bundled payers are used until the first sync. */
import { sql } from "kysely";
import type { Home, HomeReader } from "../../store/database.ts";
import { insertRows } from "../../store/statements/rows.ts";
import { announceBrandChange } from "../brand/brand-rows.ts";
import { refuse } from "../failure.ts";
import type { Clock, DirectoryPayer, PayerDirectory } from "../ports.ts";

/** Maximum number of payers in a directory. The largest list of a clearinghouse has a tenth of this. */
const payersMax = 50_000;
/** Payers written per statement. */
const batchMax = 500;

type Dated = PayerDirectory & { syncedAt?: number };

/** The stored directory; null if none is stored or `known` is current. */
export async function readPayers(reader: HomeReader, known?: PayerDirectory): Promise<PayerDirectory | null> {
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

/** Replaces the directory in one transaction and notifies the running processes. */
export async function replacePayers(db: Home, clock: Clock, payers: readonly DirectoryPayer[]): Promise<void> {
  if (payers.length > payersMax) throw refuse(413, `A directory has at most ${payersMax} payers.`);
  const now = clock.now();
  await db.inTransaction(async (trx) => {
    await trx.deleteFrom("payer").execute();
    for (let from = 0; from < payers.length; from += batchMax) {
      const rows = payers.slice(from, from + batchMax).map((payer, at) => ({
        vendor_id: payer.vendorId,
        position: from + at,
        payer,
        synced_at: now,
      }));
      await insertRows(trx, "payer", rows);
    }
    await announceBrandChange(trx);
  });
}
