import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../statements/tables.ts";

/** Index name → the text after `on` in its `create index` statement. */
export type Indexes = Record<string, string | { unique: string }>;

const lockPollMs = 200;

/**
 * Builds indexes concurrently, so that writers are not blocked. Such a build can't run in a transaction: if the process
 * dies, it leaves an invalid index, which the next run drops and rebuilds. `connection` is a single connection, and
 * `lock` is the ID of an advisory lock that one process holds at a time.
 */
export async function buildIndexes(connection: Kysely<Tables>, indexes: Indexes, lock: string): Promise<void> {
  await sql`set statement_timeout = 0`.execute(connection);
  try {
    await takeLock(connection, lock);
    for (const [name, on] of Object.entries(indexes)) {
      if (await isBroken(connection, name)) await sql.raw(`drop index concurrently ${name}`).execute(connection);
      const [kind, what] = typeof on === "string" ? ["index", on] : ["unique index", on.unique];
      await sql.raw(`create ${kind} concurrently if not exists ${name} on ${what}`).execute(connection);
    }
  } finally {
    await sql`select pg_advisory_unlock_all()`.execute(connection);
    await sql`reset statement_timeout`.execute(connection);
  }
}

/**
 * Polls for the lock. A statement that waits for it would deadlock with the index build, which waits for all
 * statements.
 */
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
