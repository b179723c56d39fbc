/** What the console reads about customers and brands. */
import type { Approval } from "@countersign/contract/brand";
import { sql } from "kysely";
import type { Database, HomeReader } from "../../store/database.ts";

/** Brands in an environment whose webhooks fail, or which the operator limited. */
const troubled = sql<number>`case when exists (
    select from brand where brand.customer_uuid = customer.uuid
       and (exists (select from webhook_endpoint where brand_uuid = brand.uuid and failing_since is not null
                       and disabled_at is null and deleted_at is null)
            or exists (select from brand_mode where brand_uuid = brand.uuid and mode <> 'active'))) then 0 else 1 end`;

/**
 * Customers whose name, brand or uuid matches: those with a limited brand or a failing webhook first, then by name. An
 * empty search matches all. `brandUuid`: only the customer of this brand, because a name may contain a uuid.
 */
export async function findCustomers(
  reader: HomeReader,
  { search = "", brandUuid, max }: { search?: string; brandUuid?: string; max: number },
) {
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
    .$if(brandUuid !== undefined, (query) =>
      query.where(
        sql<boolean>`exists (select from brand where brand.customer_uuid = customer.uuid and brand.uuid::text = ${brandUuid})`,
      ),
    )
    .orderBy(troubled)
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

/** Names of brands, with those of their customers. */
export async function namesWithCustomers(reader: HomeReader, brands: readonly string[]) {
  const { rows } = await sql<{ uuid: string; name: string; customerName: string }>`
    select brand.uuid, brand.name, customer.name as "customerName"
      from brand join customer on customer.uuid = brand.customer_uuid
     where brand.uuid = any(${brands}::uuid[])`.execute(reader);
  return new Map(rows.map((row) => [row.uuid, row]));
}

export async function listApprovalsOf(reader: HomeReader, brands: readonly string[]) {
  const { rows } = await sql<{ brandUuid: string; environment: string; approval: Approval }>`
    select brand_uuid as "brandUuid", environment, approval from brand_approval
     where brand_uuid = any(${brands}::uuid[]) order by approval`.execute(reader);
  return rows;
}

/** The webhooks of each brand: how many work or fail, and since when the one fails that has failed longest. */
export async function countWebhooks(reader: HomeReader, brands: readonly string[]) {
  const { rows } = await sql<{
    brandUuid: string;
    environment: string;
    count: number;
    failing: number;
    failingSince: number | null;
  }>`
    select brand_uuid as "brandUuid", environment, count(*)::int as count, count(failing_since)::int as failing,
           min(failing_since)::bigint as "failingSince"
      from webhook_endpoint
     where brand_uuid = any(${brands}::uuid[]) and disabled_at is null and deleted_at is null and heard_at is null
     group by 1, 2`.execute(reader);
  return rows;
}

/** How many API keys of a brand are in use. */
export async function countKeys(reader: HomeReader, brandUuid: string) {
  const { rows } = await sql<{ environment: string; count: number }>`
    select environment, count(*)::int as count from api_key
     where brand_uuid = ${brandUuid} and revoked_at is null group by 1`.execute(reader);
  return rows;
}

type CallsIn = { environment: string; brands: readonly string[]; since: number; periodMs: number };

/**
 * The calls of brands in one cell since an instant, by the number of the period, and those that the service could not
 * answer.
 */
export async function countCallsOf(db: Database, { environment, brands, since, periodMs }: CallsIn) {
  const { rows } = await sql<{ brandUuid: string; period: number; calls: number; failed: number; lastAt: number }>`
    select brand_uuid as "brandUuid", ((at - ${since}::bigint - 1) / ${periodMs}::bigint)::int as period,
           count(*)::int as calls, count(*) filter (where status >= 500)::int as failed, max(at)::bigint as "lastAt"
      from request_log
     where environment = ${environment} and brand_uuid = any(${brands}::uuid[]) and at > ${since}
     group by 1, 2`.execute(db);
  return rows;
}

/** A brand's calls that were refused or not answered, by error code, or by status if there is no code. */
export async function countErrorsOf(
  db: Database,
  { environment, brandUuid, since }: { environment: string; brandUuid: string; since: number },
) {
  const { rows } = await sql<{ code: string; calls: number }>`
    select coalesce(error_code, status::text) as code, count(*)::int as calls from request_log
     where brand_uuid = ${brandUuid} and environment = ${environment} and at > ${since} and status >= 400
     group by 1`.execute(db);
  return rows;
}
