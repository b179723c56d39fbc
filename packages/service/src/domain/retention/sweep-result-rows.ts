/** Every statement that writes the table `sweep_result`: what sweeps erased, and their failures. */
import { dayMs } from "@countersign/contract/time";
import { sql } from "kysely";
import type { Home } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";
import type { HomeDeps } from "../deps.ts";

/** How long the results can be read. */
export const sweepResultsKeptMs = 90 * dayMs;

/** One run of a sweep. `erased`: null if it failed. */
export type SweepRun = { sweep: string; erased: number | null };

/** Adds runs to the counts of today. A run that erased nothing is not stored. */
export async function saveSweepRuns(deps: HomeDeps, runs: readonly SweepRun[]): Promise<void> {
  const { environment, home, realClock } = deps;
  const now = realClock.now();
  const day = Math.floor(now / dayMs) * dayMs;
  const notable = runs.filter(({ erased }) => erased !== 0);
  const rows = notable.map(({ sweep, erased }) => ({
    ...{ environment, sweep, day },
    erased: erased ?? 0,
    erased_at: erased === null ? null : now,
    failures: erased === null ? 1 : 0,
    failed_at: erased === null ? now : null,
  }));
  if (rows.length > 0)
    await home
      .insertInto("sweep_result")
      .values(rows.toSorted((a, b) => (a.sweep < b.sweep ? -1 : 1)))
      .onConflict((conflict) =>
        conflict.columns(["environment", "sweep", "day"]).doUpdateSet({
          erased: sql<number>`sweep_result.erased + excluded.erased`,
          erased_at: sql<number>`coalesce(excluded.erased_at, sweep_result.erased_at)`,
          failures: sql<number>`sweep_result.failures + excluded.failures`,
          failed_at: sql<number>`coalesce(excluded.failed_at, sweep_result.failed_at)`,
        }),
      )
      .execute();
}

export async function deleteSweepResults(home: Home, environment: string, before: number): Promise<number> {
  return await deleteInBatches(home, "sweep_result", sql`environment = ${environment} and day < ${before}`);
}
