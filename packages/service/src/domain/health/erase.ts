import { destroyDataKeys } from "../../store/data-key-rows.ts";
import { enqueue, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { hasBodyUnder } from "../webhook/delivery-rows.ts";
import { eraseContent, lockForErasure } from "./lookup-rows.ts";
import { deleteSteps } from "./step-rows.ts";

/** How long to wait before checking again for deliveries that need the lookup's own key. */
const keyWaitMs = 24 * 60 * 60_000;

/** The job that runs `eraseLookup`. */
export function erasureJob({ environment }: Deps, { uuid, dueAt }: { uuid: string; dueAt: number }): NewJob {
  return { environment, name: "health.erase", subject: uuid, dueAt, payload: { healthDataUuid: uuid } };
}

/**
 * Job: erases the data of an expired lookup, including payers' answers. A key that belongs only to the lookup is
 * destroyed once no webhook delivery needs it.
 */
export async function eraseLookup(deps: Deps, { healthDataUuid: uuid }: { healthDataUuid: string }): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const lookup = await lockForErasure(trx, uuid);
    if (lookup === null || lookup.expiresAt === null) return;
    if (lookup.expiresAt > now) return await enqueue(trx, erasureJob(deps, { uuid, dueAt: lookup.expiresAt }));
    await Promise.all([deleteSteps(trx, [uuid]), eraseContent(trx, uuid, now)]);
    if (lookup.personUuid !== null) return;
    if (await hasBodyUnder(trx, lookup.dataKeyUuid))
      return await enqueue(trx, erasureJob(deps, { uuid, dueAt: now + keyWaitMs }));
    await destroyDataKeys(trx, [lookup.dataKeyUuid], now);
  });
}
