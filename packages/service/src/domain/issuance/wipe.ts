import { dayMs } from "@countersign/contract/time";
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { queueRevocations } from "../takeout/status.ts";
import { endTakeouts } from "../takeout/takeout-rows.ts";
import { deleteIssuedToFixedPeople } from "./issued-credential-rows.ts";

/** Time of day, in milliseconds after midnight UTC, when credentials issued to fixed test people are deleted. */
export type WipeTime = { timeOfDayMs: number };

/** Schedules the next wipe. A wipe that was missed because nothing was running stays due. */
export async function scheduleWipe(deps: Deps, at: WipeTime): Promise<void> {
  const job = nextWipe(deps, at);
  await deps.db.inTransaction((trx) => enqueueOnce(trx, job));
}

/**
 * Job: deletes what was issued to fixed test people before the latest wipe time, and schedules the next wipe. A
 * repeated run deletes nothing, and a late run keeps what was issued after the wipe was due.
 */
export async function wipeFixedPeople(deps: Deps, at: WipeTime): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const issuedUuids = await deleteIssuedToFixedPeople(trx, {
      environment: deps.environment,
      before: lastTime(now, at),
      now,
    });
    await queueRevocations(deps, trx, await endTakeouts(deps, trx, { issuedUuids }));
    await enqueue(deps, trx, nextWipe(deps, at));
  });
}

/** Schedules the next wipe after one has failed permanently. The next wipe deletes what is left. */
export async function giveUpWipe(deps: Deps, at: WipeTime): Promise<void> {
  const job = nextWipe(deps, at);
  await deps.db.inTransaction((trx) => enqueue(deps, trx, job));
}

/** The latest time in the past or present with this time of day. */
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
