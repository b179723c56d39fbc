/** What the console reads about customers and brands. */
import type { Approval } from "@countersign/contract/brand";
import { sql } from "kysely";
import type { Database, HomeReader } from "../../store/database.ts";

/** Customers whose name, brand or uuid matches, by name. An empty search matches all. */
export async function findCustomers(reader: HomeReader, { search, max }: { search: string; max: number }) {
  const text = search.trim();
  // `%` and `_` have a meaning in a pattern.
  const like = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return await reader
    .selectFrom("customer")
    .select(["customer.uuid", "customer.name", "customer.created_at as createdAt"])
    .select("customer.requires_passkey as requiresPasskey")
    .select(
      sql<number>`(select count(*)::int from member where customer_uuid = customer.uuid and removed_at is null)`.as(
        "members",
      ),
    )
    .$if(text !== "", (query) =>
      query.where(
        sql<boolean>`customer.name ilike ${like} or customer.uuid::text = ${text.toLowerCase()} or exists (
          select from brand where brand.customer_uuid = customer.uuid
             and (brand.name ilike ${like} or brand.uuid::text = ${text.toLowerCase()}))`,
      ),
    )
    .orderBy(sql`lower(customer.name)`)
    .orderBy("customer.uuid")
    .limit(max)
    .execute();
}

/** All names that people read, with their customers: of accounts, and of brands in production. */
export async function listNamesInUse(reader: HomeReader) {
  const { rows } = await sql<{ name: string; customerUuid: string; customerName: string }>`
    select customer.name, customer.uuid as "customerUuid", customer.name as "customerName" from customer
     union
    select newest.settings ->> 'externalName', customer.uuid, customer.name
      from brand
      join customer on customer.uuid = brand.customer_uuid
      join lateral (select settings from brand_settings
                     where brand_uuid = brand.uuid and environment = 'production'
                     order by version desc limit 1) as newest on true`.execute(reader);
  return rows;
}

export async function listApprovalsOf(reader: HomeReader, brands: readonly string[]) {
  const { rows } = await sql<{ brandUuid: string; environment: string; approval: Approval }>`
    select brand_uuid as "brandUuid", environment, approval from brand_approval
     where brand_uuid = any(${brands}::uuid[]) order by approval`.execute(reader);
  return rows;
}

/** How many webhooks of each brand fail now. */
export async function countFailingWebhooks(reader: HomeReader, brands: readonly string[]) {
  const { rows } = await sql<{ brandUuid: string; environment: string; count: number }>`
    select brand_uuid as "brandUuid", environment, count(*)::int as count from webhook_endpoint
     where brand_uuid = any(${brands}::uuid[]) and failing_since is not null and deleted_at is null
     group by 1, 2`.execute(reader);
  return rows;
}

/** The calls of brands in one cell since an instant, and those that the service could not answer. */
export async function countCallsOf(
  db: Database,
  { environment, brands, since }: { environment: string; brands: readonly string[]; since: number },
) {
  const { rows } = await sql<{ brandUuid: string; calls: number; failed: number }>`
    select brand_uuid as "brandUuid", count(*)::int as calls, count(*) filter (where status >= 500)::int as failed
      from request_log
     where environment = ${environment} and brand_uuid = any(${brands}::uuid[]) and at > ${since}
     group by 1`.execute(db);
  return rows;
}
