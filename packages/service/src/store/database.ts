import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { preparing } from "./prepared.ts";
import type { Tables } from "./tables.ts";

/** The typed database handle. Inside a transaction, use only the transaction's own handle. */
export type Database = Kysely<Tables>;
export type Trx = Transaction<Tables>;
/** The handle of functions that only read; either one works. Functions whose writes must be atomic take a `Trx`. */
export type Reader = Database | Trx;

export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };
export type OpenDatabase = { db: Database; pool: pg.Pool; connection: Connection; close(): Promise<void> };

/** Default number of connections per process. */
const usualPoolSize = 16;
const connectTimeoutMs = 5_000;
/** The server's limit for one statement. Every statement of the service is short, so a longer one is stuck. */
const statementTimeoutMs = 15_000;
/** The client's limit for an answer, longer than the server's. No answer by then means that the connection is dead. */
const usualAnswerMs = 20_000;
/** The server ends a transaction that is idle for this long, because a client that died would keep its locks. */
const silentTransactionMs = 20_000;
/**
 * Plan each prepared statement once for all values. As a result, PostgreSQL uses a partial index only if the
 * statement's text contains the index's condition; a parameter value is not enough.
 */
const generalPlans = "-c plan_cache_mode=force_generic_plan";
/** How long a connection is idle before TCP keep-alive probes check that the other end still exists. */
const keepAliveMs = 30_000;

// The driver returns bigint and count(*) as text. Every timestamp and count in this service is a safe integer.
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
  // The pool replaces an idle connection that breaks. Without this listener, the error would end the process.
  let closing = false;
  pool.on("error", (error) => {
    // On close, the pool forgets its connections early. A server that stops then still reports errors on them.
    if (!closing) onError(error);
  });
  // The pool listens for errors on idle connections only. If a connection in use breaks, its statement fails, and
  // without this listener the connection's error event would end the process.
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
