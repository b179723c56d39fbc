import type { Indexes } from "../build-indexes.ts";

/** Jobs in a concurrency group have their own index, so that a search for other jobs never scans them. */
export const laneIndexes: Indexes = {
  job_due_free: "job (environment, due_at, id) where failed_at is null and lane is null",
  job_due_laned: "job (environment, due_at, id) where failed_at is null and lane is not null",
};
