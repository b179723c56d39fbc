/**
 * Tells which processes are alive. Each process locks its own number (an advisory lock) on the connection that listens
 * for changes, and PostgreSQL releases that lock when the process dies. Other processes can then take over its claimed
 * jobs before the leases end.
 */
import { sql } from "kysely";

/** Class ID of our advisory locks. Locks of other classes are not mistaken for live processes. */
const family = 67_836_213;

/** A shared lock, so that a process can lock its number again while the lock of its lost connection still exists. */
export const lockHolder = `select pg_advisory_lock_shared(${family}, $1)`;

/** The numbers of all live processes. */
export const liveNumbers = sql`
  select objid::bigint from pg_locks
   where locktype = 'advisory' and classid::bigint = ${family} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`;
