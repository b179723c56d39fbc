import { type KeyObject, randomUUID, sign } from "node:crypto";
import { type Json, readObject, textOf } from "../json.ts";
import type { Vendor } from "../vendor.ts";
import type { Marks } from "./journey.ts";
import type { CamaraSettings } from "./settings.ts";

const assertionSeconds = 120;
/** How far the operator's clock may differ, in seconds. */
const skewSeconds = 60;
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Exchanges a code for an access token. Null if there is no token, or if it is not for this journey. */
export async function tokenFor(
  options: { settings: CamaraSettings; vendor: Vendor; now: number; deadlineMs: number },
  { code, marks }: { code: string; marks: Marks },
): Promise<string | null> {
  const { settings, vendor, now } = options;
  const { clientId, proof, tokenUrl, redirectUrl } = settings;
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUrl,
    client_id: clientId,
    code_verifier: marks.verifier,
  });
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (proof.kind === "secret") {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(proof.secret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    form.set("client_assertion_type", assertionType);
    form.set("client_assertion", clientAssertion({ clientId, audience: tokenUrl, now }, proof));
  }
  const { deadlineMs } = options;
  const body = form.toString();
  // A code works once, so do not retry a call whose answer was lost.
  const call = { operation: "token", method: "POST" as const, url: tokenUrl, headers, body, deadlineMs };
  const answer = await vendor.call({ ...call, repeats: "untouched" });
  if (answer.kind !== "answered" || answer.status !== 200) return null;
  const granted = readObject(answer.text);
  if (textOf(granted, "token_type")?.toLowerCase() !== "bearer") return null;
  const claims = claimsOf(textOf(granted, "id_token"));
  return claims !== null && isForUs(claims, { settings, nonce: marks.nonce, now })
    ? textOf(granted, "access_token")
    : null;
}

/**
 * The claims of an ID token. It comes directly from the token endpoint over TLS, so its signature need not be checked
 * (OpenID Connect Core, 3.1.3.7, 6).
 */
function claimsOf(token: string | null): Json | null {
  const part = token?.split(".")[1];
  return part === undefined ? null : readObject(Buffer.from(part, "base64url").toString("utf8"));
}

function isForUs(claims: Json, expected: { settings: CamaraSettings; nonce: string; now: number }): boolean {
  const { iss, aud, nonce, exp, iat } = claims;
  const { issuer, clientId } = expected.settings;
  const seconds = expected.now / 1_000;
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  return (
    iss === issuer &&
    audiences.length === 1 &&
    audiences[0] === clientId &&
    nonce === expected.nonce &&
    typeof exp === "number" &&
    exp > seconds - skewSeconds &&
    typeof iat === "number" &&
    iat < seconds + skewSeconds &&
    iat > seconds - 600
  );
}

function clientAssertion(
  options: { clientId: string; audience: string; now: number },
  proof: { key: KeyObject; keyId: string },
): string {
  const issuedAt = Math.floor(options.now / 1_000);
  const isElliptic = proof.key.asymmetricKeyType === "ec";
  const header = { alg: isElliptic ? "ES256" : "RS256", typ: "JWT", kid: proof.keyId };
  const claims = {
    iss: options.clientId,
    sub: options.clientId,
    aud: options.audience,
    jti: randomUUID(),
    iat: issuedAt,
    exp: issuedAt + assertionSeconds,
  };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key: proof.key, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}
