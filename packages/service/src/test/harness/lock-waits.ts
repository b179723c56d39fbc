import { eventually } from "./eventually.ts";
import type { Sandbox } from "./sandbox.ts";

/** Waits until this many of the sandbox's statements that contain `words` wait for a lock. */
export async function untilLockWaits({ store }: Pick<Sandbox, "store">, { count = 1, words = "" } = {}): Promise<void> {
  await eventually(async () => {
    const { rows } = await store.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
      [words],
    );
    return rows.length >= count ? true : undefined;
  });
}
