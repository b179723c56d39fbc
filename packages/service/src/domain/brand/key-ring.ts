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
/** Maximum length of all cached settings per process, as JSON. Parsed settings need about three times that memory. */
const settingsCharsMax = 32 * 1024 * 1024;

/**
 * Finds the owner of a key. Owners are cached until any brand changes, so a revoked key stops working as soon as the
 * signal arrives.
 */
export type KeyRing = { ownerOf(key: string): Promise<KeyOwner | null> };

type RingDeps = { home: Home; signals: Signals; clock: Clock; environment: Environment; charsMax?: number };

export function openKeyRing({ home, signals, clock, environment, charsMax = settingsCharsMax }: RingDeps): KeyRing {
  const whileItWorks = (owner: KeyOwner | null) =>
    owner !== null && owner.endsAt !== null && owner.endsAt <= clock.now() ? null : owner;
  let cache = openCache(charsMax);
  signals.onChange(() => {
    cache = openCache(charsMax);
  });
  return {
    async ownerOf(key) {
      if (key.length === 0 || key.length > keyLengthMax) return null;
      const hash = hashApiKey(key);
      if (!signals.connected()) return whileItWorks(await findKeyOwner(home, environment, hash));
      return whileItWorks(await cache.read(hash.toString("base64"), () => findKeyOwner(home, environment, hash)));
    },
  };
}

type Cached = { owner: Promise<KeyOwner | null>; chars: number };

/** Caches promises instead of owners, so that parallel requests with a new key share one lookup. */
function openCache(charsMax: number) {
  const cached = new Map<string, Cached>();
  let chars = 0;
  const forget = (name: string, entry: Cached) => {
    if (cached.get(name) !== entry) return;
    chars -= entry.chars;
    cached.delete(name);
  };
  // The oldest entries make room. A Map keeps the order in which its keys were set.
  const makeRoom = () => {
    for (const [name, entry] of cached) {
      if (cached.size <= ownersMax && chars <= charsMax) break;
      forget(name, entry);
    }
  };
  return {
    async read(name: string, find: () => Promise<KeyOwner | null>): Promise<KeyOwner | null> {
      const known = cached.get(name);
      if (known !== undefined) return await known.owner;
      const entry: Cached = { owner: find(), chars: 0 };
      cached.set(name, entry);
      const owner = await entry.owner.catch((error: unknown) => {
        forget(name, entry);
        throw error;
      });
      // Do not cache unknown keys: a key may be created a moment later, and strangers must not fill the cache.
      if (owner === null) forget(name, entry);
      else if (cached.get(name) === entry) {
        entry.chars = JSON.stringify(owner.brand.settings).length;
        chars += entry.chars;
        makeRoom();
      }
      return owner;
    },
  };
}
