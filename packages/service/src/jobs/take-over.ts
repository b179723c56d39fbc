import type { Deps } from "../domain/deps.ts";
import { missingProcesses, releaseClaimsOf } from "../store/queue.ts";

/** Releases the claims of processes that died, without waiting for their leases to end. */
export type TakeOver = {
  /**
   * Releases the claims of processes that were missing in this check and in the previous one. A process that was only
   * reconnecting is no longer missing in the second check.
   */
  check(): Promise<void>;
};

export function takeOver(deps: Deps, options: { realNow(): number; wake(): void }): TakeOver {
  let missing: ReadonlySet<number> = new Set();
  return {
    async check() {
      const missingBefore = missing;
      // Start over after a failed check, because perhaps only the database was unavailable.
      missing = new Set();
      const at = { now: deps.clock.now(), realNow: options.realNow() };
      const found = await missingProcesses(deps.db, deps.environment, at);
      const dead = found.filter((processNumber) => missingBefore.has(processNumber));
      missing = new Set(found);
      if (dead.length === 0) return;
      await releaseClaimsOf(deps.db, deps.environment, { ...at, processNumbers: dead });
      options.wake();
    },
  };
}
