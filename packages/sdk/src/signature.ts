/** Lower-case hex of HMAC-SHA256 over `timestamp.body`. The key is the secret's full text, including `whsec_`. */
export async function signatureOf(secret: string, timestamp: string, body: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.sign("HMAC", await keyOf(secret), signedBytes(timestamp, body));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether one of these signatures, each 64 hexadecimal digits, is right. The platform compares in constant time. */
export async function isSigned(
  { secret, timestamp, body }: { secret: string; timestamp: string; body: Uint8Array },
  signatures: readonly string[],
): Promise<boolean> {
  const [key, signed] = [await keyOf(secret), signedBytes(timestamp, body)];
  const results = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify("HMAC", key, bytesOfHex(signature), signed)),
  );
  return results.includes(true);
}

async function keyOf(secret: string): Promise<CryptoKey> {
  if (typeof secret !== "string" || secret === "") throw new TypeError("The signing secret is missing.");
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  return signed;
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
