/**
 * Tells which processes are alive. Each process locks its own number (an advisory lock) on the connection that listens
 * for changes, and PostgreSQL releases that lock when the process dies. Other processes can then take over its claimed
 * jobs before the leases end.
 */
import { sql } from "kysely";
import type { AnyReader } from "./database.ts";

/** Class ID of our advisory locks. Locks of other classes are not mistaken for live processes. */
const family = 67_836_213;

/** Class ID of the locks on master keys: each process locks the one that it wraps keys with. */
const masterKeyFamily = 67_836_214;

/**
 * Takes a process's locks. They are shared, so that a process can lock its number again while the lock of its lost
 * connection still exists.
 */
export function lockProcess({ number, masterKeyId }: { number: number; masterKeyId: string | undefined }) {
  const lock = (family: number, place: string) => `pg_advisory_lock_shared(${family}, ${place})`;
  if (masterKeyId === undefined) return { text: `select ${lock(family, "$1")}`, values: [number] };
  const text = `select ${lock(family, "$1")}, ${lock(masterKeyFamily, "$2")}`;
  return { text, values: [number, numberOfMasterKey(masterKeyId)] };
}

/** The number that a process locks for a master key: the first half of its fingerprint. */
function numberOfMasterKey(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) | 0;
}

/** How many live processes wrap keys with another master key. */
export async function countProcessesOfOtherMaster(reader: AnyReader, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct pid)::int as count from pg_locks
     where locktype = 'advisory' and classid::bigint = ${masterKeyFamily} and objsubid = 2 and granted
       and objid::bigint <> ${numberOfMasterKey(id) >>> 0}
       and database = (select oid from pg_database where datname = current_database())`.execute(reader);
  return rows[0]?.count ?? 0;
}

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
