import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  sql,
  Transaction,
} from "kysely";
import pg from "pg";
import type { StoreKind } from "./cells/store-kinds.ts";
import { clientsOn } from "./failover/host-clients.ts";
import { type Hosts, hostAnswerMs } from "./failover/hosts.ts";
import { withPreparedStatements } from "./statements/prepared.ts";
import type { Tables } from "./statements/tables.ts";

/** A transaction whose body resolves to this rolls back without an error. `why` is for the caller. */
export class RollBack<Why> {
  readonly why: Why;
  constructor(why: Why) {
    this.why = why;
  }
}

/** The typed database handle. Inside a transaction, use only the transaction's own handle. */
export class Database<Kind extends StoreKind = "cell"> extends Kysely<Tables> {
  readonly kind: Kind;
  readonly #dialect: PostgresDialect;

  constructor(pool: PostgresPool, kind: Kind) {
    const dialect = new PostgresDialect({ pool });
    super({ dialect });
    this.kind = kind;
    this.#dialect = dialect;
  }

  /**
   * Runs `body` in a transaction. It commits when `body` resolves, and rolls back when `body` rejects or resolves to a
   * `RollBack`.
   *
   * Statements that `body` starts without awaiting the one before (`Promise.all`) are sent together and run in order.
   * Start such statements only if none of them depends on the result of another.
   */
  async inTransaction<Answer>(body: (trx: Trx<Kind>) => Promise<Answer>): Promise<Answer> {
    return await this.getExecutor().provideConnection(async (connection) => {
      const state: TransactionState = { isOver: false, failed: undefined, committing: null, onEnd: [] };
      // Do not wait: the first statements are sent with it, and do not run if it fails. They report its error.
      connection.executeQuery(CompiledQuery.raw("begin")).catch(() => {});
      try {
        const answer = await body(this.#transactionOn(connection, state));
        state.isOver = true;
        if (answer instanceof RollBack) await connection.executeQuery(CompiledQuery.raw("rollback"));
        else await (state.committing ?? commit(connection));
        for (const end of state.onEnd) end(!(answer instanceof RollBack));
        return answer;
      } catch (error) {
        state.isOver = true;
        for (const end of state.onEnd) end(false);
        await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => undefined);
        // Statements after a failed one fail too, and may report it first. Throw the first error, which has the cause.
        throw isAborted(error) ? (state.failed ?? error) : error;
      }
    });
  }

  #transactionOn(connection: DatabaseConnection, state: TransactionState): Trx<Kind> {
    const executor = this.getExecutor().withConnectionProvider({
      provideConnection: async (consumer) => {
        if (state.isOver) throw new Error("a statement was started after its transaction ended");
        try {
          return await consumer(connection);
        } catch (error) {
          state.failed ??= error;
          throw error;
        }
      },
    });
    const dialect = this.#dialect;
    const props = { config: { dialect }, dialect, driver: dialect.createDriver(), executor };
    const commitWithNext = () => {
      state.committing = commit(connection);
      // The statement that failed reports the reason.
      state.committing.catch(() => {});
      process.nextTick(() => {
        state.isOver = true;
      });
    };
    return new Trx(props, { kind: this.kind, onEnd: state.onEnd, commitWithNext });
  }
}

/** A transaction. `onEnd` runs after it has committed or failed, such as to start a job that it enqueued. */
export class Trx<Kind extends StoreKind = "cell"> extends Transaction<Tables> {
  readonly kind: Kind;
  readonly onEnd: OnEnd[];
  readonly #commitWithNext: () => void;

  constructor(
    props: ConstructorParameters<typeof Transaction<Tables>>[0],
    { kind, onEnd, commitWithNext }: Ending<Kind>,
  ) {
    super(props);
    this.kind = kind;
    this.onEnd = onEnd;
    this.#commitWithNext = commitWithNext;
  }

  /**
   * Runs the last statements of the transaction and sends its commit with them. `run` must start all of them before it
   * waits for anything.
   */
  async last<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    const answer = run();
    this.#commitWithNext();
    return await answer;
  }
}
type Ending<Kind> = { kind: Kind; onEnd: OnEnd[]; commitWithNext(): void };
type OnEnd = (isCommitted: boolean) => void;

/** `failed`: the error of the first statement that failed. `committing`: the commit that was sent with the last ones. */
type TransactionState = {
  isOver: boolean;
  failed: unknown;
  committing: Promise<void> | null;
  onEnd: OnEnd[];
};

/** Whether a statement failed because an earlier one of its transaction had failed (SQLSTATE 25P02). */
function isAborted(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "25P02";
}

/** Removes the time limit from the statements of a transaction. */
export async function removeTimeLimit(trx: Trx<StoreKind>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
}

/** Commits without waiting for the disk. A crash of the server within the next second may lose what was written. */
export async function commitWithoutWaiting(trx: Trx<StoreKind>): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}

