import type { Trx } from "../../store/database.ts";
import { enqueue, type NewJob } from "../../store/queue.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";

/** The event that reports the result of a health lookup. */
export const healthLookupEvent = "1-click.health.lookup";

/** An event for a brand. `dataKey` encrypts its body. */
export type Happening = {
  brandUuid: string;
  event: string;
  subjectUuid: string;
  dataKey: DataKey;
  body: Record<string, unknown>;
  /** A made-up event that tests a receiver. */
  isTest?: boolean;
};

export const deliveryPlace = (uuid: string) => ({ table: "webhook_delivery", row: uuid });

/**
 * Queues an event for each enabled webhook of the brand, in the caller's transaction. The body, including `sentAt`,
 * does not change on retries.
 */
export async function publish(deps: Deps, trx: Trx, what: Happening): Promise<void> {
  const endpoints = await trx
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("brand_uuid", "=", what.brandUuid)
    .where("environment", "=", deps.environment)
    .where("disabled_at", "is", null)
    .where("deleted_at", "is", null)
    .execute();
  for (const { uuid } of endpoints) await queueDelivery(deps, trx, { ...what, endpointUuid: uuid });
}

/** Queues one delivery. Without an endpoint it is the v1 push, whose receiver is in the brand's settings. */
export async function queueDelivery(
  deps: Deps,
  trx: Trx,
  what: Happening & { endpointUuid: string | null },
): Promise<string> {
  const uuid = deps.random.uuid();
  const now = deps.clock.now();
  await trx
    .insertInto("webhook_delivery")
    .values({
      uuid,
      environment: deps.environment,
      brand_uuid: what.brandUuid,
      endpoint_uuid: what.endpointUuid,
      event: what.event,
      subject_uuid: what.subjectUuid,
      data_key_uuid: what.dataKey.uuid,
      sealed: deps.vault.seal(what.dataKey, deliveryPlace(uuid), what.body),
      status: "pending",
      created_at: now,
      next_attempt_at: now,
      is_test: what.isTest ?? false,
    })
    .execute();
  await scheduleDelivery(deps, trx, { uuid, concurrencyGroup: what.endpointUuid ?? what.brandUuid, dueAt: now });
  return uuid;
}

export async function scheduleDelivery(deps: Deps, trx: Trx, what: DueDelivery): Promise<void> {
  await enqueue(trx, deliveryJob(deps, what));
}

type DueDelivery = { uuid: string; concurrencyGroup: string; dueAt: number };

/** The job of an attempt. */
export function deliveryJob({ environment }: Deps, { uuid, concurrencyGroup, dueAt }: DueDelivery): NewJob {
  return { environment, name: "webhook.deliver", subject: uuid, dueAt, payload: { deliveryUuid: uuid }, concurrencyGroup };
}
