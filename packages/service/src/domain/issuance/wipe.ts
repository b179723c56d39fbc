import { sql } from "kysely";
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** When in a day, milliseconds after midnight UTC, fixed people lose what was issued to them. */
export type WipeTime = { timeOfDayMs: number };

/** Asks for the next wipe; one that was missed, because nothing ran at that time, stays due. */
export async function scheduleWipe(deps: Deps, at: WipeTime): Promise<void> {
  const job = nextWipe(deps, at);
  await deps.db.transaction().execute((trx) => enqueueOnce(trx, job));
}

/**
 * Job: deletes what was issued to fixed people before the last time of day that has passed, and asks for the next. A
 * second run finds nothing, and a late one leaves what was issued after the time it was due.
 */
export async function wipeFixedPeople(deps: Deps, at: WipeTime): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom("issued_credential")
      .where("environment", "=", deps.environment)
      .where(sql<boolean>`fixed_person`)
      // What comes from the future was issued on a clock that has been set back since.
      .where(({ or, eb }) => or([eb("issued_at", "<", lastTime(now, at)), eb("issued_at", ">", now)]))
      .execute();
    await enqueue(trx, nextWipe(deps, at));
  });
}

/** A wipe that failed for good is not the last: the next one deletes what it left. */
export async function giveUpWipe(deps: Deps, at: WipeTime): Promise<void> {
  const job = nextWipe(deps, at);
  await deps.db.transaction().execute((trx) => enqueue(trx, job));
}

/** The latest instant of this time of day that is not in the future. */
function lastTime(now: number, { timeOfDayMs }: WipeTime): number {
  return Math.floor((now - timeOfDayMs) / dayMs) * dayMs + timeOfDayMs;
}

function nextWipe(deps: Deps, at: WipeTime): NewJob {
  return {
    environment: deps.environment,
    name: "issuance.wipe",
    subject: "nightly",
    dueAt: lastTime(deps.clock.now(), at) + dayMs,
    payload: { timeOfDayMs: String(at.timeOfDayMs) },
  };
}
