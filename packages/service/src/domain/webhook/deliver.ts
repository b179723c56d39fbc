/** Job: one attempt at one delivery. Only a 2xx is an acknowledgement; everything else follows the schedule. */
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import type { OutboundAnswer } from "../ports.ts";
import { askListener } from "./listener.ts";
import { scheduleDelivery } from "./publish.ts";
import { type DeliveryRow, type Request, requestFor } from "./request.ts";
import { deadLetterKeptMs, deliveredKeptMs, deliveryTimeoutMs, retryDelaysMs } from "./sign.ts";

/** How late an attempt may be and still count as on time. */
const driftMs = 1_000;

type Outcome = { startedAt: number; answer: OutboundAnswer; isFinal: boolean };

export async function attemptDelivery(deps: Deps, { deliveryUuid }: { deliveryUuid: string }): Promise<void> {
  const row = await deps.db
    .selectFrom("webhook_delivery")
    .select(["uuid", "brand_uuid", "endpoint_uuid", "data_key_uuid", "sealed", "attempts", "next_attempt_at"])
    .where("uuid", "=", deliveryUuid)
    .where("status", "=", "pending")
    .executeTakeFirst();
  if (row === undefined || row.sealed === null) return;
  const now = deps.clock.now();
  // An attempt that is on time counts from its due time, so that the schedule does not drift by what looking took.
  const due = row.next_attempt_at ?? now;
  const startedAt = now - due < driftMs ? due : now;
  const request = await requestFor(deps, row, startedAt);
  const outcome: Outcome =
    "error" in request
      ? { startedAt, answer: { kind: "failed", error: request.error, durationMs: 0 }, isFinal: request.isFinal }
      : { startedAt, answer: await send(deps, row, request, startedAt), isFinal: false };
  await deps.db.transaction().execute(async (trx) => {
    // First: whoever deletes a webhook holds it before its deliveries.
    if (row.endpoint_uuid !== null && !("error" in request)) await noteHealth(trx, row.endpoint_uuid, outcome);
    await settle(deps, trx, row, outcome);
  });
}

/** To where it leads, or to whoever fetches it there. */
async function send(
  deps: Deps,
  { uuid, endpoint_uuid }: DeliveryRow,
  { isFetched, ...request }: Request,
  startedAt: number,
): Promise<OutboundAnswer> {
  if (!isFetched || endpoint_uuid === null)
    return await deps.outbound.post({ ...request, timeoutMs: deliveryTimeoutMs });
  return await askListener(deps, { deliveryUuid: uuid, endpointUuid: endpoint_uuid, startedAt });
}

function isAcknowledged(answer: OutboundAnswer): boolean {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

/** Since when a receiver has acknowledged nothing; written only where that changes. */
async function noteHealth(trx: Trx, uuid: string, { startedAt, answer }: Outcome): Promise<void> {
  const isWell = isAcknowledged(answer);
  await trx
    .updateTable("webhook_endpoint")
    .set({ failing_since: isWell ? null : startedAt })
    .where("uuid", "=", uuid)
    .where("failing_since", isWell ? "is not" : "is", null)
    .execute();
}

/** Records the attempt and what follows from it: done, another attempt, or the dead letter. */
async function settle(deps: Deps, trx: Trx, row: DeliveryRow, { startedAt, answer, isFinal }: Outcome): Promise<void> {
  const attempts = row.attempts + 1;
  const delay = isFinal ? undefined : retryDelaysMs[row.attempts];
  const status = isAcknowledged(answer)
    ? ("delivered" as const)
    : delay === undefined
      ? ("deadLettered" as const)
      : ("pending" as const);
  const nextAttemptAt = status === "pending" ? startedAt + (delay ?? 0) : null;
  const saved = await trx
    .updateTable("webhook_delivery")
    .set({ attempts, status, next_attempt_at: nextAttemptAt, finished_at: status === "pending" ? null : startedAt })
    .where("uuid", "=", row.uuid)
    .where("status", "=", "pending")
    .where("attempts", "=", row.attempts)
    .executeTakeFirst();
  // A replay or another worker went on with it meanwhile; what was sent then was a duplicate, which receivers expect.
  if (saved.numUpdatedRows === 0n) return;
  await trx
    .insertInto("webhook_attempt")
    .values({
      delivery_uuid: row.uuid,
      at: startedAt,
      http_status: answer.kind === "answered" ? answer.status : null,
      error: answer.kind === "failed" ? answer.error : null,
      duration_ms: answer.durationMs,
    })
    .execute();
  if (nextAttemptAt !== null) {
    await scheduleDelivery(deps, trx, {
      uuid: row.uuid,
      lane: row.endpoint_uuid ?? row.brand_uuid,
      dueAt: nextAttemptAt,
    });
    return;
  }
  const keptMs = status === "delivered" ? deliveredKeptMs : deadLetterKeptMs;
  await enqueue(trx, {
    environment: deps.environment,
    name: "webhook.purge",
    subject: row.uuid,
    dueAt: startedAt + keptMs,
    payload: { deliveryUuid: row.uuid },
  });
}

/** Job: the body of a delivery is gone an hour after its acknowledgement; a dead letter is gone whole after its fourteen days. */
export async function purgeDelivery(deps: Deps, { deliveryUuid }: { deliveryUuid: string }): Promise<void> {
  const now = deps.clock.now();
  await deps.db
    .deleteFrom("webhook_delivery")
    .where("uuid", "=", deliveryUuid)
    .where("status", "=", "deadLettered")
    .where("finished_at", "<=", now - deadLetterKeptMs)
    .execute();
  await deps.db
    .updateTable("webhook_delivery")
    .set({ sealed: null })
    .where("uuid", "=", deliveryUuid)
    .where("status", "=", "delivered")
    .where("finished_at", "<=", now - deliveredKeptMs)
    .execute();
}
