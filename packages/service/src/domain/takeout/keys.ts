/** The keys that sign credentials and their status lists: ES256, which every wallet can verify. */

import { createHash, createPrivateKey, generateKeyPair, type JsonWebKey, sign } from "node:crypto";
import { promisify } from "node:util";
import { dayMs } from "@countersign/contract/time";
import type { HomeDeps } from "../deps.ts";
import { signingKeyStore } from "../signing-key-rows.ts";
import { currentKeysOf, thumbprintOf } from "../signing-keys.ts";

/** How long a copy is valid, in milliseconds. All copies of a day end at the same midnight UTC. */
export const copyLifeMs = 90 * dayMs;

const rotation = {
  make,
  lifeMs: 30 * dayMs,
  publishedAheadMs: dayMs,
  // A key must stay published until the last copy that it signed expires.
  publishedAfterMs: copyLifeMs + dayMs,
};

export const signatureAlgorithm = "ES256";

/** Whether we can verify a holder's signature. A critical extension, which we do not know, would change its meaning. */
export function hasAcceptedHeader(header: object | undefined): boolean {
  return header !== undefined && Reflect.get(header, "alg") === signatureAlgorithm && !("crit" in header);
}

/** The private keys to publish, the signing one first. Creates and deletes keys when they are due. */
export async function takeoutKeys(
  deps: Pick<HomeDeps, "home" | "environment" | "vault" | "clock">,
): Promise<JsonWebKey[]> {
  return await currentKeysOf(signingKeyStore(deps, "takeout_key"), rotation, deps.clock.now());
}

/** The public keys that verify credentials and status lists. */
export async function publishedKeys(deps: HomeDeps): Promise<JsonWebKey[]> {
  return (await takeoutKeys(deps)).map(({ d: _, ...publicKey }) => publicKey);
}

async function make(): Promise<JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const jwk = privateKey.export({ format: "jwk" });
  const kid = thumbprintOf({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y });
  return { ...jwk, kid, alg: signatureAlgorithm, use: "sig" };
}

export type Signer = { kid: string; sign(data: string): string };

/** Signs with the current key. */
export async function openSigner(deps: HomeDeps): Promise<Signer> {
  const [jwk] = await takeoutKeys(deps);
  if (jwk === undefined) throw new Error("there is no key to sign with");
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return {
    kid: String(jwk.kid),
    // RFC 7515: the two numbers of the signature one after the other, not in DER form.
    sign: (data) => sign("sha256", Buffer.from(data), { key, dsaEncoding: "ieee-p1363" }).toString("base64url"),
  };
}

export function sha256(data: string | ArrayBuffer): Uint8Array {
  return createHash("sha256")
    .update(typeof data === "string" ? data : Buffer.from(data))
    .digest();
}
