import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { preparing } from "./prepared.ts";
import type { Tables } from "./tables.ts";

/** The typed handle. Inside a transaction only the transaction's own handle is used. */
export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;
/** Where a read may run: anywhere. Writes that belong together ask for a `Trx`. */
export type Reader = Database | Trx;

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };
export type OpenDatabase = { db: Database; pool: pg.Pool; connection: Connection; close(): Promise<void> };

/** Connections of one process, where nothing is said about them. */
const usualPoolSize = 16;
const connectTimeoutMs = 5_000;
/** No statement of the service is long; one that is waits for something that will not come. */
const statementTimeoutMs = 15_000;
/** The server ends a statement before: one without an answer until then went nowhere, as behind a router that forgot. */
const usualAnswerMs = 20_000;
/** The server ends a transaction that says nothing for so long: whoever holds its locks is gone. */
const silentTransactionMs = 20_000;
/**
 * What runs often is planned once for any value, and not each time for the few that are there; so the index of a part of a
 * table is found by that part's words only, never by a value.
 */
const generalPlans = "-c plan_cache_mode=force_generic_plan";
/** From when on an idle connection asks whether the other end is there. */
const keepAliveMs = 30_000;

// bigint and count(*) come as text from the driver; every instant and count of ours is a safe integer.
const int8 = 20;
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint beyond 2^53 was read");
  return value;
}

export function openDatabase(
  connection: Connection,
  onError: (error: Error) => void,
  { poolSize = usualPoolSize, answerMs = usualAnswerMs }: { poolSize?: number; answerMs?: number } = {},
): OpenDatabase {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, parseInt8);
  const pool = new pg.Pool({
    ...connection,
    types,
    max: poolSize,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerMs,
    options: generalPlans,
    idle_in_transaction_session_timeout: silentTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "countersign",
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  let closing = false;
  pool.on("error", (error) => {
    // The pool lets go of its connections before they have ended; a server that stops then says so on them.
    if (!closing) onError(error);
  });
  // The pool hears its idle connections only. One in use that breaks fails its statement; what it says besides is noted
  // here, because an error that nobody hears ends the process, and with it every other request.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      if (!closing) onError(error);
    });
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return {
    db,
    pool,
    connection,
    async close() {
      closing = true;
      await db.destroy();
    },
  };
}
