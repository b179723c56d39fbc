/** Figures about the whole service. They name no person. */
import { sql } from "kysely";
import type { AnyReader, Database, HomeReader } from "../../store/database.ts";

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

export async function countStops(db: Database, environment: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from text_stop where environment = ${environment} and stopped`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function listEveryAlarm(reader: HomeReader, { environment, since }: In) {
  const { rows } = await sql<{
    kind: string;
    brandName: string | null;
    raisedAt: number;
    sent: number;
    verified: number;
  }>`
    select kind, brand.name as "brandName", raised_at as "raisedAt", sent, verified
      from conversion_alarm left join brand on brand.uuid = conversion_alarm.brand_uuid
     where environment = ${environment} and raised_at > ${since}
     order by raised_at desc limit 20`.execute(reader);
  return rows;
}

export async function sizeOfDatabase(reader: AnyReader): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(reader);
  return Number(rows[0]?.bytes ?? 0);
}

/** The master keys, and how many keys of people and others each wraps. */
export async function listMasterKeys(reader: HomeReader) {
  const { rows } = await sql<{ id: string; usedAt: number | null; retiredAt: number | null; wraps: number }>`
    select id, used_at as "usedAt", retired_at as "retiredAt",
           (select count(*)::int from data_key where master_key_id = master_key.id and wrapped is not null) as wraps
      from master_key order by used_at`.execute(reader);
  return rows;
}
