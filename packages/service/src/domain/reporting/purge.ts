import { deleteLines } from "../../store/request-log.ts";
import { dayMs } from "../day.ts";
import type { Deps } from "../deps.ts";

/** How long a line of the request log is kept, by the environment's clock. */
export const logKeptMs = 30 * dayMs;

/** Deletes lines that are older than `logKeptMs`. */
export async function purgeLog({ db, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  // A line with a future time was written before the clock was set back.
  await deleteLines(db, environment, { before: now - logKeptMs, after: now + dayMs });
}
