import pg from "pg";

/** What the driver passes to a query, without the parts that its types leave out or that nobody uses here. */
type Wire = {
  parse(message: { name: string; text: string; types: [] }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  describe(message: { type: "P"; name: "" }): void;
  execute(message: null): void;
  sync(): void;
  readonly stream: { cork(): void; uncork(): void; destroy(): void };
  /** The driver's own records of named statements, by name: those that the server has parsed, and those sent. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
};
type Field = { name: string; dataTypeID: number; format: string };
type Column = { name: string; parse(value: string): unknown };
export type StatementAnswer = { command: string; rowCount: number; rows: Record<string, unknown>[] };

/** The columns of the named statements of one connection. Columns of a prepared statement never change. */
export type KnownColumns = Map<string, readonly Column[]>;

/** A statement that was not sent yet. `values`: as the driver sends them. An empty name: it is not kept prepared. */
export type Statement = {
  text: string;
  name: string;
  values: readonly unknown[];
  resolve(answer: StatementAnswer): void;
  reject(error: unknown): void;
};
type Settings = {
  client: pg.PoolClient;
  known: KnownColumns;
  timeoutMs: number | undefined;
  /** Timeout of a commit, from the answer to the statement before it. */
  commitMs: number | undefined;
};

/** The driver's message for a statement that got no answer. `outage.ts` recognizes it. */
const unanswered = "Query read timeout";

/**
 * Statements that are sent in one write, with one Sync. If one fails, the server skips the others: a statement cannot
 * run outside of its transaction because its `begin` failed, and `commit` runs only if everything before it succeeded.
 * The driver sends one statement per Sync, and therefore waits for `begin` and before `commit`.
 */
export class Together extends pg.Query {
  readonly #statements: readonly Statement[];
  readonly #settings: Settings;
  #at = 0;
  #columns: readonly Column[] | undefined;
  #rows: StatementAnswer["rows"] = [];
  /** A value that its type's parser refused. */
  #unreadable: { error: unknown } | undefined;
  readonly #answers: StatementAnswer[] = [];
  #commitTimer: NodeJS.Timeout | undefined;
  // The driver reads these members.
  readonly query_timeout: number | undefined;
  callback: (error?: unknown) => void = () => {};

  constructor(statements: readonly Statement[], settings: Settings) {
    super("");
    this.#statements = statements;
    this.#settings = settings;
    this.query_timeout = settings.timeoutMs;
    this.submit = (connection) => this.#send(connection as unknown as Wire);
  }

  /** For tests and benches that count statements or break connections. */
  get statements(): readonly Statement[] {
    return this.#statements;
  }

  /** The name and text of the statement that the server answers now. The driver records names that were parsed. */
  get name(): string | undefined {
    return this.#current?.name;
  }
  set name(_given: string | undefined) {
    // The driver's constructor assigns it.
  }
  get text(): string | undefined {
    return this.#current?.text;
  }
  set text(_given: string | undefined) {
    // The driver's constructor assigns it.
  }

  // The setters and getters run before the constructor of this class has set the private members.
  get #current(): Statement | undefined {
    return #statements in this ? this.#statements[this.#at] : undefined;
  }

  #send(connection: Wire): void {
    connection.stream.cork();
    for (const { text, name, values } of this.#statements) {
      if (name === "" || !isParsed(connection, name)) {
        connection.parse({ name, text, types: [] });
        if (name !== "") connection.submittedNamedStatements[name] = text;
      }
      connection.bind({ statement: name, values });
      if (!this.#settings.known.has(name)) connection.describe({ type: "P", name: "" });
      connection.execute(null);
    }
    connection.sync();
    connection.stream.uncork();
    this.#watchCommit();
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID, format }) => ({
      name,
      parse: this.#settings.client.getTypeParser(dataTypeID, format as "text"),
    }));
  }

  handleDataRow({ fields: values }: { fields: readonly (string | null)[] }): void {
    const columns = this.#columns ?? this.#settings.known.get(this.name ?? "") ?? [];
    const row: Record<string, unknown> = {};
    try {
      for (let at = 0; at < columns.length; at += 1) {
        const { name, parse } = columns[at] as Column;
        const value = values[at] ?? null;
        row[name] = value === null ? null : parse(value);
      }
    } catch (error) {
      this.#unreadable ??= { error };
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name = "" } = this.#current ?? {};
    if (name !== "" && !this.#settings.known.has(name)) this.#settings.known.set(name, this.#columns ?? []);
    const [command = "", ...counts] = text.split(" ");
    this.#answers.push({ command, rowCount: Number(counts.at(-1) ?? 0), rows: this.#rows });
    this.#columns = undefined;
    this.#rows = [];
    this.#at += 1;
    this.#watchCommit();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: "" });
  }

  /** A statement without a transaction is committed now, after its own answer. That can still fail. */
  handleReadyForQuery(): void {
    clearTimeout(this.#commitTimer);
    for (const [at, { resolve, reject }] of this.#statements.entries())
      if (this.#unreadable === undefined) resolve(this.#answers[at] as StatementAnswer);
      else reject(this.#unreadable.error);
    this.callback();
  }

  /** Fails all statements, because the server undoes also those that it answered. */
  handleError(error: unknown, connection: unknown): void {
    clearTimeout(this.#commitTimer);
    for (const [at, { name, reject }] of this.#statements.entries()) {
      // A later statement was not parsed if the server skipped it.
      if (name !== "" && at >= this.#at) delete (connection as Wire | undefined)?.submittedNamedStatements[name];
      reject(error);
    }
    this.#at = this.#statements.length;
    this.callback(error);
  }

  /** Ends the connection if the commit is not answered in time. */
  #watchCommit(): void {
    const { commitMs, client } = this.#settings;
    if (commitMs === undefined || this.#current?.text !== "commit") return;
    this.#commitTimer = setTimeout(() => {
      const { connection } = client as unknown as { connection: Wire };
      this.handleError(new Error(unanswered), connection);
      connection.stream.destroy();
    }, commitMs);
  }
}

function isParsed(connection: Wire, name: string): boolean {
  return connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined;
}
