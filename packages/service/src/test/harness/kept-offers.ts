import type { Pool } from "pg";

/** Reads a listener's offers in every cell. Returns a function that inserts them again, the first of them as taken. */
export async function keepOffers(pools: readonly Pool[], endpoint: string): Promise<() => Promise<void>> {
  const kept = await Promise.all(
    pools.map(async (pool) => {
      const { rows } = await pool.query<{ offer: object }>(
        "select to_jsonb(o) as offer from listener_offer o where endpoint_uuid = $1",
        [endpoint],
      );
      return { pool, offers: rows.map(({ offer }) => offer) };
    }),
  );
  const [first] = kept.flatMap(({ offers }) => offers);
  return async () => {
    for (const { pool, offers } of kept)
      await pool.query(
        "insert into listener_offer select * from jsonb_populate_recordset(null::listener_offer, $1::jsonb)",
        [JSON.stringify(offers.map((one) => ({ ...one, taken: one === first })))],
      );
  };
}
