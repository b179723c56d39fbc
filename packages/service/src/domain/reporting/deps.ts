import type { Database } from "../../store/database.ts";
import type { ReportedCell } from "../../store/failover/replica.ts";
import type { Deps } from "../deps.ts";

/** Dependencies of reporting, which only reads. Every figure and list covers all cells. */
export type ReportingDeps = Pick<Deps, "environment" | "home" | "vault" | "clock"> & {
  cells: readonly ReportedCell[];
};
/** The same, for what is read in one cell. */
export type InCell = Omit<ReportingDeps, "cells"> & { db: Database };
/** A brand and a time range: `from` is inclusive, `to` exclusive. */
export type Span = { brandUuid: string; from: number; to: number };

/** Asks all cells at once. Answers are in the order of the cells. */
export async function ofEach<Answer>(
  { cells }: Pick<ReportingDeps, "cells">,
  ask: (db: Database) => Promise<Answer>,
): Promise<Answer[]> {
  return await Promise.all(cells.map(({ db }) => ask(db)));
}
