/**
 * Which processes are gone: each keeps a number of its own locked on the connection on which it listens for changes, and
 * PostgreSQL lets go of it when the process dies. What a dead one had claimed need not wait for the end of its lease.
 */
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { openJobs } from "./queue.ts";

/** The family of our advisory locks: nobody else's numbers are taken for holders. */
const family = 67_836_213;

/** Shared, so that a lock left over from a connection that was lost stands in nobody's way. */
export const lockHolder = `select pg_advisory_lock_shared(${family}, $1)`;

export type At = { now: number; realNow: number };

const claimed = ({ now, realNow }: At) =>
  sql`due_at <= ${now} and leased_until > ${realNow} and claimed_by is not null`;

/** Holders of running claims whose lock nobody has now. A process that connects again is missed for a moment. */
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

/** Gives back what they had claimed. */
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
