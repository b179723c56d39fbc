import type { Trx } from "../../store/database.ts";
import { enqueueAll } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { deliveryJob } from "./deliver.ts";
import { insertDeliveries, type NewDelivery } from "./delivery-rows.ts";

/** The event that reports the result of a health lookup. */
export const healthLookupEvent = "1-click.health.lookup";

/** An event for a brand. `dataKey` encrypts its body. `isTest`: a made-up event that tests a receiver. */
export type WebhookEvent = Omit<NewDelivery, "uuid" | "endpointUuid" | "isTest"> & { isTest?: boolean };

/** Queues an event for each webhook, in the caller's transaction. Retries send the same body, including `sentAt`. */
export async function publish(
  deps: Deps,
  trx: Trx,
  { endpointUuids, ...event }: WebhookEvent & { endpointUuids: readonly string[] },
): Promise<void> {
  const deliveries = endpointUuids.map((endpointUuid) => newDelivery(deps, { ...event, endpointUuid }));
  await queueDeliveries(deps, trx, deliveries);
}

/** Queues one delivery. Without an endpoint it is the v1 push, whose receiver is in the brand's settings. */
export async function queueDelivery(
  deps: Deps,
  trx: Trx,
  event: WebhookEvent & { endpointUuid: string | null },
): Promise<string> {
  const delivery = newDelivery(deps, event);
  await queueDeliveries(deps, trx, [delivery]);
  return delivery.uuid;
}

function newDelivery({ random }: Deps, event: WebhookEvent & { endpointUuid: string | null }): NewDelivery {
  return { isTest: false, ...event, uuid: random.uuid() };
}

async function queueDeliveries(deps: Deps, trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  const dueAt = deps.clock.now();
  const jobs = deliveries.map(({ uuid, endpointUuid, brandUuid }) =>
    deliveryJob(deps, { uuid, receiver: endpointUuid ?? brandUuid, dueAt }),
  );
  await Promise.all([insertDeliveries(deps, trx, deliveries), enqueueAll(deps, trx, jobs)]);
}
