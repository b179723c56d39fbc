/** Figures about the whole service. They name no person. */
import type { Environment } from "@countersign/contract/brand";
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

/** The same for each period from an instant on, by the number of the period. */
export async function readTrafficOver(db: Database, { environment, since, periodMs }: In & { periodMs: number }) {
  const { rows } = await sql<{ period: number; latencyMs: number; calls: number; failed: number }>`
    select ((at - ${since}::bigint) / ${periodMs}::bigint)::int as period, latency_ms as "latencyMs",
           count(*)::int as calls, count(*) filter (where status >= 500)::int as failed
      from request_log where environment = ${environment} and at >= ${since} group by 1, 2`.execute(db);
  return rows;
}

/** The enabled webhooks that fail now, those that have failed longest first, and how many there are. */
export async function listFailingWebhooks(reader: HomeReader, environment: string, max: number) {
  const rows = await reader
    .selectFrom("webhook_endpoint")
    .innerJoin("brand", "brand.uuid", "webhook_endpoint.brand_uuid")
    .innerJoin("customer", "customer.uuid", "brand.customer_uuid")
    .where("webhook_endpoint.environment", "=", environment)
    .where("failing_since", "is not", null)
    .where("disabled_at", "is", null)
    .where("deleted_at", "is", null)
    .select(["brand.uuid as brand", "brand.name as brandName", "customer.name as customerName"])
    .select(sql<number>`failing_since`.as("since"))
    .select(sql<number>`(count(*) over ())::int`.as("count"))
    .orderBy("failing_since")
    .orderBy("webhook_endpoint.uuid")
    .limit(max)
    .execute();
  return { count: rows[0]?.count ?? 0, oldest: rows.map(({ count: _, ...one }) => one) };
}

/** How many brands require a state ID in an environment. */
export async function countRequiringIds(reader: HomeReader, environment: Environment): Promise<number> {
  const newest = reader
    .selectFrom("brand_settings")
    .select(["brand_uuid", "settings"])
    .where("environment", "=", environment)
    .distinctOn("brand_uuid")
    .orderBy("brand_uuid")
    .orderBy("version", "desc");
  const { requiring } = await reader
    .selectFrom(newest.as("newest"))
    .innerJoin("brand", "brand.uuid", "newest.brand_uuid")
    .select(sql<number>`count(*)::int`.as("requiring"))
    .where(sql<boolean>`(settings #>> '{governmentId,required}')::boolean`)
    .executeTakeFirstOrThrow();
  return requiring;
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
