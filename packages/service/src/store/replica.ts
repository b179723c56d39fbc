import { sql } from "kysely";
import { type Connection, Database, type OpenDatabase, openDatabase } from "./database.ts";

/** Connections to the standby. Reports are few and long. */
const poolSize = 4;

/** A cell that reports are read from. `number` names it in the ids of lines. */
export type ReportedCell = { number: number; db: Database };
/** The databases that reports are read from. No answer to a brand or a person may depend on them, because they lag. */
export type Reports = {
  /** The cells that are open, cell 0 first. */
  cells(): readonly ReportedCell[];
  /** How far the reports of cell 0 are behind; null if its primary answers them. */
  lagMs(): Promise<number | null>;
};
/** Reports from the primary. */
export const reportsFromPrimary = ({ db }: Pick<OpenDatabase, "db">): Reports => ({
  cells: () => [{ number: 0, db }],
  lagMs: async () => null,
});

/**
 * A standby has no lag if it has replayed what it received and still receives. Otherwise, the lag is at most the age of
 * its last transaction, or of its start if it has replayed none since.
 */
const lag = sql<{ lag: number | null }>`
  select case
    when not pg_is_in_recovery() then null
    when exists (select from pg_stat_wal_receiver) and pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else greatest(0, extract(epoch from clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())) * 1000)::bigint end as lag`;

/** The pool's message if all its connections are in use. */
const isPoolFull = (error: unknown) => error instanceof Error && error.message.includes("timeout exceeded");

/**
 * Reads cell 0 from a standby, and from its primary while no connection to the standby can be opened. Reports that wait for
 * other reports do not move to the primary.
 */
export function openReports(
  connection: Connection,
  primary: OpenDatabase,
  onError: (error: Error) => void,
): Reports & { close(): Promise<void> } {
  const standby = openDatabase(connection, onError, { poolSize, isReadOnly: true });
  const db = new Database(
    {
      options: {},
      connect: () =>
        standby.prepared.connect().catch((error: unknown) => {
          if (isPoolFull(error)) throw error;
          return primary.prepared.connect();
        }),
      end: async () => {},
    },
    "cell",
  );
  return {
    cells: () => [{ number: 0, db }],
    async lagMs() {
      const { rows } = await lag.execute(db);
      return rows[0]?.lag ?? null;
    },
    close: standby.close,
  };
}
