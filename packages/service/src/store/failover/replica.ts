import { sql } from "kysely";
import { type Connection, Database, type OpenDatabase, openDatabase } from "../database.ts";

/** Connections to the standby. Reports are few and long. */
const poolSize = 4;

/** A cell that reports read. Its number is part of the ids of lines. */
export type ReportedCell = { number: number; db: Database };
/** The databases that reports read. They lag, so no answer to a brand or a person may depend on them. */
export type Reports = {
  /** The cells that are open, cell 0 first. */
  cells(): readonly ReportedCell[];
  /** How far the reports of cell 0 are behind; null if they come from its primary. */
  lagMs(): Promise<number | null>;
};
/** Reports from the primary. */
export const reportsFromPrimary = ({ db }: Pick<OpenDatabase, "db">): Reports => ({
  cells: () => [{ number: 0, db }],
  lagMs: async () => null,
});

/**
 * The lag of a standby. Zero if it has replayed everything it received and is still receiving. Otherwise at most the
 * age of the last replayed transaction, or of the start if there is none.
 */
const lag = sql<{ lag: number | null }>`
  select case
    when not pg_is_in_recovery() then null
    when exists (select from pg_stat_wal_receiver) and pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else greatest(0, extract(epoch from clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())) * 1000)::bigint end as lag`;

/** The pool's message if all its connections are in use. */
const isPoolFull = (error: unknown) => error instanceof Error && error.message.includes("timeout exceeded");

/**
 * Reads cell 0 from a standby, or from its primary while the standby cannot be reached. Reports that wait because the
 * pool is full stay on the standby.
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
