import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** What each index is on, by its name. */
export type Indexes = Record<string, string>;

const lockPollMs = 200;

/**
 * Builds indexes while others go on writing, which takes no transaction: whoever ends in the middle leaves an index that
 * is not valid, and the next one builds it again. `connection`: one alone, `lock`: what one process at a time holds.
 */
export async function buildIndexes(connection: Kysely<Tables>, indexes: Indexes, lock: string): Promise<void> {
  await sql`set statement_timeout = 0`.execute(connection);
  try {
    await takeLock(connection, lock);
    for (const [name, on] of Object.entries(indexes)) {
      if (await isBroken(connection, name)) await sql.raw(`drop index concurrently ${name}`).execute(connection);
      await sql.raw(`create index concurrently if not exists ${name} on ${on}`).execute(connection);
    }
  } finally {
    await sql`select pg_advisory_unlock_all()`.execute(connection);
    await sql`reset statement_timeout`.execute(connection);
  }
}

/** Whoever waited inside a statement would be waited for by the index that is being built. */
async function takeLock(connection: Kysely<Tables>, lock: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_lock(${sql.raw(lock)}) as held`.execute(connection);
    if (rows[0]?.held === true) return;
    await sleep(lockPollMs);
  }
}

async function isBroken(connection: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(connection);
  return rows.length > 0;
}
