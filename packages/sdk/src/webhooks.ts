import type { HealthEntity } from "./health.ts";
import { isSameText, signatureOf } from "./signature.ts";

export type { HealthEntity, ParsedEdi271, Payer } from "./health.ts";

const toleranceDefaultMs = 5 * 60_000;
/** Two during a rotation; more than this is noise. */
const signaturesMax = 8;

/** A health lookup ended; what polling answers, and when it was sent. */
export type HealthLookupEvent = HealthEntity & {
  event: "1-click.health.lookup";
  /** Unix milliseconds. */
  sentAt: number;
  /** Made up from the dashboard to try a receiver: acknowledge it, and do nothing else. */
  test?: true;
};

/** An event as it was sent: its `event` says which. Others than these may come later: ignore what you do not know. */
export type WebhookEvent = HealthLookupEvent;

/** What a framework hands you as headers: names in any case. */
export type HeaderSource =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Either the headers, or the values of `X-Webhook-Timestamp` and `X-Webhook-Signature`. */
export type WebhookProof = { headers: HeaderSource } | { timestamp: string; signature: string };

/** What a request is checked with. */
export type VerifyWebhookInput = WebhookProof & {
  /** The raw body, as it arrived: not what a JSON parser made of it. */
  body: string | Uint8Array;
  /** The signing secret as it was shown, `whsec_` included; during a rotation the old one or the new one. */
  secret: string;
  /** How far its time may be from yours, milliseconds; 300 000 where left out. */
  toleranceMs?: number;
  /** Your time, Unix milliseconds; the clock's where left out. */
  now?: number;
};

/** What was wrong with a request. */
export type WebhookErrorReason =
  | "MISSING_HEADER"
  | "MALFORMED_TIMESTAMP"
  | "MALFORMED_SIGNATURE"
  | "WRONG_SIGNATURE"
  | "OUT_OF_TOLERANCE"
  | "MALFORMED_BODY";

/** A request that is not to be believed: answer it with 400. Its message holds neither secret, signature nor body. */
export class WebhookError extends Error {
  override name = "WebhookError";
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Checks that a request is a webhook of ours and not an old one, and reads its event. Rejects with a `WebhookError`.
 *
 * ```ts
 * const event = await verifyWebhook({ body: rawBody, headers: request.headers, secret });
 * if (event.event === "1-click.health.lookup") await store(event.healthDataUuid, event.results);
 * ```
 *
 * An event may arrive more than once, and signed again each time: `healthDataUuid` tells you that you know it.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const { body, secret, toleranceMs = toleranceDefaultMs, now = Date.now() } = input;
  const { timestamp, signature } = "headers" in input ? proofIn(input.headers) : input;
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError("MALFORMED_TIMESTAMP", "X-Webhook-Timestamp is no number of Unix seconds.");
  const given = signature.split(",", signaturesMax).map((one) => one.trim());
  const known = given.filter((one) => /^v1=[0-9a-f]{64}$/.test(one));
  if (known.length === 0)
    throw new WebhookError("MALFORMED_SIGNATURE", "X-Webhook-Signature holds no v1= and 64 hexadecimal digits.");
  const bytes = bytesOf(body);
  const expected = `v1=${await signatureOf(secret, timestamp, bytes)}`;
  if (known.filter((one) => isSameText(one, expected)).length === 0)
    throw new WebhookError("WRONG_SIGNATURE", "No signature fits: another secret, or not the body as it arrived.");
  const awayMs = Math.abs(now - Number(timestamp) * 1000);
  if (!(awayMs <= toleranceMs))
    throw new WebhookError("OUT_OF_TOLERANCE", `Its time is ${awayMs} ms from yours; ${toleranceMs} ms are tolerated.`);
  return readEvent(bytes);
}

/** What a request is signed with. */
export type SignWebhookInput = {
  /** The raw body that will be sent. */
  body: string | Uint8Array;
  /** The signing secret, or during a rotation the new and the old one. */
  secret: string | readonly string[];
  /** Your time, Unix milliseconds; the clock's where left out. */
  now?: number;
};

/**
 * The headers that the service would send with a body: for the tests of your receiver.
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
  if (typeof value !== "string") throw new WebhookError("MISSING_HEADER", `${name} is missing, or stands there twice.`);
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
  throw new WebhookError(
    "MALFORMED_BODY",
    "body must be the raw body, a string or bytes, not what a parser made of it.",
  );
}

function readEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isEvent(event)) return event;
  } catch {
    // said below, without what stood in it
  }
  throw new WebhookError("MALFORMED_BODY", "The signature is right, but the body is no event.");
}

/** Whoever signed it knows the secret, so the rest of its shape is the service's word. */
function isEvent(value: unknown): value is WebhookEvent {
  return typeof value === "object" && value !== null && "event" in value && typeof value.event === "string";
}
