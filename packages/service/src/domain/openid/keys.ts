/** The keys that sign ID tokens. */
import { generateKeyPair, type JsonWebKey } from "node:crypto";
import { promisify } from "node:util";
import type { Deps } from "../deps.ts";
import { currentKeysOf, thumbprintOf } from "../signing-keys.ts";
import { openidKeyStore } from "./openid-key-rows.ts";

const dayMs = 24 * 60 * 60_000;
/** How long after a key the next one is made. */
export const keyLifeMs = 30 * dayMs;
/** How long clients have to load a new key before it signs. */
export const publishedAheadMs = dayMs;
/** How long a former key stays published. It is far longer than any token lives. */
export const publishedAfterMs = dayMs;

const modulusLength = 2_048;

/** The private keys to publish, the signing one first. Creates and deletes keys when it is time. */
export async function currentKeys(
  deps: Pick<Deps, "home" | "environment" | "vault" | "realClock">,
): Promise<JsonWebKey[]> {
  const rotation = { make, lifeMs: keyLifeMs, publishedAheadMs, publishedAfterMs };
  return await currentKeysOf(openidKeyStore(deps), rotation, deps.realClock.now());
}

async function make(): Promise<JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength });
  const jwk = privateKey.export({ format: "jwk" });
  const kid = thumbprintOf({ e: jwk.e, kty: jwk.kty, n: jwk.n });
  return { ...jwk, kid, alg: "RS256", use: "sig" };
}
