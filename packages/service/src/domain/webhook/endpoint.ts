import type { WebhookAuthentication } from "@countersign/contract/webhook";
import type { Reader } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import { rotationOverlapMs } from "./sign.ts";

/** What is sealed of an endpoint. */
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
  secrets: EndpointSecrets;
};

/** Endpoints that one brand may define. */
const endpointsMax = 20;
const secretBytes = 32;
const place = (uuid: string) => ({ table: "webhook_endpoint", row: uuid });

function newSecret(deps: Deps): string {
  return `whsec_${deps.random.bytes(secretBytes).toString("base64")}`;
}

/** Defines a webhook. Its address is judged now for what it says, and at each delivery for where it leads. */
export async function defineEndpoint(
  deps: Deps,
  brandUuid: string,
  what: { url: string; authentication: WebhookAuthentication },
): Promise<{ uuid: string; url: string; signingSecret: string }> {
  const problem = deps.outbound.judge(what.url);
  if (problem !== null) throw invalid([{ path: "body.url", message: problem }]);
  const uuid = deps.random.uuid();
  const secret = newSecret(deps);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom("brand").select("uuid").where("uuid", "=", brandUuid).forUpdate().execute();
    const { count } = await trx
      .selectFrom("webhook_endpoint")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("brand_uuid", "=", brandUuid)
      .where("environment", "=", deps.environment)
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
      })
      .execute();
  });
  return { uuid, url: what.url, signingSecret: secret };
}

/** A new secret; the old one signs beside it for a day. */
export async function rotateSecret(deps: Deps, uuid: string): Promise<string> {
  const secret = newSecret(deps);
  await deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom("webhook_endpoint").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
    const endpoint = await findEndpoint(deps, trx, uuid);
    if (endpoint === null) throw refuse(404, "No such webhook.");
    const dataKey = await deps.vault.readDataKey(trx, endpoint.dataKeyUuid);
    const secrets: EndpointSecrets = { ...endpoint.secrets, secret, previousSecret: endpoint.secrets.secret };
    await trx
      .updateTable("webhook_endpoint")
      .set({
        sealed: deps.vault.seal(dataKey, place(uuid), secrets),
        previous_secret_until: deps.clock.now() + rotationOverlapMs,
      })
      .where("uuid", "=", uuid)
      .execute();
  });
  return secret;
}

export async function findEndpoint(deps: Deps, reader: Reader, uuid: string): Promise<WebhookEndpoint | null> {
  const row = await reader
    .selectFrom("webhook_endpoint")
    .innerJoin("data_key", "data_key.uuid", "webhook_endpoint.data_key_uuid")
    .selectAll("webhook_endpoint")
    .select("data_key.wrapped")
    .where("webhook_endpoint.uuid", "=", uuid)
    .where("webhook_endpoint.environment", "=", deps.environment)
    .executeTakeFirst();
  if (row === undefined) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const secrets = deps.vault.open<EndpointSecrets>(dataKey, place(row.uuid), row.sealed);
  return {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    dataKeyUuid: row.data_key_uuid,
    previousSecretUntil: row.previous_secret_until,
    secrets,
  };
}

/** The secrets that sign now, the current one first. */
export function signingSecrets(endpoint: WebhookEndpoint, now: number): string[] {
  const { secret, previousSecret } = endpoint.secrets;
  const overlaps = previousSecret !== null && now < (endpoint.previousSecretUntil ?? 0);
  return overlaps ? [secret, previousSecret] : [secret];
}

/** Whose delivery it is. */
export async function brandOfDelivery(deps: Deps, uuid: string): Promise<string | undefined> {
  const row = await deps.db
    .selectFrom("webhook_delivery")
    .select("brand_uuid")
    .where("uuid", "=", uuid)
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  return row?.brand_uuid;
}
