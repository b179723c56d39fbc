import type { Environment } from "@countersign/contract/brand";
import type { Database } from "../../store/database.ts";
import type { Signals } from "../../store/signals.ts";
import type { Clock } from "../ports.ts";
import { hashApiKey } from "./api-key.ts";
import { findKeyOwner, type KeyOwner } from "./store.ts";

/** Longest text that can be a key; longer ones are not looked up. */
const keyLengthMax = 200;
/** Keys remembered by one process. */
const ownersMax = 10_000;

/** Who owns a key. Remembered until anything about any brand changes, so a revoked key dies within the signal's way. */
export type KeyRing = { ownerOf(key: string): Promise<KeyOwner | null> };

type Ground = { db: Database; signals: Signals; clock: Clock; environment: Environment };

export function openKeyRing({ db, signals, clock, environment }: Ground): KeyRing {
  const whileItWorks = (owner: KeyOwner | null) =>
    owner !== null && owner.endsAt !== null && owner.endsAt <= clock.now() ? null : owner;
  // Promises are kept, not owners: a thousand requests with one new key make one look-up.
  let owners = new Map<string, Promise<KeyOwner | null>>();
  signals.onChange(() => {
    owners = new Map();
  });
  return {
    async ownerOf(key) {
      if (key.length === 0 || key.length > keyLengthMax) return null;
      const hash = hashApiKey(key);
      if (!signals.connected()) return whileItWorks(await findKeyOwner(db, environment, hash));
      const name = hash.toString("base64");
      const generation = owners;
      const known = generation.get(name);
      if (known !== undefined) return whileItWorks(await known);
      const asked = findKeyOwner(db, environment, hash);
      if (generation.size < ownersMax) generation.set(name, asked);
      const forget = () => generation.delete(name);
      const owner = await asked.catch((error: unknown) => {
        forget();
        throw error;
      });
      // An unknown key is not remembered: it may be made in the next moment, and strangers must not fill the memory.
      if (owner === null) forget();
      return whileItWorks(owner);
    },
  };
}
