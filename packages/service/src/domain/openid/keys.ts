/** The keys that sign ID tokens. A new key is published before it signs, and stays published after the next one signs. */
import { createHash, generateKeyPair, type JsonWebKey } from "node:crypto";
import { promisify } from "node:util";
import type { Deps } from "../deps.ts";
import { deleteOpenidKeysUpTo, insertOpenidKey, listOpenidKeys, type StoredKey } from "./openid-key-rows.ts";

const dayMs = 24 * 60 * 60_000;
/** How long a key signs. */
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
  const now = deps.realClock.now();
  let keys = await listOpenidKeys(deps);
  const [newest] = keys;
  if (newest === undefined || now - newest.createdAt >= keyLifeMs) {
    await insertOpenidKey(deps, await makeKey((newest?.generation ?? 0) + 1, now));
    keys = await listOpenidKeys(deps);
  }
  const signing = keys.find(({ createdAt }) => now - createdAt >= publishedAheadMs) ?? keys.at(-1);
  if (signing === undefined) throw new Error("an OpenID key was not found after it was stored");
  const isOver = now - signing.createdAt >= publishedAheadMs + publishedAfterMs;
  if (isOver) await deleteOpenidKeysUpTo(deps, signing.generation - 1);
  const others = keys.filter((one) => one !== signing && !(isOver && one.generation < signing.generation));
  return [signing, ...others].map(({ jwk }) => jwk);
}

async function makeKey(generation: number, createdAt: number): Promise<StoredKey> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength });
  const jwk = privateKey.export({ format: "jwk" });
  // The thumbprint of RFC 7638.
  const kid = createHash("sha256")
    .update(JSON.stringify({ e: jwk.e, kty: jwk.kty, n: jwk.n }))
    .digest("base64url");
  return { generation, createdAt, jwk: { ...jwk, kid, alg: "RS256", use: "sig" } };
}
