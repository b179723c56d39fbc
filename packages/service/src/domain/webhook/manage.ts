/** Changes, deletes and tests a brand's webhooks. */

import type { WebhookAuthentication } from "@countersign/contract/webhook";
import { sql } from "kysely";
import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import type { Alongside } from "../brand/manage.ts";
import type { Deps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { endpointProblems, lockEndpoint, saveSecrets, type WebhookEndpoint } from "./endpoint.ts";
import { healthLookupEvent, queueDelivery } from "./publish.ts";
import { madeUpLookup } from "./test-event.ts";

/** A webhook that has failed for this long needs attention, in milliseconds. */
const attentionAfterMs = 5 * 24 * 60 * 60_000;
const testsMax = 10;
const testsWindowMs = 60_000;

export type EndpointEdit = { url?: string; authentication?: WebhookAuthentication; enabled?: boolean };

export function needsAttention({ failingSince }: Pick<WebhookEndpoint, "failingSince">, now: number): boolean {
  return failingSince !== null && now - failingSince >= attentionAfterMs;
}

/** A URL that is safe to show and log. The query may contain a secret. */
export function addressWithoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}

/** Changes a webhook. Its credentials are never sent to another origin, so a new origin needs new credentials. */
export async function editEndpoint(
  deps: Deps,
  uuid: string,
  edit: EndpointEdit,
  alongside: Alongside<WebhookEndpoint>,
): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    const endpoint = await lockEndpoint(deps, trx, uuid);
    const { secrets } = endpoint;
    const url = edit.url ?? secrets.url;
    const authentication = edit.authentication ?? secrets.authentication;
    // A webhook whose URL is no longer allowed can still be switched off.
    const isOnlyOff = edit.url === undefined && edit.authentication === undefined && edit.enabled === false;
    const problems = isOnlyOff ? [] : endpointProblems(deps, { url, authentication });
    if (problems.length > 0) throw invalid(problems);
    const isElsewhere = new URL(url).origin !== new URL(secrets.url).origin;
    if (isElsewhere && edit.authentication === undefined && secrets.authentication.type !== "none")
      throw invalid([{ path: "body.authentication", message: "must be given again for another host" }]);
    await saveSecrets(deps, trx, endpoint, { ...secrets, url, authentication });
    await trx
      .updateTable("webhook_endpoint")
      .set({
        disabled_at: edit.enabled === undefined ? endpoint.disabledAt : offSince(deps, endpoint, edit.enabled),
        // A new URL has not failed yet. A webhook that is switched on again was not called while it was off.
        failing_since: url !== secrets.url || edit.enabled === true ? null : endpoint.failingSince,
      })
      .where("uuid", "=", uuid)
      .execute();
    await alongside(trx, endpoint);
  });
}

function offSince(deps: Deps, { disabledAt }: WebhookEndpoint, enabled: boolean): number | null {
  return enabled ? null : (disabledAt ?? deps.clock.now());
}

/** Deletes a webhook. Pending deliveries end now, and all bodies and secrets are erased. */
export async function deleteEndpoint(deps: Deps, uuid: string, alongside?: Alongside<WebhookEndpoint>): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const endpoint = await lockEndpoint(deps, trx, uuid);
    await endDeliveries(trx, uuid, now);
    await trx.updateTable("webhook_endpoint").set({ deleted_at: now }).where("uuid", "=", uuid).execute();
    await destroyDataKeys(trx, [endpoint.dataKeyUuid], now);
    await alongside?.(trx, endpoint);
  });
}

async function endDeliveries(trx: Trx, endpointUuid: string, now: number): Promise<void> {
  // Lock pending deliveries in uuid order, as recording results does, to avoid deadlocks. A result is recorded before
  // this lock or not at all.
  await trx
    .selectFrom("webhook_delivery")
    .select("uuid")
    .where("endpoint_uuid", "=", endpointUuid)
    .where("status", "=", "pending")
    .orderBy("uuid")
    .forUpdate()
    .execute();
  await trx
    .insertInto("webhook_attempt")
    .columns(["delivery_uuid", "at", "error", "duration_ms"])
    .expression((eb) =>
      eb
        .selectFrom("webhook_delivery")
        .select(["uuid", sql<number>`${now}::bigint`.as("at"), sql<string>`'the webhook was deleted'`.as("error")])
        .select(sql<number>`0`.as("duration_ms"))
        .where("endpoint_uuid", "=", endpointUuid)
        .where("status", "=", "pending"),
    )
    .execute();
  await trx
    .updateTable("webhook_delivery")
    .set({ status: "deadLettered", next_attempt_at: null, finished_at: now })
    .where("endpoint_uuid", "=", endpointUuid)
    .where("status", "=", "pending")
    .execute();
  await trx.updateTable("webhook_delivery").set({ sealed: null }).where("endpoint_uuid", "=", endpointUuid).execute();
  await trx.deleteFrom("listener_offer").where("endpoint_uuid", "=", endpointUuid).execute();
}

/** Sends a test event without personal data, in the same way as a real event. */
export async function sendTest(deps: Deps, uuid: string, alongside?: Alongside<WebhookEndpoint>): Promise<string> {
  const delivery = await deps.db.inTransaction(async (trx) => {
    const endpoint = await lockEndpoint(deps, trx, uuid);
    const problem = endpoint.heardAt === null ? deps.outbound.judge(endpoint.secrets.url) : null;
    if (problem !== null) throw invalid([{ path: "body.url", message: problem }]);
    if (endpoint.disabledAt !== null) throw refuse(409, "The webhook is switched off.");
    await assertNotTooMany(deps, trx, uuid);
    const subjectUuid = deps.random.uuid();
    const made = await queueDelivery(deps, trx, {
      brandUuid: endpoint.brandUuid,
      endpointUuid: uuid,
      event: healthLookupEvent,
      subjectUuid,
      dataKey: await deps.vault.readDataKey(trx, endpoint.dataKeyUuid),
      body: madeUpLookup(subjectUuid, deps.clock.now()),
      isTest: true,
    });
    await alongside?.(trx, endpoint);
    return made;
  });
  deps.wakeJobs();
  return delivery;
}

/** Limits test events, because the receiver's owner may not have asked for them. */
async function assertNotTooMany(deps: Deps, trx: Trx, endpointUuid: string): Promise<void> {
  const { count } = await trx
    .selectFrom("webhook_delivery")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("endpoint_uuid", "=", endpointUuid)
    .where("is_test", "=", true)
    .where("created_at", ">", deps.clock.now() - testsWindowMs)
    .executeTakeFirstOrThrow();
  if (count >= testsMax) throw refuse(429, `At most ${testsMax} test events a minute.`);
}
