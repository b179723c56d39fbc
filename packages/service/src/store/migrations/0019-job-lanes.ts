import type { Indexes } from "../build-indexes.ts";

/** What waits in lanes lies apart, so that it is never passed on the way to what does not. */
export const laneIndexes: Indexes = {
  job_due_free: "job (environment, due_at, id) where failed_at is null and lane is null",
  job_due_laned: "job (environment, due_at, id) where failed_at is null and lane is not null",
};
