/**
 * Finds processes that have died. Each process locks its own number (an advisory lock) on the connection that listens
 * for changes, and PostgreSQL releases that lock when the process dies. Other processes can then take over its claimed
 * jobs before the leases end.
 */
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { openJobs } from "./queue.ts";

/** Class ID of our advisory locks. Locks of other classes are not mistaken for live processes. */
const family = 67_836_213;

/** A shared lock, so that a process can lock its number again while the lock of its lost connection still exists. */
export const lockHolder = `select pg_advisory_lock_shared(${family}, $1)`;

export type At = { now: number; realNow: number };

const claimed = ({ now, realNow }: At) =>
  sql`due_at <= ${now} and leased_until > ${realNow} and claimed_by is not null`;

/** Numbers of processes that claimed due jobs but hold no lock now, including one that is just reconnecting. */
export async function missingHolders(db: Database, environment: string, { now, realNow }: At): Promise<number[]> {
  const { rows } = await sql<{ claimed_by: number }>`
    select distinct claimed_by from ${openJobs(environment, claimed({ now, realNow }))}
     where claimed_by not in (
         select objid::bigint from pg_locks
          where locktype = 'advisory' and classid::bigint = ${family} and objsubid = 2 and granted
            and database = (select oid from pg_database where datname = current_database()))
  `.execute(db);
  return rows.map((row) => row.claimed_by);
}

/** Releases the due jobs that these processes had claimed. */
export async function releaseHeld(
  db: Database,
  environment: string,
  { holders, now, realNow }: At & { holders: readonly number[] },
): Promise<void> {
  await sql`
    update job set leased_until = 0
     where id in (select id from ${openJobs(environment, claimed({ now, realNow }))} where claimed_by = any(${holders}))
       and leased_until > ${realNow} and claimed_by = any(${holders})`.execute(db);
}
