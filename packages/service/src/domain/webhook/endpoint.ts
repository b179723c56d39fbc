/** Defines, changes and deletes a brand's webhooks. */
import { maskedAddress } from "@countersign/contract/masked-address";
import { dayMs } from "@countersign/contract/time";
import { usualWebhookEvents, type WebhookAuthentication, type WebhookEventName } from "@countersign/contract/webhook";
import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { HomeTrx } from "../../store/database.ts";
import type { Change } from "../../store/statements/tables.ts";
import { type AccountActor, type AccountEntry, recordChange } from "../audit/account-audit-rows.ts";
import { announceBrandChange } from "../brand/brand-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { invalid, type Problem, refuse } from "../failure.ts";
import { insertAttempts } from "./attempt-rows.ts";
import { endDeliveries, listUnended } from "./delivery-rows.ts";
import {
  countEndpoints,
  endpointsMax,
  insertEndpoint,
  listDeleted,
  lockEndpoint,
  markEndpointDeleted,
  updateEndpoint,
  type WebhookEndpoint,
} from "./endpoint-rows.ts";
import { deleteOffersOf } from "./offer-rows.ts";

const secretBytes = 32;
/** How long both secrets sign after a rotation, in milliseconds. */
const rotationOverlapMs = dayMs;
/** A webhook that has failed for this long needs attention, in milliseconds. */
const attentionAfterMs = 5 * dayMs;
/** How long sweeps look for deliveries of a deleted webhook, in milliseconds. By then, all of them have expired. */
const deletedSweptMs = 16 * dayMs;

type Settable = { url: string; authentication: WebhookAuthentication; events?: readonly WebhookEventName[] };
export type EndpointEdit = Partial<Settable> & { enabled?: boolean };

function newSecret(deps: HomeDeps): string {
  return `whsec_${deps.random.bytes(secretBytes).toString("base64")}`;
}

/** Headers that every request already has. A brand's authentication header must not replace them. */
const reservedHeaders = new Set([
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "x-webhook-signature",
  "x-webhook-timestamp",
]);

/** Problems of a webhook's URL and authentication header. */
function endpointProblems(
  deps: HomeDeps,
  { url, authentication }: { url: string; authentication: WebhookAuthentication },
): Problem[] {
  const problem = deps.vendors.outbound.judge(url);
  const isReserved = authentication.type === "apiKey" && reservedHeaders.has(authentication.header.toLowerCase());
  return [
    ...(problem === null ? [] : [{ path: "body.url", message: problem }]),
    ...(isReserved
      ? [{ path: "body.authentication.header", message: "Use another header. Every request already has this one." }]
      : []),
  ];
}

/** Defines a webhook. The URL is validated now as text, and its IP address on each delivery. */
export async function defineEndpoint(
  deps: HomeDeps,
  brandUuid: string,
  input: Settable,
  by?: AccountActor,
): Promise<{ uuid: string; url: string; signingSecret: string }> {
  const problems = endpointProblems(deps, input);
  if (problems.length > 0) throw invalid(problems);
  return await createEndpoint(deps, brandUuid, { ...input, heardAt: null }, by);
}

/** Stores a new webhook. The caller has validated the URL, or the URL is never called. */
export async function createEndpoint(
  deps: HomeDeps,
  brandUuid: string,
  { heardAt, events = usualWebhookEvents, ...input }: Settable & { heardAt: number | null },
  by?: AccountActor,
): Promise<{ uuid: string; url: string; signingSecret: string }> {
  const uuid = deps.random.uuid();
  const secret = newSecret(deps);
  const createdAt = deps.clock.now();
  await deps.home.inTransaction(async (trx) => {
    if ((await countEndpoints(deps, trx, brandUuid)) >= endpointsMax)
      throw refuse(409, `A brand has at most ${endpointsMax} webhooks.`);
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, createdAt);
    const secrets = { ...input, secret, previousSecret: null };
    await insertEndpoint(deps, trx, { uuid, brandUuid, events, createdAt, heardAt, dataKey, secrets });
    await announceBrandChange(trx);
    const { environment } = deps;
    const entry =
      heardAt === null
        ? { action: "webhook.created" as const, subject: maskedAddress(input.url) }
        : { action: "listener.opened" as const };
    await recordChange(deps, trx, by, { ...entry, brandUuid, environment });
  });
  return { uuid, url: input.url, signingSecret: secret };
}

/** Creates a new secret. The old one also signs for a day. */
export async function rotateSecret(
  deps: HomeDeps,
  uuid: string,
  by?: AccountActor,
): Promise<{ signingSecret: string; previousSecretUntil: number }> {
  const secret = newSecret(deps);
  const previousSecretUntil = deps.clock.now() + rotationOverlapMs;
  await deps.home.inTransaction(async (trx) => {
    const endpoint = await lockExisting(deps, trx, uuid);
    const secrets = { ...endpoint.secrets, secret, previousSecret: endpoint.secrets.secret };
    await updateEndpoint(deps, trx, { ...endpoint, secrets, previousSecretUntil });
    await recordAbout(deps, trx, by, { action: "webhook.rotated", endpoint });
  });
  return { signingSecret: secret, previousSecretUntil };
}

/** Locks a webhook until the transaction ends, and reads it. */
export async function lockExisting(deps: HomeDeps, trx: HomeTrx, uuid: string): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(deps, trx, uuid);
  if (endpoint === null) throw refuse(404, "No such webhook.");
  return endpoint;
}

export function needsAttention({ failingSince }: Pick<WebhookEndpoint, "failingSince">, now: number): boolean {
  return failingSince !== null && now - failingSince >= attentionAfterMs;
}

