/** The keys that sign ID tokens. */

import { generateKeyPair, type JsonWebKey } from "node:crypto";
import { promisify } from "node:util";
import { dayMs } from "@countersign/contract/time";
import type { Deps } from "../deps.ts";
import { signingKeyStore } from "../signing-key-rows.ts";
import { currentKeysOf, thumbprintOf } from "../signing-keys.ts";

/** Time between the creation of two keys, in milliseconds. */
export const keyLifeMs = 30 * dayMs;
/** How long a new key is published before it signs, so clients can load it. */
export const publishedAheadMs = dayMs;
/** How long a former key stays published. Tokens live much shorter. */
export const publishedAfterMs = dayMs;

const modulusLength = 2_048;

/** The private keys to publish, the signing one first. Creates and deletes keys when they are due. */
export async function currentKeys(
  deps: Pick<Deps, "home" | "environment" | "vault" | "realClock">,
): Promise<JsonWebKey[]> {
  const rotation = { make, lifeMs: keyLifeMs, publishedAheadMs, publishedAfterMs };
  return await currentKeysOf(signingKeyStore(deps, "openid_key"), rotation, deps.realClock.now());
}

async function make(): Promise<JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength });
  const jwk = privateKey.export({ format: "jwk" });
  const kid = thumbprintOf({ e: jwk.e, kty: jwk.kty, n: jwk.n });
  return { ...jwk, kid, alg: "RS256", use: "sig" };
}
