import type { HealthEntity } from "./health.ts";
import { isSigned, signatureOf } from "./signature.ts";

export type { HealthEntity, ParsedEdi271, Payer } from "./health.ts";

const toleranceDefaultMs = 5 * 60_000;
/** Maximum number of signatures to check. The service sends two during a rotation. */
const signaturesMax = 8;

/** A health lookup ended. Contains the same data as polling, and the time of sending. */
export type HealthLookupEvent = HealthEntity & {
  event: "1-click.health.lookup";
  /** Unix milliseconds. */
  sentAt: number;
  /** A test event from the dashboard. Acknowledge it and do nothing else. */
  test?: true;
};

/** What the events about a signup have in common. They have no personal data. */
type SignupEventBase = {
  /** The 1-Click. Your call `GET /v2/1-click/{identityUuid}` reads it. */
  identityUuid: string;
  /** Your own reference from the request. */
  externalReference?: string;
  /** Unix milliseconds. */
  sentAt: number;
  /** A test event from the dashboard. Acknowledge it and do nothing else. */
  test?: true;
};
/** A person shared their data with you. You can read it now. */
export type SignupSharedEvent = SignupEventBase & { event: "1-click.signup.shared" };
/** A person declined. */
export type SignupDeclinedEvent = SignupEventBase & { event: "1-click.signup.declined" };
/** A person stopped sharing with you, or deleted their data. You can no longer read the 1-Click. */
export type SignupEndedEvent = SignupEventBase & { event: "1-click.signup.ended"; reason: "withdrawn" | "deleted" };

/** A webhook event. Branch on `event` and ignore unknown values, because later versions may add events. */
export type WebhookEvent = HealthLookupEvent | SignupSharedEvent | SignupDeclinedEvent | SignupEndedEvent;

/** Headers as frameworks provide them. Names may be in any case. */
export type HeaderSource =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Either the headers, or the values of `X-Webhook-Timestamp` and `X-Webhook-Signature`. */
export type WebhookProof = { headers: HeaderSource } | { timestamp: string; signature: string };

export type VerifyWebhookInput = WebhookProof & {
  /** The raw body as received, not parsed JSON. */
  body: string | Uint8Array;
  /** The signing secret, including `whsec_`. During a rotation, the old or the new one. */
  secret: string;
  /** Maximum difference between the request's time and yours, in milliseconds. Default: 300 000. */
  toleranceMs?: number;
  /** Your time, Unix milliseconds. Default: the system clock. */
  now?: number;
};

/** Why a request was rejected. */
export type WebhookErrorReason =
  | "MISSING_HEADER"
  | "MALFORMED_TIMESTAMP"
  | "MALFORMED_SIGNATURE"
  | "WRONG_SIGNATURE"
  | "OUT_OF_TOLERANCE"
  | "MALFORMED_BODY";

/** A request that failed verification. Answer it with 400. The message contains no secret, signature or body. */
export class WebhookError extends Error {
  override name = "WebhookError";
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Verifies that Countersign sent the webhook recently, and parses its event. Rejects with a `WebhookError`.
 *
 * ```ts
 * const event = await verifyWebhook({ body: rawBody, headers: request.headers, secret });
 * if (event.event === "1-click.health.lookup") await store(event.healthDataUuid, event.results);
 * if (event.event === "1-click.signup.ended") await forget(event.identityUuid);
 * ```
 *
 * An event may arrive more than once, with a new signature each time. Use `event` with `healthDataUuid`
 * or `identityUuid` to detect duplicates.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const { body, secret, toleranceMs = toleranceDefaultMs, now = Date.now() } = input;
  const { timestamp, signature } = "headers" in input ? proofIn(input.headers) : input;
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError("MALFORMED_TIMESTAMP", "X-Webhook-Timestamp is not a number of Unix seconds.");
  const given = signature.split(",", signaturesMax).map((one) => one.trim());
  const known = given.filter((one) => /^v1=[0-9a-f]{64}$/.test(one));
  if (known.length === 0)
    throw new WebhookError("MALFORMED_SIGNATURE", "X-Webhook-Signature has no v1= with 64 hexadecimal digits.");
  const bytes = bytesOf(body);
  const signatures = known.map((one) => one.slice("v1=".length));
  if (!(await isSigned({ secret, timestamp, body: bytes }, signatures)))
    throw new WebhookError("WRONG_SIGNATURE", "No signature matches. Check the secret and the raw body.");
  const awayMs = Math.abs(now - Number(timestamp) * 1000);
  if (!(awayMs <= toleranceMs))
    throw new WebhookError("OUT_OF_TOLERANCE", `Its time is ${awayMs} ms from yours; the limit is ${toleranceMs} ms.`);
  return readEvent(bytes);
}

export type SignWebhookInput = {
  /** The raw body that will be sent. */
  body: string | Uint8Array;
  /** The signing secret. During a rotation, the new and the old one. */
  secret: string | readonly string[];
  /** Your time, Unix milliseconds. Default: the system clock. */
  now?: number;
};

/**
 * The headers that the service would send with a body. Use it in tests of your receiver.
 *
 * ```ts
 * await fetch(receiver, { method: "POST", body, headers: await signWebhook({ body, secret: "whsec_test" }) });
 * ```
 */
export async function signWebhook(
  input: SignWebhookInput,
): Promise<{ "x-webhook-timestamp": string; "x-webhook-signature": string }> {
  const { body, secret, now = Date.now() } = input;
  const timestamp = String(Math.floor(now / 1000));
  const secrets = typeof secret === "string" ? [secret] : secret;
  const signatures = await Promise.all(secrets.map((one) => signatureOf(one, timestamp, bytesOf(body))));
  return {
    "x-webhook-timestamp": timestamp,
    "x-webhook-signature": signatures.map((one) => `v1=${one}`).join(","),
  };
}

function proofIn(headers: HeaderSource): { timestamp: string; signature: string } {
  return { timestamp: header(headers, "X-Webhook-Timestamp"), signature: header(headers, "X-Webhook-Signature") };
}

function header(headers: HeaderSource, name: string): string {
  const { get } = headers;
  const value = typeof get === "function" ? get.call(headers, name) : listed(headers, name);
  if (typeof value !== "string") throw new WebhookError("MISSING_HEADER", `${name} is missing or is given twice.`);
  return value;
}

function listed(headers: object, name: string): unknown {
  const values = Object.entries(headers).filter(([one]) => one.toLowerCase() === name.toLowerCase());
  const all = values.flatMap(([, value]) => value);
  return all.length === 1 ? all[0] : undefined;
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return new TextEncoder().encode(body);
  throw new WebhookError("MALFORMED_BODY", "body must be the raw body as a string or bytes, not a parsed object.");
}

function readEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isEvent(event)) return event;
  } catch {
    // The error below does not include the body.
  }
  throw new WebhookError("MALFORMED_BODY", "The signature is valid, but the body is not an event.");
}

/** Checks only `event`. The signature proves that the service sent the rest. */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === "object" && value !== null && "event" in value && typeof value.event === "string";
}
