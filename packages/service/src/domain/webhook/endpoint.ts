import type { WebhookAuthentication } from "@countersign/contract/webhook";
import type { Reader, Trx } from "../../store/database.ts";
import type { Alongside } from "../brand/manage.ts";
import type { Deps } from "../deps.ts";
import { invalid, type Problem, refuse } from "../failure.ts";
import { rotationOverlapMs } from "./sign.ts";

/** The encrypted part of a webhook's row. */
export type EndpointSecrets = {
  url: string;
  authentication: WebhookAuthentication;
  secret: string;
  previousSecret: string | null;
};
export type WebhookEndpoint = {
  uuid: string;
  brandUuid: string;
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
const endpointsMax = 20;
const secretBytes = 32;
const place = (uuid: string) => ({ table: "webhook_endpoint", row: uuid });

function newSecret(deps: Deps): string {
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

/** Validates the URL and the authentication header of a webhook. */
export function endpointProblems(
  deps: Deps,
  { url, authentication }: { url: string; authentication: WebhookAuthentication },
): Problem[] {
  const problem = deps.outbound.judge(url);
  const isReserved = authentication.type === "apiKey" && reservedHeaders.has(authentication.header.toLowerCase());
  return [
    ...(problem === null ? [] : [{ path: "body.url", message: problem }]),
    ...(isReserved ? [{ path: "body.authentication.header", message: "is a header that every request has" }] : []),
  ];
}

/** Defines a webhook. The URL is validated now as text, and its IP address on each delivery. */
export async function defineEndpoint(
  deps: Deps,
  brandUuid: string,
  what: { url: string; authentication: WebhookAuthentication },
  alongside?: Alongside,
): Promise<{ uuid: string; url: string; signingSecret: string }> {
  const problems = endpointProblems(deps, what);
  if (problems.length > 0) throw invalid(problems);
  return await insertEndpoint(deps, brandUuid, { ...what, heardAt: null }, alongside);
}

/** Stores a webhook. The caller has validated the URL, or the URL is never called. */
export async function insertEndpoint(
  deps: Deps,
  brandUuid: string,
  { heardAt, ...what }: { url: string; authentication: WebhookAuthentication; heardAt: number | null },
  alongside?: Alongside,
): Promise<{ uuid: string; url: string; signingSecret: string }> {
  const uuid = deps.random.uuid();
  const secret = newSecret(deps);
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    await trx.selectFrom("brand").select("uuid").where("uuid", "=", brandUuid).forNoKeyUpdate().execute();
    const { count } = await trx
      .selectFrom("webhook_endpoint")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("brand_uuid", "=", brandUuid)
      .where("environment", "=", deps.environment)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    if (count >= endpointsMax) throw refuse(409, `A brand has at most ${endpointsMax} webhooks.`);
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
    const secrets: EndpointSecrets = { ...what, secret, previousSecret: null };
    await trx
      .insertInto("webhook_endpoint")
      .values({
        uuid,
        environment: deps.environment,
        brand_uuid: brandUuid,
        data_key_uuid: dataKey.uuid,
        sealed: deps.vault.seal(dataKey, place(uuid), secrets),
        created_at: now,
        heard_at: heardAt,
      })
      .execute();
    await alongside?.(trx);
  });
  return { uuid, url: what.url, signingSecret: secret };
}

/** Creates a new secret. The old one also signs for a day. */
export async function rotateSecret(
  deps: Deps,
  uuid: string,
  alongside?: Alongside<WebhookEndpoint>,
): Promise<{ signingSecret: string; previousSecretUntil: number }> {
  const secret = newSecret(deps);
  const previousSecretUntil = deps.clock.now() + rotationOverlapMs;
  await deps.db.inTransaction(async (trx) => {
    const endpoint = await lockEndpoint(deps, trx, uuid);
    const secrets = { ...endpoint.secrets, secret, previousSecret: endpoint.secrets.secret };
    await saveSecrets(deps, trx, endpoint, secrets);
    await trx
      .updateTable("webhook_endpoint")
      .set({ previous_secret_until: previousSecretUntil })
      .where("uuid", "=", uuid)
      .execute();
    await alongside?.(trx, endpoint);
  });
  return { signingSecret: secret, previousSecretUntil };
}

