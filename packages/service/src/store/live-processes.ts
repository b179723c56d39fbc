/**
 * Tells which processes are alive. Each process locks its own number (an advisory lock) on the connection that listens
 * for changes, and PostgreSQL releases that lock when the process dies. Other processes can then take over its claimed
 * jobs before the leases end.
 */
import { sql } from "kysely";
import type { AnyReader } from "./database.ts";

/** Class ID of our advisory locks. Locks of other classes are not mistaken for live processes. */
const family = 67_836_213;

/** A shared lock, so that a process can lock its number again while the lock of its lost connection still exists. */
export const lockProcessNumber = `select pg_advisory_lock_shared(${family}, $1)`;

/**
 * The numbers of all live processes. This must be a separate statement: on Citus, the locks are on the node of the
 * connection, and the tables are on another.
 */
export async function listLive(reader: AnyReader): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ number: number }>`
    select objid::bigint as number from pg_locks
     where locktype = 'advisory' and classid::bigint = ${family} and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())`.execute(reader);
  return new Set(rows.map(({ number }) => number));
}
