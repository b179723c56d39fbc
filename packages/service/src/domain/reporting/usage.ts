/** Billed usage by month, and earnings. No money moves. */
import type { LedgerLine, UsageMonth } from "@countersign/contract/dashboard-reporting";
import { csvOf } from "../csv.ts";
import type { ReportingDeps } from "./deps.ts";
import { type Cut, lineIdOf, pageOf } from "./pages.ts";
import { type Counts, countUsage, listEarnings } from "./usage-rows.ts";

/** Number of months in an answer, including the current one. */
const monthsMax = 13;
const pageMax = 50;

/** The last thirteen months, newest first. A month without usage has zeros. */
export async function readUsage(deps: ReportingDeps, brandUuid: string): Promise<UsageMonth[]> {
  const months = monthsUntil(deps.clock.now());
  const [first] = months.slice(-1);
  const { verify, signup, health } = await countUsage(deps, brandUuid, first?.from ?? 0);
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
  const { rows, hasOlder, cursors } = await pageOf(deps, { ...cut, max }, ({ db }, range) =>
    listEarnings({ db, environment: deps.environment }, brandUuid, range),
  );
  const data = rows.map(({ cell, row }) => ({
    id: lineIdOf(cell.number, row.id),
    at: row.at,
    kind: row.kind,
    subjectUuid: row.subject_uuid,
    causeUuid: row.cause_uuid,
  }));
  return { data, hasOlder, older: cursors.older };
}

/** Maximum number of lines in one file. */
const linesMax = 10_000;

/** Exports the monthly usage or the earnings as CSV. */
export async function exportUsage(
  deps: ReportingDeps,
  { brandUuid, of }: { brandUuid: string; of: "usage" | "ledger" },
): Promise<{ csv: string; isWhole: boolean }> {
  if (of === "usage") {
    const months = await readUsage(deps, brandUuid);
    const [first] = months;
    const titles = Object.keys(first ?? {});
    return { csv: csvOf([titles, ...months.map((month) => Object.values(month))]), isWhole: true };
  }
  const { data, hasOlder } = await listLedger(deps, { brandUuid, max: linesMax });
  const lines = data.map(({ at, kind, subjectUuid, causeUuid }) => [
    new Date(at).toISOString(),
    kind,
    subjectUuid,
    causeUuid,
  ]);
  return { csv: csvOf([["at", "kind", "subjectUuid", "causeUuid"], ...lines]), isWhole: !hasOlder };
}
