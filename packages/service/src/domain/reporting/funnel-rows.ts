/** The statements of the funnel. They count by ids, states and times only. */
import { dayMs } from "@countersign/contract/time";
import { sql } from "kysely";
import type { Tables } from "../../store/statements/tables.ts";
import { ofEach, type ReportingDeps, type Span } from "./deps.ts";

/** How many of the newest 1-Clicks of a cell are measured. */
const measuredMax = 1_000;

/** 1-Clicks of a period that have the same end. */
export type EndCount = {
  /** The number of the period, from 0. */
  period: number;
  state: Tables["one_click"]["state"];
  refusal: string | null;
  /** Whether the person or the brand can no longer continue it. */
  isOver: boolean;
  isFound: boolean;
  count: number;
};

/** Counts a brand's 1-Clicks by their end and by periods of the same length, in each cell. */
export async function countEnds(
  deps: ReportingDeps,
  { brandUuid, from, to }: Span,
  periodMs = to - from,
): Promise<EndCount[][]> {
  const now = deps.clock.now();
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<EndCount>`
      select ((created_at - ${from}::bigint) / ${periodMs}::bigint)::int as period, state, refusal,
             expires_at <= ${now} as "isOver", found_at is not null as "isFound", count(*)::int as count
        from one_click
       where brand_uuid = ${brandUuid} and environment = ${deps.environment}
         and created_at >= ${from} and created_at < ${to}
       group by 1, 2, 3, 4, 5`.execute(db);
    return rows;
  });
}

/** How long the steps of a 1-Click took, in milliseconds. Null if the step was not reached, or not on its own. */
export type Durations = { verified: number | null; found: number | null; shared: number | null };

/**
 * The durations of the newest 1-Clicks, in each cell. The audit record has the time of each proof. If one call did all
 * steps, only the time of the sources is known.
 */
export async function listStepDurations(deps: ReportingDeps, { brandUuid, from, to }: Span): Promise<Durations[][]> {
  const own = sql`brand_uuid = ${brandUuid} and environment = ${deps.environment}`;
  return await ofEach(deps, async (db) => {
    const { rows } = await sql<Durations>`
      with newest as materialized (
        select verification_uuid, created_at, found_at, source_ms, case when state = 'released' then answered_at end as shared_at
          from one_click
         where ${own} and created_at >= ${from} and created_at < ${to}
         order by created_at desc limit ${measuredMax}
      ), proven as (
        select verification_uuid, min(at) as at
          from audit
         where ${own} and at >= (select min(created_at) from newest) and at < ${to + dayMs}
           and action = 'verification.verified'
         group by 1
      )
      select nullif(greatest(proven.at - created_at, 0), 0) as verified,
             nullif(greatest(found_at - greatest(created_at, proven.at), case when found_at > 0 then source_ms end, 0), 0) as found,
             nullif(greatest(shared_at - found_at, 0), 0) as shared
        from newest left join proven using (verification_uuid)`.execute(db);
    return rows;
  });
}
