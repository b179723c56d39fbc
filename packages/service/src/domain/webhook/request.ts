/** What one attempt sends: the same bytes whether we send them or a listener fetches them. */
import type { WebhookAuthentication } from "@countersign/contract/webhook";
import { findBrand } from "../brand/store.ts";
import type { Deps } from "../deps.ts";
import { findEndpoint, signingSecrets } from "./endpoint.ts";
import { deliveryPlace } from "./publish.ts";
import { webhookSignature } from "./sign.ts";

export type DeliveryRow = {
  uuid: string;
  brand_uuid: string;
  endpoint_uuid: string | null;
  data_key_uuid: string;
  sealed: Buffer | null;
  attempts: number;
  next_attempt_at: number | null;
};
/** `isFetched`: nobody can be called there; a listener fetches it. */
export type Request = { url: string; headers: Record<string, string>; body: string; isFetched: boolean };
/** Why nothing can be sent: now, or ever. */
export type Hindrance = { error: string; isFinal: boolean };

const noReceiver: Hindrance = { error: "there is no receiver any more", isFinal: false };
const receiverDeleted: Hindrance = { error: "the webhook was deleted", isFinal: true };
const brandStopped: Hindrance = { error: "the brand is stopped", isFinal: false };
/** The schedule goes on: what is switched on again in time gets it still. */
const receiverOff: Hindrance = { error: "the webhook is switched off", isFinal: false };

/** What is sent: the body as it was fixed, and headers made for this attempt. */
export async function requestFor(deps: Deps, row: DeliveryRow, now: number): Promise<Request | Hindrance> {
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
    return { url: push.url, body, headers, isFetched: false };
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
  return { url: endpoint.secrets.url, body, headers, isFetched: endpoint.heardAt !== null };
}

function authenticationHeader(authentication: WebhookAuthentication): Record<string, string> {
  if (authentication.type === "apiKey") return { [authentication.header.toLowerCase()]: authentication.value };
  if (authentication.type === "none") return {};
  const { username, password } = authentication;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