/** Checks that the commit succeeded: PostgreSQL answers ROLLBACK if a statement of the transaction failed. */
async function commit(connection: DatabaseConnection): Promise<void> {
  const { rows } = await connection.executeQuery<{ command?: string }>(CompiledQuery.raw("commit"));
  if (rows[0]?.command === "ROLLBACK") throw new Error("the transaction was rolled back, because a statement failed");
}
/** The handle of functions that only read; either one works. Functions whose writes must be atomic take a `Trx`. */
export type Reader<Kind extends StoreKind = "cell"> = Kysely<Tables> & { readonly kind: Kind };
/** Handles of the home database. */
export type Home = Database<"home">;
export type HomeTrx = Trx<"home">;
export type HomeReader = Reader<"home">;
/** Handles of a database of keyed rows. */
export type Keyed = Database<"keyed">;
export type KeyedTrx = Trx<"keyed">;
export type KeyedReader = Reader<"keyed">;
/** Handles for tables that every database has, such as jobs and data keys. */
export type AnyTrx = Trx<StoreKind>;
export type AnyReader = Reader<StoreKind>;

/** A connection. With `hosts`, it is to one of them, and `connectionString` names all of them. */
export type Connection =
  | { connectionString: string; hosts?: Hosts }
  | { host: string; port: number; user: string; database: string };
export type OpenDatabase = {
  db: Database;
  home: Home;
  keyed: Keyed;
  pool: pg.Pool;
  /** The same pool, with prepared statements. `db` uses it. */
  prepared: PostgresPool;
  connection: Connection;
  close(): Promise<void>;
};
type Opening = { poolSize?: number; answerMs?: number; isReadOnly?: boolean };

/** Default number of connections per process. */
const usualPoolSize = 16;
const connectTimeoutMs = 5_000;
/** The server's timeout for a statement. All statements of the service are short, so a longer one is stuck. */
const statementTimeoutMs = 15_000;
/** The client's timeout for an answer, longer than the server's. After that, the connection must be dead. */
const usualAnswerMs = 20_000;
/** The server ends transactions that are idle for this long, because a dead client would keep its locks. */
const silentTransactionMs = 20_000;
/**
 * Plan each prepared statement once for all values. As a result, PostgreSQL uses a partial index only if the
 * statement's text contains the index's condition; a parameter value is not enough. With the default cost of random
 * reads, which is that of spinning disks, it reads tables of a few thousand rows from end to end. Such a plan expects
 * that a `limit` keeps a tenth of the rows, so large tables would also get parallel workers and compiled code, which
 * take 30 ms to start for a page of 50 rows.
 */
export const generalPlans = [
  "plan_cache_mode=force_generic_plan",
  "random_page_cost=1.1",
  "max_parallel_workers_per_gather=0",
  "jit=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");
/**
 * Timeout of a commit. It waits for the synchronous standby, and `statement_timeout` does not end that wait. After this
 * timeout the caller gets 503 and must check whether the change was made.
 */
const standbyAnswerMs = 5_000;
const readOnly = "-c default_transaction_read_only=on";
/** How long a connection is idle before TCP keep-alive probes check that the other end still exists. */
const keepAliveMs = 30_000;

// The driver returns bigint and count(*) as text. Every timestamp and count in this service is a safe integer.
const int8 = 20;
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint beyond 2^53 was read");
  return value;
}

/** Adds options to those in a URL, such as the search path of a cell. The driver itself would ignore them. */
function withOptions(connection: Connection, options: string): Connection & { options: string } {
  if (!("connectionString" in connection)) return { ...connection, options };
  if (!URL.canParse(connection.connectionString)) return { ...connection, options };
  const url = new URL(connection.connectionString);
  const own = url.searchParams.get("options");
  if (own === null) return { ...connection, options };
  url.searchParams.delete("options");
  return { ...connection, connectionString: url.toString(), options: `${options} ${own}` };
}

export function openDatabase(
  connection: Connection,
  onError: (error: Error) => void,
  { poolSize = usualPoolSize, answerMs = usualAnswerMs, isReadOnly = false }: Opening = {},
): OpenDatabase {
  const types = new pg.TypeOverrides();
  types.setTypeParser(int8, parseInt8);
  const hosts = "hosts" in connection ? connection.hosts : undefined;
  const clients = hosts === undefined ? null : clientsOn(hosts, Math.min(hostAnswerMs, answerMs));
  const plans = isReadOnly ? `${generalPlans} ${readOnly}` : generalPlans;
  const pool = new pg.Pool({
    ...withOptions(hosts === undefined ? connection : { connectionString: hosts.urls[0] ?? "" }, plans),
    ...(clients === null ? {} : { Client: clients.Client }),
    types,
    max: poolSize,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: silentTransactionMs,
    // Send statements without waiting for the answers to earlier ones (see `Database.inTransaction`).
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "countersign",
  });
  // The pool replaces an idle connection that breaks. Without this listener, the error would end the process.
  let closing = false;
  pool.on("error", (error) => {
    // A closing pool forgets its connections early. If the server stops then, they still report errors.
    if (!closing) onError(error);
  });
  // The pool listens for errors on idle connections only. If a connection in use breaks, its statement fails, and
  // without this listener the connection's error event would end the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => {
      if (!closing) onError(error);
    });
  });
  const prepared = withPreparedStatements(pool, hosts === undefined ? undefined : Math.min(standbyAnswerMs, answerMs));
  const db = new Database(prepared, "cell");
  return {
    db,
    home: new Database(prepared, "home"),
    keyed: new Database(prepared, "keyed"),
    pool,
    prepared,
    connection,
    async close() {
      closing = true;
      clients?.close();
      // Ending the handle would not end the pool if the handle was never used.
      await pool.end();
    },
  };
}
