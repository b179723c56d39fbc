import type { Deps } from "../deps.ts";

/** What reading needs. */
export type WatchDeps = Pick<Deps, "environment" | "db" | "vault" | "clock">;
/** One brand's instants, from the first to before the last. */
export type Span = { brandUuid: string; from: number; to: number };
