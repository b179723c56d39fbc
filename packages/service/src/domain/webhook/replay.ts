import { enqueue } from "../../store/queue.ts";
import type { Alongside } from "../brand/manage.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { deadLetterKeptMs, deliveryJob } from "./deliver.ts";
import { lockDelivery, openBody, restartDelivery } from "./delivery-rows.ts";
import { findEndpoint } from "./endpoint-rows.ts";

/**
 * Sends an event again with a new `sentAt`, timestamp and signatures, and restarts its retry schedule. Each replay keeps
 * the body longer, so an old event cannot be replayed.
 */
export async function replayDelivery(deps: Deps, uuid: string, alongside?: Alongside): Promise<void> {
  const stored = await deps.db.inTransaction((trx) => lockDelivery(trx, uuid));
  if (stored === undefined) throw refuse(404, "No such delivery.");
  if (openBody(deps, stored) === null) throw refuse(409, "The body has already been erased.");
  const endpoint = stored.endpoint_uuid === null ? null : await findEndpoint(deps, deps.home, stored.endpoint_uuid);
  if (endpoint !== null && endpoint.disabledAt !== null) throw refuse(409, "The webhook is switched off.");
  if (alongside !== undefined) await deps.home.inTransaction((trx) => alongside(trx));
  await deps.db.inTransaction(async (trx) => {
    const row = await lockDelivery(trx, uuid);
    if (row === undefined) throw refuse(404, "No such delivery.");
    const body = openBody(deps, row);
    if (body === null) throw refuse(409, "The body has already been erased.");
    const now = deps.clock.now();
    if (now >= row.created_at + deadLetterKeptMs) throw refuse(409, "The event is too old to be sent again.");
    await Promise.all([
      restartDelivery(deps, trx, row, "sentAt" in body ? { ...body, sentAt: now } : body),
      enqueue(deps, trx, deliveryJob(deps, { uuid, receiver: row.endpoint_uuid ?? row.brand_uuid, dueAt: now })),
    ]);
  });
}
