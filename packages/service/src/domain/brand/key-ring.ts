import type { Environment } from "@countersign/contract/brand";
import type { Home } from "../../store/database.ts";
import type { Signals } from "../../store/signals.ts";
import type { Clock } from "../ports.ts";
import { hashApiKey } from "./api-key.ts";
import { findKeyOwner, type KeyOwner } from "./brand-rows.ts";

/** Maximum length of a key. Longer texts are not looked up. */
const keyLengthMax = 200;
/** Maximum number of cached keys per process. */
const ownersMax = 10_000;

/**
 * Finds the owner of a key. Owners are cached until any brand changes, so a revoked key stops working as soon as the
 * signal arrives.
 */
export type KeyRing = { ownerOf(key: string): Promise<KeyOwner | null> };

type RingDeps = { home: Home; signals: Signals; clock: Clock; environment: Environment };

export function openKeyRing({ home, signals, clock, environment }: RingDeps): KeyRing {
  const whileItWorks = (owner: KeyOwner | null) =>
    owner !== null && owner.endsAt !== null && owner.endsAt <= clock.now() ? null : owner;
  // Cache promises instead of owners, so that parallel requests with a new key share one lookup.
  let owners = new Map<string, Promise<KeyOwner | null>>();
  signals.onChange(() => {
    owners = new Map();
  });
  return {
    async ownerOf(key) {
      if (key.length === 0 || key.length > keyLengthMax) return null;
      const hash = hashApiKey(key);
      if (!signals.connected()) return whileItWorks(await findKeyOwner(home, environment, hash));
      const name = hash.toString("base64");
      const generation = owners;
      const known = generation.get(name);
      if (known !== undefined) return whileItWorks(await known);
      const asked = findKeyOwner(home, environment, hash);
      if (generation.size < ownersMax) generation.set(name, asked);
      const forget = () => generation.delete(name);
      const owner = await asked.catch((error: unknown) => {
        forget();
        throw error;
      });
      // Do not cache unknown keys: a key may be created a moment later, and strangers must not fill the cache.
      if (owner === null) forget();
      return whileItWorks(owner);
    },
  };
}
