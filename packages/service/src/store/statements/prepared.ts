import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import { CommitUnconfirmed, isConnectionUseless, isUnanswered } from "../outage.ts";
import { type KnownColumns, type Statement, type StatementAnswer, Together } from "./together.ts";

/** A statement text is prepared after `runsMin` runs. Runs are counted for at most `textsMax` different texts. */
const runsMin = 20;
const textsMax = 1_000;
/** Prepared statements per connection. Each one takes about ten kilobytes. */
const plansMax = 120;

/**
 * PostgreSQL plans a full scan of an almost empty table, and keeps the plan when the table grows. Plans are therefore
 * discarded whenever a connection has run twice as many statements as at the last discard, and at least every
 * `plansLifeMax` statements.
 */
const plannedFirst = 32;
const plansLifeMax = 2_000;

/** Practically no timeout, in milliseconds. The driver would replace 0 (no timeout) with the pool's timeout. */
const neverMs = 2 ** 31 - 1;
/** A caller that turns off the server's statement timeout also waits without a client timeout. */
const turnsOffTimeout = /^set (local )?statement_timeout = 0/;

/**
 * Wraps the pool for Kysely. A frequent statement gets a name, so PostgreSQL plans it once per connection. Discards a
 * connection if it does not answer in time, or if its server refuses a write because another server is the primary now.
 * `commitMs` is the timeout of a commit, if it differs from other statements.
 */
export function withPreparedStatements(pool: pg.Pool, commitMs: number | undefined): PostgresPool {
  const nameOf = openNames();
  const wrapped = new WeakMap<pg.PoolClient, Wrapped>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      // Kysely keeps a record of each object that it gets here, so a connection always gets the same one.
      const known = wrapped.get(client) ?? wrap(client, { nameOf, commitMs });
      wrapped.set(client, known);
      await known.begin();
      return known.connection;
    },
  };
}

/** A connection for Kysely. `begin` prepares it for its next user. */
type Wrapped = { connection: PostgresPoolClient; begin(): Promise<void> };

function wrap(
  client: pg.PoolClient,
  { nameOf, commitMs }: { nameOf: (text: string) => string; commitMs: number | undefined },
): Wrapped {
  const known: KnownColumns = new Map();
  const plans = { ran: 0, discardAt: plannedFirst };
  let useless: unknown = null;
  let hasNoTimeout = false;
  /** What this tick has started. It is sent at the tick's end, the commit last. */
  let started: Statement[] = [];
  let commit: Statement | undefined;
  /** A `begin` without an answer. */
  let opening: Promise<unknown> | null = null;

  const send = () => {
    const statements = commit === undefined ? started : [...started, commit];
    if (statements.length === 0) return;
    const isCommitted = commit !== undefined;
    [started, commit] = [[], undefined];
    const settings = { client, known, timeoutMs: hasNoTimeout ? neverMs : undefined, commitMs };
    client.query(new Together(isCommitted ? statements.map(toldUnconfirmed) : statements, settings));
  };
  const start = (text: string, given: readonly unknown[]) =>
    new Promise<StatementAnswer>((resolve, reject) => {
      const statement = { text, name: nameOf(text), values: given.map(toWire), resolve, reject };
      if (started.length === 0 && commit === undefined) process.nextTick(send);
      if (text === "commit") commit = statement;
      else started.push(statement);
    });
  const run = async (text: string, values: readonly unknown[]) => {
    // The protocol of several statements in one text is another one.
    if (values.length > 0 || !text.includes(";")) return await start(text, values);
    send();
    return await client.query({ text, ...(hasNoTimeout ? { query_timeout: neverMs } : {}) });
  };
  const query: unknown = async (text: string, values: readonly unknown[]) => {
    // A statement must not run before it is certain that its transaction has begun.
    if (opening !== null && started.length === 0) await opening;
    if (useless !== null) throw useless;
    plans.ran += 1;
    hasNoTimeout ||= turnsOffTimeout.test(text);
    try {
      const answer = run(text, values);
      if (text === "begin") opening = answer.catch(() => {});
      return await answer;
    } catch (error) {
      if (isConnectionUseless(error) || text === "begin") useless = error;
      throw error;
    } finally {
      if (text === "begin") opening = null;
    }
  };
  return {
    async begin() {
      hasNoTimeout = false;
      if (plans.ran < plans.discardAt) return;
      await discardPlans(client);
      plans.discardAt = plans.ran + Math.min(plans.ran, plansLifeMax);
    },
    connection: {
      // Kysely's other overload of `query` is for cursors, which this service does not use.
      query: query as PostgresPoolClient["query"],
      release: (destroy) => client.release(destroy === true || useless !== null),
    },
  };
}

/** A statement that was sent with a commit. Without an answer, nobody knows whether the commit ran. */
const toldUnconfirmed = (statement: Statement): Statement => ({
  ...statement,
  reject: (cause) =>
    statement.reject(
      isUnanswered(cause) ? new CommitUnconfirmed("the server did not answer a commit in time", { cause }) : cause,
    ),
});

/** The driver's conversion of parameters, which its types leave out. */
const { prepareValue: toWire } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** Discards the connection if the statement fails. */
async function discardPlans(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("discard plans");
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Names statement texts in the order in which they become frequent, until `plansMax` names are used. */
function openNames(): (text: string) => string {
  const names = new Map<string, string>([
    ["begin", "begin"],
    ["commit", "commit"],
  ]);
  const runs = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= plansMax || !canBePrepared(text)) return "";
    const ran = (runs.get(text) ?? 0) + 1;
    if (ran < runsMin) {
      if (ran > 1 || runs.size < textsMax) runs.set(text, ran);
      return "";
    }
    runs.delete(text);
    const name = `often_${names.size}`;
    names.set(text, name);
    return name;
  };
}

/** Matches `select *` or `"table".*`, but not `count(*)`. */
const allColumns = /[^(]\*/;

/**
 * A statement that selects all columns must not be prepared, because a newer version may add one. One without
 * parameters, such as `begin`, need not be.
 */
export function canBePrepared(text: string): boolean {
  return text.includes("$1") && !allColumns.test(text);
}
