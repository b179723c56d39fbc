/** Figures about the whole service. They name no person. */
import { sql } from "kysely";
import type { AnyReader, Database } from "../../store/database.ts";

type In = { environment: string; since: number };

/** Calls of brands in one cell since an instant, failed ones, and how long each took, for the percentile of all cells. */
export async function readTraffic(db: Database, { environment, since }: In) {
  const { rows } = await sql<{ latencyMs: number; calls: number; failed: number }>`
    select latency_ms as "latencyMs", count(*)::int as calls, count(*) filter (where status >= 500)::int as failed
      from request_log where environment = ${environment} and at > ${since} group by 1`.execute(db);
  return rows;
}

export async function countTexts(db: Database, { environment, since }: In) {
  const { rows } = await sql<{ state: string; count: number }>`
    select status as state, count(*)::int as count from message
     where environment = ${environment} and created_at > ${since} group by 1`.execute(db);
  return rows;
}

export async function sizeOfDatabase(reader: AnyReader): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(reader);
  return Number(rows[0]?.bytes ?? 0);
}