/** Changes a webhook. Its credentials are never sent to another origin, so a new origin needs new credentials. */
export async function editEndpoint(deps: HomeDeps, uuid: string, edit: EndpointEdit, by: AccountActor): Promise<void> {
  await deps.home.inTransaction(async (trx) => {
    const endpoint = await lockExisting(deps, trx, uuid);
    const { secrets } = endpoint;
    const url = edit.url ?? secrets.url;
    const authentication = edit.authentication ?? secrets.authentication;
    // A webhook can be disabled even if its URL is no longer allowed.
    const isOnlyOff = Object.keys(edit).length === 1 && edit.enabled === false;
    const problems = isOnlyOff ? [] : endpointProblems(deps, { url, authentication });
    if (problems.length > 0) throw invalid(problems);
    const switchedOffAt = edit.enabled === true ? null : (endpoint.disabledAt ?? deps.clock.now());
    const isElsewhere = new URL(url).origin !== new URL(secrets.url).origin;
    if (isElsewhere && edit.authentication === undefined && secrets.authentication.type !== "none")
      throw invalid([{ path: "body.authentication", message: "Enter it again, because the host has changed." }]);
    await updateEndpoint(deps, trx, {
      ...endpoint,
      secrets: { ...secrets, url, authentication },
      events: edit.events ?? endpoint.events,
      disabledAt: edit.enabled === undefined ? endpoint.disabledAt : switchedOffAt,
      // A new URL has not failed yet, and a webhook that was off was not called.
      failingSince: url !== secrets.url || edit.enabled === true ? null : endpoint.failingSince,
    });
    await announceBrandChange(trx);
    await recordAbout(deps, trx, by, { action: "webhook.changed", endpoint, changes: changesOf(endpoint, edit) });
  });
}

/** The changes of a webhook, without secrets. */
function changesOf(
  { secrets, disabledAt, events: before }: WebhookEndpoint,
  { url, authentication, events, enabled }: EndpointEdit,
): Change[] {
  const onOrOff = (isOn: boolean) => (isOn ? "on" : "off");
  return [
    ...(url === undefined || url === secrets.url
      ? []
      : [{ path: "url", from: maskedAddress(secrets.url), to: maskedAddress(url) }]),
    ...(authentication === undefined
      ? []
      : [{ path: "authentication", from: secrets.authentication.type, to: authentication.type }]),
    ...(events === undefined || events.join() === before.join()
      ? []
      : [{ path: "events", from: before.join(", "), to: events.join(", ") }]),
    ...(enabled === undefined || enabled === (disabledAt === null)
      ? []
      : [{ path: "enabled", from: onOrOff(disabledAt === null), to: onOrOff(enabled) }]),
  ];
}

/** Records an action on a webhook. Sandbox control names only the webhook whose secret it rotates. */
export async function recordAbout(
  deps: HomeDeps,
  trx: HomeTrx,
  by: AccountActor | undefined,
  { endpoint, ...entry }: Pick<AccountEntry, "action" | "changes"> & { endpoint: WebhookEndpoint },
): Promise<void> {
  const { brandUuid, secrets } = endpoint;
  const isNamed = by?.member.uuid !== null || entry.action === "webhook.rotated";
  const subject = isNamed ? maskedAddress(secrets.url) : undefined;
  await recordChange(deps, trx, by, { ...entry, brandUuid, environment: deps.environment, subject });
}

/**
 * Deletes a webhook. First it is marked as deleted and its secrets are destroyed. Then each cell in turn ends its
 * pending deliveries and erases all bodies. After a crash, the next sweep of each cell does its part.
 */
export async function deleteEndpoint(deps: HomeDeps, uuid: string, by?: AccountActor): Promise<void> {
  await deleteEndpointFrom(deps, deps.cells.all(), uuid, by);
}

/** Like `deleteEndpoint`, but ends only the deliveries of these cells now. */
export async function deleteEndpointFrom(
  deps: HomeDeps,
  cells: readonly Deps[],
  uuid: string,
  by?: AccountActor,
): Promise<void> {
  const now = deps.clock.now();
  await deps.home.inTransaction(async (trx) => {
    const endpoint = await lockExisting(deps, trx, uuid);
    await Promise.all([
      markEndpointDeleted(trx, uuid, now),
      destroyDataKeys(trx, [endpoint.dataKeyUuid], now),
      announceBrandChange(trx),
    ]);
    await recordAbout(deps, trx, by, { action: "webhook.deleted", endpoint });
  });
  for (const cell of cells) await endDeliveriesTo(cell, uuid);
}

/** Ends the deliveries of this cell to deleted webhooks, if a deletion was interrupted. Safe to repeat. */
export async function endDeliveriesToDeleted(deps: Deps): Promise<void> {
  const deleted = await listDeleted(deps, deps.clock.now() - deletedSweptMs);
  if (deleted.length === 0) return;
  for (const uuid of await listUnended(deps.db, deleted)) await endDeliveriesTo(deps, uuid);
}

/** Ends the pending deliveries to a deleted webhook, and erases all bodies. Safe to repeat. */
export async function endDeliveriesTo(deps: Deps, uuid: string): Promise<void> {
  const now = deps.clock.now();
  const last = { at: now, httpStatus: null, error: "the webhook was deleted", durationMs: 0, sealed: null };
  await deps.db.inTransaction(async (trx) => {
    const ended = await endDeliveries(trx, { endpointUuid: uuid }, now);
    await Promise.all([
      insertAttempts(
        trx,
        ended.map((delivery) => ({ deliveryUuid: delivery.uuid, ...last })),
      ),
      deleteOffersOf(trx, uuid),
    ]);
  });
}
