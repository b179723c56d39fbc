/** Reads what the console shows about texts: counts, alarms, and the opt-out of one number. */
import { sql } from "kysely";
import type { Database, HomeReader } from "../../store/database.ts";

type In = { environment: string; since: number };
export type CountedTexts = {
  day: number;
  route: string;
  carrier: string;
  outcome: "accepted" | "delivered" | "failed";
  reason: string;
  texts: number;
};

export async function listTextResults(db: Database, { environment, since }: In): Promise<CountedTexts[]> {
  return await db
    .selectFrom("text_result")
    .select(["day", "route", "carrier", "outcome", "reason", "texts"])
    .where("environment", "=", environment)
    .where("day", ">=", since)
    .execute();
}

export async function countStops(db: Database, environment: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct phone_index)::int as count from text_stop
     where environment = ${environment} and stopped`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The STOP or START of one number: whether one of its opt-outs counts now, and the newest. */
export async function findStop(
  db: Database,
  { environment, phoneIndex }: { environment: string; phoneIndex: Buffer },
): Promise<{ isStopped: boolean; at: number | null }> {
  const { rows } = await sql<{ isStopped: boolean | null; at: number | null }>`
    select bool_or(stopped) as "isStopped", max(at) as at from text_stop
     where environment = ${environment} and phone_index = ${phoneIndex}`.execute(db);
  return { isStopped: rows[0]?.isStopped ?? false, at: rows[0]?.at ?? null };
}

export async function countEveryAlarm(reader: HomeReader, { environment, since }: In): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from conversion_alarm
     where environment = ${environment} and raised_at > ${since}`.execute(reader);
  return rows[0]?.count ?? 0;
}

export async function listEveryAlarm(reader: HomeReader, { environment, since }: In) {
  return await reader
    .selectFrom("conversion_alarm")
    .leftJoin("brand", "brand.uuid", "conversion_alarm.brand_uuid")
    .select(["kind", "brand.name as brandName", "raised_at as raisedAt", "sent", "verified"])
    .where("environment", "=", environment)
    .where("raised_at", ">", since)
    .orderBy("raised_at", "desc")
    .limit(20)
    .execute();
}
