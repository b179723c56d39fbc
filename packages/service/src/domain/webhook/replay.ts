import { enqueue } from "../../store/queue.ts";
import type { AccountActor } from "../audit/account-audit-rows.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { deliveryJob, retryDelaysMs } from "./deliver.ts";
import { deadLetterKeptMs, hasExpired, lockDelivery, openBody, restartDelivery } from "./delivery-rows.ts";
import { findEndpoint } from "./endpoint-rows.ts";
import { type DeliverySubject, recordAction } from "./inspect.ts";

/** How long after its creation an event can be sent again: as long as a dead letter of its last scheduled attempt. */
const replayableMs = retryDelaysMs.reduce<number>((sum, delay) => sum + delay, deadLetterKeptMs);

/**
 * Sends an event again with a new `sentAt`, timestamp and signatures, and restarts its retry schedule. An old event
 * cannot be replayed, because each replay keeps the body longer. The audit entries are written first; `record` writes
 * that of the person.
 */
export async function replayDelivery(
  deps: Deps,
  uuid: string,
  { by, record }: { by?: AccountActor; record?(subject: DeliverySubject): Promise<void> } = {},
): Promise<void> {
  const stored = await deps.db.inTransaction((trx) => lockDelivery(trx, uuid));
  const { row: subject } = replayable(deps, stored);
  const endpoint = subject.endpoint_uuid === null ? null : await findEndpoint(deps, deps.home, subject.endpoint_uuid);
  if (endpoint !== null && endpoint.disabledAt !== null) throw refuse(409, "The webhook is switched off.");
  await record?.(subject);
  await recordAction(deps, by, { action: "delivery.replayed", brandUuid: subject.brand_uuid, uuid });
  await deps.db.inTransaction(async (trx) => {
    const { row, body } = replayable(deps, await lockDelivery(trx, uuid));
    const now = deps.clock.now();
    await Promise.all([
      restartDelivery(deps, trx, row, "sentAt" in body ? { ...body, sentAt: now } : body),
      enqueue(deps, trx, deliveryJob(deps, { uuid, receiver: row.endpoint_uuid ?? row.brand_uuid, dueAt: now })),
    ]);
  });
}

/** Throws 404 if there is no such delivery, and 409 if it is too old. */
function replayable(deps: Deps, row: Awaited<ReturnType<typeof lockDelivery>>) {
  if (row === undefined) throw refuse(404, "No such delivery.");
  const body = hasExpired(deps, row) ? null : openBody(deps, row);
  if (body === null) throw refuse(409, "The body has already been erased.");
  if (deps.clock.now() >= row.created_at + replayableMs) throw refuse(409, "The event is too old to be sent again.");
  return { row, body };
}
