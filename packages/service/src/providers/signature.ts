import { createHmac, timingSafeEqual } from "node:crypto";

/** Maximum clock difference of a signed request, in seconds. */
const toleranceSeconds = 300;

/** `v1=` and the lowercase hex HMAC-SHA256 of `timestamp.body`, the same as for webhooks. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

/** The headers of a signed JSON request. */
export function signedHeaders(secret: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  return {
    "content-type": "application/json",
    accept: "application/json",
    "countersign-timestamp": timestamp,
    "countersign-signature": signatureOf(secret, timestamp, body),
  };
}

/** Whether a request was signed with the secret, for this body, within the tolerance. */
export function isSigned(
  request: { headers: Readonly<Record<string, string | undefined>>; body: string },
  options: { secret: string; now: number },
): boolean {
  const timestamp = request.headers["countersign-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(options.now / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const right = signatureOf(options.secret, timestamp, request.body);
  return sameText(request.headers["countersign-signature"] ?? "", right);
}

/** Compares two texts in constant time. */
export function sameText(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHmac("sha256", "compare").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
