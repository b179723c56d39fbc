/** Builds the request of an attempt. It is the same whether the service sends it or a listener fetches it. */
import { createHmac, createSecretKey } from "node:crypto";
import type { WebhookAuthentication } from "@countersign/contract/webhook";
import { batched } from "../../store/statements/batch.ts";
import { findBrands } from "../brand/brand-rows.ts";
import { may } from "../brand/permission.ts";
import type { Brand, Deps } from "../deps.ts";
import { type DueDelivery, findDueDeliveries, openBodyText, readLargeBody } from "./delivery-rows.ts";
import { findEndpoints, type WebhookEndpoint } from "./endpoint-rows.ts";

/** How long a receiver has to answer, in milliseconds. */
export const deliveryTimeoutMs = 30_000;

/** A due delivery, with everything its request needs. */
export type Due = DueDelivery & { brand: Brand | null; endpoint: WebhookEndpoint | null };

/**
 * Reads due deliveries; null for one that is no longer pending. Concurrent calls are batched, because many deliveries
 * of the same brands and webhooks are due at the same time.
 */
export async function readDue(deps: Deps, uuid: string): Promise<Due | null> {
  const due = await readDueTogether(deps, uuid);
  if (due === null || due.large_bytes === 0) return due;
  const sealed = await readLargeBody(deps.db, due);
  // The body may have waited for memory, and its brand or webhook may have changed meanwhile.
  const current = await readDueTogether(deps, uuid);
  return current === null ? null : { ...current, sealed };
}

const readDueTogether = batched(async (deps: Deps, uuids: readonly string[]): Promise<(Due | null)[]> => {
  const rows = await findDueDeliveries(deps.db, uuids);
  if (rows.length === 0) return uuids.map(() => null);
  const known = (all: (string | null)[]) => [...new Set(all.filter((one) => one !== null))];
  const brands = await findBrands(deps.home, deps.environment, known(rows.map((row) => row.brand_uuid)));
  const endpoints = await findEndpoints(deps, known(rows.map((row) => row.endpoint_uuid)));
  const due = new Map(
    rows.map((row) => [
      row.uuid,
      {
        ...row,
        brand: brands.get(row.brand_uuid) ?? null,
        endpoint: endpoints.get(row.endpoint_uuid ?? "") ?? null,
      },
    ]),
  );
  return uuids.map((uuid) => due.get(uuid) ?? null);
});

/** `isFetched`: the URL is not called; a listener fetches the request. */
export type Request = { url: string; headers: Record<string, string>; body: string; isFetched: boolean };
/** Why the request cannot be sent. `isFinal`: it can never be sent. */
export type Obstacle = { error: string; isFinal: boolean };

const noReceiver: Obstacle = { error: "the receiver no longer exists", isFinal: false };
const receiverDeleted: Obstacle = { error: "the webhook was deleted", isFinal: true };
const brandStopped: Obstacle = { error: "the brand is stopped or not approved", isFinal: false };
/** Retries continue: a webhook that is switched on again in time still gets the event. */
const receiverOff: Obstacle = { error: "the webhook is switched off", isFinal: false };

/**
 * The queued body, with headers for this attempt. The timestamp is real time even if the sandbox's clock was moved,
 * because receivers compare it with their own clock.
 */
export function requestFor(deps: Deps, due: Due, now: number): Request | Obstacle {
  const { brand, endpoint } = due;
  const body = openBodyText(deps, due);
  if (body === null || brand === null) return noReceiver;
  if (!may(brand, "read")) return brandStopped;
  const common = { "content-type": "application/json", "user-agent": "Countersign-Webhook/1.0" };
  if (due.endpoint_uuid === null) {
    const { push } = brand.settings.v1;
    if (push === null) return noReceiver;
    const signature = deps.vault.signPush(deps.environment, Buffer.from(body));
    const headers: Record<string, string> = { ...common, "x-signature": signature };
    if (push.authorization !== undefined) headers.authorization = push.authorization;
    return { url: push.url, body, headers, isFetched: false };
  }
  if (endpoint === null) return receiverDeleted;
  if (endpoint.disabledAt !== null) return receiverOff;
  const timestamp = String(Math.floor(deps.realClock.now() / 1000));
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
  // RFC 7617 recommends composed UTF-8 (NFC), so that both spellings of an accented letter give the same password.
  const credentials = `${authentication.username}:${authentication.password}`.normalize("NFC");
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** The secrets that sign requests now, the current one first. */
function signingSecrets({ secrets, previousSecretUntil }: WebhookEndpoint, now: number): string[] {
  const { secret, previousSecret } = secrets;
  const overlaps = previousSecret !== null && now < (previousSecretUntil ?? 0);
  return overlaps ? [secret, previousSecret] : [secret];
}

/** `v1=` and lowercase hex of HMAC-SHA256 over `timestamp.body`. The key is the secret's text as shown, not decoded. */
export function webhookSignature(secrets: readonly string[], timestamp: string, body: string): string {
  // A raw buffer as the key takes ten times as long as a KeyObject.
  const one = (secret: string) =>
    createHmac("sha256", createSecretKey(secret, "utf8")).update(`${timestamp}.${body}`).digest("hex");
  return secrets.map((secret) => `v1=${one(secret)}`).join(",");
}
