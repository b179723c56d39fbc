/** The statements about a brand's billed usage and earnings. */
import type { UsageMonth } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../store/database.ts";
import { ofEach, type ReportingDeps, type Span } from "./deps.ts";
import type { LineRange } from "./pages.ts";
import { summed } from "./sums.ts";

export type Counts = Omit<UsageMonth, "month">;

/** What a brand used of each product, by month, from an instant on. Months without usage are missing. */
export async function countUsage(deps: ReportingDeps, brandUuid: string, from: number) {
  const span = { brandUuid, from, to: Number.MAX_SAFE_INTEGER };
  const own = sql`brand_uuid = ${brandUuid} and environment = ${deps.environment} and created_at >= ${from}`;
  const verify = await byMonth(
    deps,
    ["textsSent", "verifyAutofills", "verifications"],
    sql`sum(texts_sent)::int as "textsSent",
        (count(*) filter (where channel = 'autofill'))::int as "verifyAutofills",
        (count(*) filter (where status = 'verified'))::int as "verifications"
   from (${verificationsIn(deps, span)}) as every`,
  );
  const signup = await byMonth(
    deps,
    ["signups", "riskSignals"],
    sql`(count(*) filter (where state = 'released'))::int as "signups",
        (count(*) filter (where risk_scored))::int as "riskSignals"
   from one_click where ${own}`,
  );
  const health = await byMonth(
    deps,
    ["healthAutofills", "healthChecks"],
    sql`sum(autofills)::int as "healthAutofills", sum(checks)::int as "healthChecks" from health_lookup where ${own}`,
  );
  return { verify, signup, health };
}

async function byMonth<Name extends keyof Counts>(
  deps: ReportingDeps,
  names: readonly Name[],
  counts: RawBuilder<unknown>,
): Promise<Map<string, Pick<Counts, Name>>> {
  type Found = Pick<Counts, Name> & { month: string };
  const lists = await ofEach(deps, async (db) => {
    const { rows } = await sql<Found>`
      select to_char(to_timestamp(created_at / 1000) at time zone 'UTC', 'YYYY-MM') as month, ${counts}
       group by 1`.execute(db);
    return rows;
  });
  return new Map(summed<Name, Found>(lists, names, ({ month }) => month).map((row) => [row.month, row]));
}

/** A brand's earnings in one cell, newest first. */
export async function listEarnings(
  { db, environment }: { db: Database; environment: string },
  brandUuid: string,
  { until, max }: Pick<LineRange, "until" | "max">,
) {
  let query = db
    .selectFrom("ledger_entry")
    .select(["id", "at", "kind", "subject_uuid", "cause_uuid"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment);
  if (until !== undefined) query = query.where("id", "<=", until);
  return await query.orderBy("id", "desc").limit(max).execute();
}

/** A brand's verifications, including erased ones. `texts_sent` counts texts that the gateway accepted. */
export function verificationsIn(
  { environment }: Pick<ReportingDeps, "environment">,
  { brandUuid, from, to }: Span,
): RawBuilder<unknown> {
  const columns = sql`channel, status, attempts_used, deliveries, created_at, expires_at, delivered_at`;
  const sent = sql`(select count(*) from message where verification_uuid = verification.uuid and sent_at is not null)`;
  const own = sql`brand_uuid = ${brandUuid} and environment = ${environment}
    and created_at >= ${from} and created_at < ${to}`;
  return sql`
    select ${columns}, ${sent} as texts_sent from verification where ${own}
    union all
    select ${columns}, texts_sent from verification_past where ${own}`;
}
