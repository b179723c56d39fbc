/** Job: one attempt at one delivery. Only a 2xx is an acknowledgement; everything else follows the schedule. */
import type { WebhookAuthentication } from "@countersign/contract/webhook";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { findBrand } from "../brand/store.ts";
import type { Deps } from "../deps.ts";
import type { OutboundAnswer } from "../ports.ts";
import { findEndpoint, signingSecrets } from "./endpoint.ts";
import { deliveryPlace, scheduleDelivery } from "./publish.ts";
import { deadLetterKeptMs, deliveredKeptMs, deliveryTimeoutMs, retryDelaysMs, webhookSignature } from "./sign.ts";

/** How late an attempt may be and still count as on time. */
const driftMs = 1_000;

type DeliveryRow = {
  uuid: string;
  brand_uuid: string;
  endpoint_uuid: string | null;
  data_key_uuid: string;
  sealed: Buffer | null;
  attempts: number;
  next_attempt_at: number | null;
};
type Request = { url: string; headers: Record<string, string>; body: string };
/** Why nothing can be sent: now, or ever. */
type Hindrance = { error: string; isFinal: boolean };
type Outcome = { startedAt: number; answer: OutboundAnswer; isFinal: boolean };

const noReceiver: Hindrance = { error: "there is no receiver any more", isFinal: false };
const receiverDeleted: Hindrance = { error: "the webhook was deleted", isFinal: true };
const brandStopped: Hindrance = { error: "the brand is stopped", isFinal: false };
/** The schedule goes on: what is switched on again in time gets it still. */
const receiverOff: Hindrance = { error: "the webhook is switched off", isFinal: false };

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
      : { startedAt, answer: await deps.outbound.post({ ...request, timeoutMs: deliveryTimeoutMs }), isFinal: false };
  await deps.db.transaction().execute(async (trx) => {
    // First: whoever deletes a webhook holds it before its deliveries.
    if (row.endpoint_uuid !== null && !("error" in request)) await noteHealth(trx, row.endpoint_uuid, outcome);
    await settle(deps, trx, row, outcome);
  });
}

/** What is sent: the body as it was fixed, and headers made for this attempt. */
async function requestFor(deps: Deps, row: DeliveryRow, now: number): Promise<Request | Hindrance> {
  if (row.sealed === null) return noReceiver;
  const key = await deps.db
    .selectFrom("data_key")
    .select("wrapped")
    .where("uuid", "=", row.data_key_uuid)
    .executeTakeFirst();
  if (key === undefined || key.wrapped === null) return noReceiver;
  const brand = await findBrand(deps.db, deps.environment, row.brand_uuid);
  if (brand === null) return noReceiver;
  if (brand.mode === "stopped") return brandStopped;
  const body = JSON.stringify(
    deps.vault.open(deps.vault.openDataKey(row.data_key_uuid, key.wrapped), deliveryPlace(row.uuid), row.sealed),
  );
  const common = { "content-type": "application/json", "user-agent": "Countersign-Webhook/1.0" };
  if (row.endpoint_uuid === null) {
    const { push } = brand.settings.v1;
    if (push === null) return noReceiver;
    const headers: Record<string, string> = { ...common, "x-signature": deps.vault.signPush(Buffer.from(body)) };
    if (push.authorization !== undefined) headers.authorization = push.authorization;
    return { url: push.url, body, headers };
  }
  const endpoint = await findEndpoint(deps, deps.db, row.endpoint_uuid);
  if (endpoint === null) return receiverDeleted;
  if (endpoint.disabledAt !== null) return receiverOff;
  const timestamp = String(Math.floor(now / 1000));
  const headers: Record<string, string> = {
    ...common,
    "x-webhook-timestamp": timestamp,
    "x-webhook-signature": webhookSignature(signingSecrets(endpoint, now), timestamp, body),
    ...authenticationHeader(endpoint.secrets.authentication),
  };
  return { url: endpoint.secrets.url, body, headers };
}

function authenticationHeader(authentication: WebhookAuthentication): Record<string, string> {
  if (authentication.type === "apiKey") return { [authentication.header.toLowerCase()]: authentication.value };
  if (authentication.type === "none") return {};
  const { username, password } = authentication;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
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