/** Locks a webhook until the transaction ends, and reads it. */
export async function lockEndpoint(deps: Deps, trx: Trx, uuid: string): Promise<WebhookEndpoint> {
  await trx.selectFrom("webhook_endpoint").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
  const endpoint = await findEndpoint(deps, trx, uuid);
  if (endpoint === null) throw refuse(404, "No such webhook.");
  return endpoint;
}

export async function saveSecrets(
  deps: Deps,
  trx: Trx,
  { uuid, dataKeyUuid }: WebhookEndpoint,
  secrets: EndpointSecrets,
): Promise<void> {
  const dataKey = await deps.vault.readDataKey(trx, dataKeyUuid);
  const sealed = deps.vault.seal(dataKey, place(uuid), secrets);
  await trx.updateTable("webhook_endpoint").set({ sealed }).where("uuid", "=", uuid).execute();
}

/** Deleted webhooks are not found. */
export async function findEndpoint(deps: Deps, reader: Reader, uuid: string): Promise<WebhookEndpoint | null> {
  const row = await selectEndpoints(deps, reader).where("webhook_endpoint.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : endpointOf(deps, row);
}

/** Webhooks by uuid, without deleted ones. */
export async function findEndpoints(deps: Deps, uuids: readonly string[]): Promise<Map<string, WebhookEndpoint>> {
  if (uuids.length === 0) return new Map();
  const rows = await selectEndpoints(deps, deps.db)
    .where(({ eb, fn, val }) => eb("webhook_endpoint.uuid", "=", fn.any(val(uuids))))
    .execute();
  return new Map(rows.map((row) => [row.uuid, endpointOf(deps, row)]));
}

/** A brand's webhooks, oldest first. */
export async function listEndpoints(deps: Deps, brandUuid: string): Promise<WebhookEndpoint[]> {
  const rows = await selectEndpoints(deps, deps.db)
    .where("webhook_endpoint.brand_uuid", "=", brandUuid)
    .orderBy("webhook_endpoint.created_at")
    .orderBy("webhook_endpoint.uuid")
    .limit(endpointsMax)
    .execute();
  return rows.map((row) => endpointOf(deps, row));
}

function selectEndpoints(deps: Deps, reader: Reader) {
  return reader
    .selectFrom("webhook_endpoint")
    .innerJoin("data_key", "data_key.uuid", "webhook_endpoint.data_key_uuid")
    .select(["webhook_endpoint.uuid", "brand_uuid", "data_key_uuid", "sealed", "previous_secret_until"])
    .select(["webhook_endpoint.created_at", "disabled_at", "failing_since", "heard_at", "data_key.wrapped"])
    .where("webhook_endpoint.environment", "=", deps.environment)
    .where("webhook_endpoint.deleted_at", "is", null);
}

type EndpointRow = Awaited<ReturnType<ReturnType<typeof selectEndpoints>["executeTakeFirstOrThrow"]>>;

function endpointOf(deps: Deps, row: EndpointRow): WebhookEndpoint {
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    dataKeyUuid: row.data_key_uuid,
    previousSecretUntil: row.previous_secret_until,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
    heardAt: row.heard_at,
    secrets: deps.vault.open<EndpointSecrets>(dataKey, place(row.uuid), row.sealed),
  };
}

/** The secrets that sign requests now, the current one first. */
export function signingSecrets(endpoint: WebhookEndpoint, now: number): string[] {
  const { secret, previousSecret } = endpoint.secrets;
  const overlaps = previousSecret !== null && now < (endpoint.previousSecretUntil ?? 0);
  return overlaps ? [secret, previousSecret] : [secret];
}

export async function brandOfDelivery(deps: Deps, uuid: string): Promise<string | undefined> {
  const row = await deps.db
    .selectFrom("webhook_delivery")
    .select("brand_uuid")
    .where("uuid", "=", uuid)
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  return row?.brand_uuid;
}
