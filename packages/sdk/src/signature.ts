/** Lower-case hex of HMAC-SHA256 over `timestamp.body`. The key is the secret's full text, including `whsec_`. */
export async function signatureOf(secret: string, timestamp: string, body: Uint8Array): Promise<string> {
  if (typeof secret !== "string" || secret === "") throw new TypeError("The signing secret is missing.");
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const start = text.encode(`${timestamp}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares texts of the same length in constant time. */
export function isSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}
