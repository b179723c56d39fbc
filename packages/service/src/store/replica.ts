import { sql } from "kysely";
import { type Connection, Database, type OpenDatabase, openDatabase } from "./database.ts";

/** Connections to the standby. Reports are few and long. */
const poolSize = 4;

/** A database that reports are read from. No answer to a brand or a person may depend on it, because it lags. */
export type Reports = {
  db: Database;
  /** How far the reports are behind; null if the primary answers them. */
  lagMs(): Promise<number | null>;
};

/** Reports from the primary. */
export const reportsFromPrimary = ({ db }: Pick<OpenDatabase, "db">): Reports => ({ db, lagMs: async () => null });

/**
 * A standby has no lag if it has replayed what it received and still receives. Otherwise, its last transaction is as old
 * as its lag at most.
 */
const lag = sql<{ lag: number | null }>`
  select case
    when not pg_is_in_recovery() then null
    when exists (select from pg_stat_wal_receiver) and pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint end as lag`;

/** Reads from a standby, and from the primary while no connection to the standby can be opened. */
export function openReports(
  connection: Connection,
  primary: OpenDatabase,
  onError: (error: Error) => void,
): Reports & { close(): Promise<void> } {
  const standby = openDatabase(connection, onError, { poolSize, isReadOnly: true });
  const db = new Database({
    options: {},
    connect: () => standby.prepared.connect().catch(() => primary.prepared.connect()),
    end: async () => {},
  });
  return {
    db,
    async lagMs() {
      const { rows } = await lag.execute(db);
      return rows[0]?.lag ?? null;
    },
    close: standby.close,
  };
}
