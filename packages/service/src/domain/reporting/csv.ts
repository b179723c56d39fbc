import { csvOf } from "../csv.ts";
import type { ReportingDeps } from "./deps.ts";
import { listLedger, readUsage } from "./usage.ts";

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
