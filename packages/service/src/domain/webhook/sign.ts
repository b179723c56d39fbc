import { createHmac } from "node:crypto";

/**
 * Retry schedule: delays after the previous attempt, in milliseconds. After the last one, the delivery becomes a dead
 * letter (specification, "Events").
 */
const minute = 60_000;
const hour = 60 * minute;
export const retryDelaysMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour] as const;
/** How long dead letters are kept, in milliseconds. */
export const deadLetterKeptMs = 14 * 24 * hour;
/** How long the body of an acknowledged delivery is kept, in milliseconds. */
export const deliveredKeptMs = hour;
/** How long both secrets sign after a rotation, in milliseconds. */
export const rotationOverlapMs = 24 * hour;
export const deliveryTimeoutMs = 30_000;

/** `v1=` and lowercase hex of HMAC-SHA256 over `timestamp.body`. The key is the secret's text as shown, not decoded. */
export function webhookSignature(secrets: readonly string[], timestamp: string, body: string): string {
  const one = (secret: string) =>
    createHmac("sha256", Buffer.from(secret)).update(`${timestamp}.${body}`).digest("hex");
  return secrets.map((secret) => `v1=${one(secret)}`).join(",");
}
