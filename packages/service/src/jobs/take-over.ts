import type { Deps } from "../domain/deps.ts";
import { missingHolders, releaseHeld } from "../store/holders.ts";

/** Has the claims of processes that died given back, without waiting for the end of their leases. */
export type TakeOver = {
  /** Releases the claims of those that were missing at the last look as well: who only connects again is back by then. */
  look(): Promise<void>;
};

export function takeOver(deps: Deps, about: { realNow(): number; wake(): void }): TakeOver {
  let missing: ReadonlySet<number> = new Set();
  return {
    async look() {
      const before = missing;
      // Where the look fails, the next one is a first one: the database may be what was gone.
      missing = new Set();
      const at = { now: deps.clock.now(), realNow: about.realNow() };
      const found = await missingHolders(deps.db, deps.environment, at);
      const gone = found.filter((holder) => before.has(holder));
      missing = new Set(found);
      if (gone.length === 0) return;
      await releaseHeld(deps.db, deps.environment, { ...at, holders: gone });
      about.wake();
    },
  };
}
