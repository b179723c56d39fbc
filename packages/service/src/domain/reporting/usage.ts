/** Billed usage by month, and earnings. No money moves. */
import type { LedgerLine, UsageMonth } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import type { ReportingDeps } from "./deps.ts";
import { verificationsIn } from "./verifications.ts";

/** Number of months in an answer, including the current one. */
const monthsMax = 13;
const pageMax = 50;
type Counts = Omit<UsageMonth, "month">;

/** The last thirteen months, newest first. A month without usage has zeros. */
export async function readUsage(deps: ReportingDeps, brandUuid: string): Promise<UsageMonth[]> {
  const months = monthsUntil(deps.clock.now());
  const [first] = months.slice(-1);
  const span = { brandUuid, from: first?.from ?? 0, to: Number.MAX_SAFE_INTEGER };
  const own = sql`brand_uuid = ${brandUuid} and environment = ${deps.environment} and created_at >= ${span.from}`;
  const verify = await byMonth<Pick<Counts, "textsSent" | "verifyAutofills" | "verifications">>(
    deps,
    sql`sum(texts_sent)::int as "textsSent",
        (count(*) filter (where channel = 'autofill'))::int as "verifyAutofills",
        (count(*) filter (where status = 'verified'))::int as "verifications"`,
    sql`(${verificationsIn(deps, span)}) as every`,
  );
  const signup = await byMonth<Pick<Counts, "signups" | "riskSignals">>(
    deps,
    sql`(count(*) filter (where state = 'released'))::int as "signups",
        (count(*) filter (where risk_scored))::int as "riskSignals"`,
    sql`one_click where ${own}`,
  );
  const health = await byMonth<Pick<Counts, "healthAutofills" | "healthChecks">>(
    deps,
    sql`sum(autofills)::int as "healthAutofills", sum(checks)::int as "healthChecks"`,
    sql`health_lookup where ${own}`,
  );
  return months.map(({ month }) => ({
    month,
    ...nothing,
    ...verify.get(month),
    ...signup.get(month),
    ...health.get(month),
  }));
}

const nothing: Counts = {
  textsSent: 0,
  verifyAutofills: 0,
  verifications: 0,
  signups: 0,
  riskSignals: 0,
  healthAutofills: 0,
  healthChecks: 0,
};

async function byMonth<Found>(
  deps: ReportingDeps,
  counts: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): Promise<Map<string, Found & { month: string }>> {
  const { rows: found } = await sql<{ month: string } & Found>`
    select to_char(to_timestamp(created_at / 1000) at time zone 'UTC', 'YYYY-MM') as month, ${counts}
      from ${rows} group by 1`.execute(deps.db);
  return new Map(found.map((row) => [row.month, row]));
}

/** The last thirteen months up to the current one, newest first. */
function monthsUntil(now: number): { month: string; from: number }[] {
  const date = new Date(now);
  return Array.from({ length: monthsMax }, (_, back) => {
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back);
    return { month: new Date(from).toISOString().slice(0, 7), from };
  });
}

/** A brand's earnings, newest first. `before` is the id of the last line of the previous page. */
export async function listLedger(
  deps: ReportingDeps,
  about: { brandUuid: string; before?: number; max?: number },
): Promise<{ data: LedgerLine[]; hasOlder: boolean }> {
  const { max = pageMax } = about;
  let query = deps.db
    .selectFrom("ledger_entry")
    .select(["id", "at", "kind", "subject_uuid", "cause_uuid"])
    .where("brand_uuid", "=", about.brandUuid)
    .where("environment", "=", deps.environment);
  if (about.before !== undefined) query = query.where("id", "<", about.before);
  const rows = await query
    .orderBy("id", "desc")
    .limit(max + 1)
    .execute();
  const data = rows.slice(0, max).map(({ id, at, kind, subject_uuid, cause_uuid }) => ({
    id,
    at,
    kind,
    subjectUuid: subject_uuid,
    causeUuid: cause_uuid,
  }));
  return { data, hasOlder: rows.length > max };
}
