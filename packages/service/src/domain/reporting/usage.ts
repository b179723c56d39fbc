/** Billed usage by month, and earnings. No money moves. */
import type { LedgerLine, UsageMonth } from "@countersign/contract/dashboard-reporting";
import { type RawBuilder, sql } from "kysely";
import { ofEach, type ReportingDeps } from "./deps.ts";
import { type Cut, lineIdOf, pageOf } from "./pages.ts";
import { summed } from "./sums.ts";
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

/** The last thirteen months up to the current one, newest first. */
function monthsUntil(now: number): { month: string; from: number }[] {
  const date = new Date(now);
  return Array.from({ length: monthsMax }, (_, back) => {
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back);
    return { month: new Date(from).toISOString().slice(0, 7), from };
  });
}

/** A brand's earnings, newest first. `older` is where the previous page ended. */
export async function listLedger(
  deps: ReportingDeps,
  page: { brandUuid: string; older?: Cut; max?: number },
): Promise<{ data: LedgerLine[]; hasOlder: boolean; older: string }> {
  const { brandUuid, max = pageMax, ...cut } = page;
  const { rows, hasOlder, cursors } = await pageOf(deps, { ...cut, max }, async ({ db }, { until, max: count }) => {
    let query = db
      .selectFrom("ledger_entry")
      .select(["id", "at", "kind", "subject_uuid", "cause_uuid"])
      .where("brand_uuid", "=", brandUuid)
      .where("environment", "=", deps.environment);
    if (until !== undefined) query = query.where("id", "<=", until);
    return await query.orderBy("id", "desc").limit(count).execute();
  });
  const data = rows.map(({ cell, row }) => ({
    id: lineIdOf(cell.number, row.id),
    at: row.at,
    kind: row.kind,
    subjectUuid: row.subject_uuid,
    causeUuid: row.cause_uuid,
  }));
  return { data, hasOlder, older: cursors.older };
}
