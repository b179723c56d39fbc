import type { Delivery } from "@countersign/contract/webhook";
import { findWrappedKey } from "../../store/data-key-rows.ts";
import type { Alongside } from "../brand/manage.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { findEndpoint } from "./endpoint.ts";
import { deliveryPlace, scheduleDelivery } from "./publish.ts";

/** Maximum number of listed deliveries. */
const deliveriesMax = 200;

/** The deliveries of a webhook, newest first, with every attempt. */
export async function listDeliveries(deps: Deps, endpointUuid: string): Promise<Delivery[]> {
  const rows = await deps.db
    .selectFrom("webhook_delivery")
    .select(["uuid", "event", "subject_uuid", "status", "next_attempt_at"])
    .where("endpoint_uuid", "=", endpointUuid)
    .orderBy("created_at", "desc")
    .limit(deliveriesMax)
    .execute();
  const attempts = await attemptsOf(deps, rows);
  return rows.map((row) => ({
    uuid: row.uuid,
    event: row.event,
    healthDataUuid: row.subject_uuid,
    status: row.status,
    attempts: attempts.get(row.uuid) ?? [],
    ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
  }));
}

/** Every attempt at the given deliveries, by delivery uuid, oldest first. */
export async function attemptsOf(
  deps: Deps,
  deliveries: readonly { uuid: string }[],
): Promise<Map<string, Delivery["attempts"]>> {
  const result = new Map<string, Delivery["attempts"]>(deliveries.map(({ uuid }) => [uuid, []]));
  if (result.size === 0) return result;
  const rows = await deps.db
    .selectFrom("webhook_attempt")
    .selectAll()
    .where("delivery_uuid", "in", [...result.keys()])
    .orderBy("id")
    .execute();
  for (const one of rows) {
    result.get(one.delivery_uuid)?.push({
      at: one.at,
      ...(one.http_status === null ? {} : { httpStatus: one.http_status }),
      ...(one.error === null ? {} : { error: one.error }),
      durationMs: one.duration_ms,
    });
  }
  return result;
}

/** Sends an event again with a new `sentAt`, timestamp and signatures, and restarts its retry schedule. */
export async function replayDelivery(deps: Deps, uuid: string, alongside?: Alongside): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .selectFrom("webhook_delivery")
      .selectAll()
      .where("uuid", "=", uuid)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw refuse(404, "No such delivery.");
    const wrapped = await findWrappedKey(trx, row.data_key_uuid);
    if (row.sealed === null || wrapped === null) throw refuse(409, "What it told is erased already.");
    const endpoint = row.endpoint_uuid === null ? null : await findEndpoint(deps, trx, row.endpoint_uuid);
    if (endpoint !== null && endpoint.disabledAt !== null) throw refuse(409, "The webhook is switched off.");
    const now = deps.clock.now();
    const dataKey = deps.vault.openDataKey(row.data_key_uuid, wrapped);
    const body = deps.vault.open<Record<string, unknown>>(dataKey, deliveryPlace(uuid), row.sealed);
    const renewed = "sentAt" in body ? { ...body, sentAt: now } : body;
    await trx
      .updateTable("webhook_delivery")
      .set({
        sealed: deps.vault.seal(dataKey, deliveryPlace(uuid), renewed),
        status: "pending",
        attempts: 0,
        next_attempt_at: now,
        finished_at: null,
      })
      .where("uuid", "=", uuid)
      .execute();
    await scheduleDelivery(deps, trx, { uuid, concurrencyGroup: row.endpoint_uuid ?? row.brand_uuid, dueAt: now });
    await alongside?.(trx);
  });
  deps.wakeJobs();
}
