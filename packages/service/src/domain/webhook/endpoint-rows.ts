/** The rows of webhooks. Transactions that lock several webhooks lock them in uuid order. */
import type { WebhookAuthentication, WebhookEventName } from "@countersign/contract/webhook";
import type { Home, HomeReader, HomeTrx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import type { DataKey } from "../../store/vault.ts";
import { lockBrandRow } from "../brand/brand-rows.ts";
import type { HomeDeps } from "../deps.ts";

/** The encrypted part of a webhook's row. */
type EndpointSecrets = {
  url: string;
  authentication: WebhookAuthentication;
  secret: string;
  previousSecret: string | null;
};
export type WebhookEndpoint = {
  uuid: string;
  brandUuid: string;
  events: readonly WebhookEventName[];
  dataKeyUuid: string;
  previousSecretUntil: number | null;
  createdAt: number;
  disabledAt: number | null;
  failingSince: number | null;
  /** When the listener last polled, in real time; null if requests are sent instead of fetched. */
  heardAt: number | null;
  secrets: EndpointSecrets;
};

/** Maximum number of webhooks per brand. */
export const endpointsMax = 20;

const place = (uuid: string) => placeOf("webhook_endpoint", uuid);

/** Locks a brand, so that no other transaction adds a webhook, and counts its webhooks. */
export async function countEndpoints(deps: HomeDeps, trx: HomeTrx, brandUuid: string): Promise<number> {
  const [, { count }] = await Promise.all([
    lockBrandRow(trx, brandUuid),
    trx
      .selectFrom("webhook_endpoint")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("brand_uuid", "=", brandUuid)
      .where("environment", "=", deps.environment)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow(),
  ]);
  return count;
}

export async function insertEndpoint(
  deps: HomeDeps,
  trx: HomeTrx,
  input: Pick<WebhookEndpoint, "uuid" | "brandUuid" | "events" | "createdAt" | "heardAt" | "secrets"> & {
    dataKey: DataKey;
  },
): Promise<void> {
  await trx
    .insertInto("webhook_endpoint")
    .values({
      uuid: input.uuid,
      environment: deps.environment,
      brand_uuid: input.brandUuid,
      data_key_uuid: input.dataKey.uuid,
      sealed: deps.vault.seal(input.dataKey, place(input.uuid), input.secrets),
      events: [...input.events],
      created_at: input.createdAt,
      heard_at: input.heardAt,
    })
    .execute();
}

/** Locks a webhook until the transaction ends, and reads it. */
export async function lockEndpoint(deps: HomeDeps, trx: HomeTrx, uuid: string): Promise<WebhookEndpoint | null> {
  const [, endpoint] = await Promise.all([
    trx.selectFrom("webhook_endpoint").select("uuid").where("uuid", "=", uuid).forUpdate().execute(),
    findEndpoint(deps, trx, uuid),
  ]);
  return endpoint;
}

/** Stores the changes of a locked webhook. */
export async function updateEndpoint(deps: HomeDeps, trx: HomeTrx, endpoint: WebhookEndpoint): Promise<void> {
  const { uuid, dataKeyUuid, secrets, events, previousSecretUntil, disabledAt, failingSince } = endpoint;
  const dataKey = await deps.vault.readDataKey(trx, dataKeyUuid);
  await trx
    .updateTable("webhook_endpoint")
    .set({
      sealed: deps.vault.seal(dataKey, place(uuid), secrets),
      events: [...events],
      previous_secret_until: previousSecretUntil,
      disabled_at: disabledAt,
      failing_since: failingSince,
    })
    .where("uuid", "=", uuid)
    .execute();
}

/** Marks a webhook as deleted. Its row remains for its deliveries. */
export async function markEndpointDeleted(trx: HomeTrx, uuid: string, now: number): Promise<void> {
  await trx.updateTable("webhook_endpoint").set({ deleted_at: now }).where("uuid", "=", uuid).execute();
}

/** Deleted webhooks are not found. */
export async function findEndpoint(deps: HomeDeps, reader: HomeReader, uuid: string): Promise<WebhookEndpoint | null> {
  const row = await selectEndpoints(deps, reader).where("webhook_endpoint.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : endpointOf(deps, row);
}

/** Webhooks by uuid, without deleted ones. */
export async function findEndpoints(deps: HomeDeps, uuids: readonly string[]): Promise<Map<string, WebhookEndpoint>> {
  if (uuids.length === 0) return new Map();
  const rows = await selectEndpoints(deps, deps.home)
    .where(({ eb, fn, val }) => eb("webhook_endpoint.uuid", "=", fn.any(val(uuids))))
    .execute();
  return new Map(rows.map((row) => [row.uuid, endpointOf(deps, row)]));
}

/** A brand's webhooks, oldest first. */
export async function listEndpoints(deps: HomeDeps, brandUuid: string): Promise<WebhookEndpoint[]> {
  const rows = await selectEndpoints(deps, deps.home)
    .where("webhook_endpoint.brand_uuid", "=", brandUuid)
    .orderBy("webhook_endpoint.created_at")
    .orderBy("webhook_endpoint.uuid")
    .limit(endpointsMax)
    .execute();
  return rows.map((row) => endpointOf(deps, row));
}

/** The uuids of a brand's webhooks that are switched on and get an event. */
export async function listEnabledEndpoints(
  deps: HomeDeps,
  brandUuid: string,
  event: WebhookEventName,
): Promise<string[]> {
  const rows = await deps.home
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", deps.environment)
    .where("disabled_at", "is", null)
    .where("deleted_at", "is", null)
    .where(({ eb, fn, val }) => eb(val(event), "=", fn.any("events")))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

function selectEndpoints(deps: HomeDeps, reader: HomeReader) {
  return reader
    .selectFrom("webhook_endpoint")
    .innerJoin("data_key", "data_key.uuid", "webhook_endpoint.data_key_uuid")
    .select(["webhook_endpoint.uuid", "brand_uuid", "data_key_uuid", "sealed", "previous_secret_until"])
    .select([
      "webhook_endpoint.events",
      "webhook_endpoint.created_at",
      "disabled_at",
      "failing_since",
      "heard_at",
      "data_key.wrapped",
    ])
    .where("webhook_endpoint.environment", "=", deps.environment)
    .where("webhook_endpoint.deleted_at", "is", null);
}

type EndpointRow = Awaited<ReturnType<ReturnType<typeof selectEndpoints>["executeTakeFirstOrThrow"]>>;

function endpointOf(deps: HomeDeps, row: EndpointRow): WebhookEndpoint {
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    events: row.events,
    dataKeyUuid: row.data_key_uuid,
    previousSecretUntil: row.previous_secret_until,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
    heardAt: row.heard_at,
    secrets: deps.vault.open<EndpointSecrets>(dataKey, place(row.uuid), row.sealed),
  };
}

/**
 * Locks webhooks in uuid order. Returns since when each one has been failing. Null: the last attempt was acknowledged.
 */
export async function lockFailing(trx: HomeTrx, uuids: readonly string[]): Promise<Map<string, number | null>> {
  if (uuids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("webhook_endpoint")
    .select(["uuid", "failing_since"])
    .where(({ eb, fn, val }) => eb("uuid", "=", fn.any(val(uuids))))
    .orderBy("uuid")
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map(({ uuid, failing_since }) => [uuid, failing_since]));
}

export async function setFailingSince(trx: HomeTrx, uuid: string, failingSince: number | null): Promise<void> {
  await trx.updateTable("webhook_endpoint").set({ failing_since: failingSince }).where("uuid", "=", uuid).execute();
}

/** Records that a listener polled at `heardAt`. False if the listener does not exist. */
export async function recordPoll(db: Home, uuid: string, heardAt: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_endpoint")
    .set({ heard_at: heardAt })
    .where("uuid", "=", uuid)
    .where("heard_at", "is not", null)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether a listener has polled after `since`. */
export async function hasPolled(db: Home, uuid: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("uuid", "=", uuid)
    .where("deleted_at", "is", null)
    .where("heard_at", ">", since)
    .executeTakeFirst();
  return row !== undefined;
}

/** The uuids of at most `max` listeners that have not polled after `since`. */
export async function listSilentListeners(
  deps: HomeDeps,
  { since, max }: { since: number; max: number },
): Promise<string[]> {
  const rows = await deps.home
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("environment", "=", deps.environment)
    .where("deleted_at", "is", null)
    .where("heard_at", "<=", since)
    .limit(max)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** The uuids of webhooks that were deleted after `since`. */
export async function listDeleted({ home, environment }: HomeDeps, since: number): Promise<string[]> {
  const rows = await home
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("environment", "=", environment)
    .where("deleted_at", ">", since)
    .execute();
  return rows.map(({ uuid }) => uuid);
}
