/**
 * Rotates keys that sign what others verify. A new key is published before it signs, and stays published as long as
 * anything that it signed must be verifiable.
 */
import { createHash, type JsonWebKey } from "node:crypto";

export type StoredKey = { generation: number; createdAt: number; jwk: JsonWebKey };
/** Stores the keys of one purpose. `insert` changes nothing if another process stored the generation first. */
export type KeyStore = {
  /** Newest first. */
  list(): Promise<StoredKey[]>;
  insert(key: StoredKey): Promise<void>;
  deleteUpTo(generation: number): Promise<void>;
};
export type Rotation = {
  make(): Promise<JsonWebKey>;
  /** Time between the creation of two keys, in milliseconds. */
  lifeMs: number;
  /** How long a new key is published before it signs. */
  publishedAheadMs: number;
  /** How long a former key stays published after the next one has begun to sign. */
  publishedAfterMs: number;
};

/** The private keys to publish, the signing one first. Creates and deletes keys when they are due. */
export async function currentKeysOf(store: KeyStore, rotation: Rotation, now: number): Promise<JsonWebKey[]> {
  let keys = await store.list();
  const [newest] = keys;
  if (newest === undefined || now - newest.createdAt >= rotation.lifeMs) {
    await store.insert({ generation: (newest?.generation ?? 0) + 1, createdAt: now, jwk: await rotation.make() });
    keys = await store.list();
  }
  const signsSince = ({ createdAt }: StoredKey) => now - createdAt - rotation.publishedAheadMs;
  const signing = keys.find((key) => signsSince(key) >= 0) ?? keys.at(-1);
  if (signing === undefined) throw new Error("a signing key was not found after it was stored");
  // The next key has signed for so long that everything signed with this one has expired.
  const outdated = keys.find((_, index) => {
    const next = keys[index - 1];
    return next !== undefined && signsSince(next) >= rotation.publishedAfterMs;
  });
  if (outdated !== undefined) await store.deleteUpTo(outdated.generation);
  const kept = keys.filter(({ generation }) => outdated === undefined || generation > outdated.generation);
  return [signing, ...kept.filter((one) => one !== signing)].map(({ jwk }) => jwk);
}

/** The thumbprint of RFC 7638. `members`: the required members of the key type, in alphabetical order. */
export function thumbprintOf(members: Record<string, unknown>): string {
  return createHash("sha256").update(JSON.stringify(members)).digest("base64url");
}
