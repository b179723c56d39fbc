import type { Deps } from "../deps.ts";

/** Dependencies of reporting, which only reads. */
export type ReportingDeps = Pick<Deps, "environment" | "db" | "home" | "vault" | "clock">;
/** A brand and a time range: `from` is inclusive, `to` exclusive. */
export type Span = { brandUuid: string; from: number; to: number };
