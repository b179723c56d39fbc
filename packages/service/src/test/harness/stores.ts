/**
 * The databases of a test's service, and a watch on every statement. Home and the cells may be different databases, so
 * no statement and no transaction may use tables of both, and no transaction may wait for a statement outside it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Log } from "../../log.ts";
import { Database, type OpenDatabase, openDatabase, type Trx } from "../../store/database.ts";
import { type Holder, holderOf } from "../../store/holders.ts";
import { openSignals, type Signals } from "../../store/signals.ts";
import { cloneDatabase } from "./database-template.ts";

/** A table after a word that introduces one. */
const tables = /\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi;
const literals = /'[^']*'/g;

/** Who holds the tables of a statement. Tables that each database has, such as `job`, count for neither. */
function holdersIn(text: string): Set<Holder> {
  const holders = new Set<Holder>();
  for (const [, table = ""] of text.replaceAll(literals, "''").matchAll(tables)) {
    const holder = holderOf(table.toLowerCase());
    if (holder !== null) holders.add(holder);
  }
  return holders;
}

/** Whether the code that runs was called by the body of a transaction. */
const inBody = new AsyncLocalStorage<true>();
const { inTransaction } = Database.prototype;
Object.assign(Database.prototype, {
  inTransaction(this: Database, body: (trx: Trx) => Promise<unknown>) {
    // A test may call the service while a transaction of its own is open.
    if (new Error().stack?.split("\n")[2]?.includes("/src/test/") === true) return inTransaction.call(this, body);
    return inTransaction.call(this, (trx) => inBody.run(true, () => body(trx)));
  },
});

type Transaction = { holders: Set<Holder>; texts: string[] };

/** Returns what broke the rule so far: the statements of each transaction that used both. */
function watchStores(pool: pg.Pool): { broken: string[] } {
  const broken: string[] = [];
  pool.on("connect", (client) => {
    let open: Transaction | null = null;
    const watched = (asked: unknown, ...rest: unknown[]) => {
      // The service asks with an object; tests that look into the database ask with a text.
      const text = typeof asked === "object" && asked !== null && "text" in asked ? String(asked.text) : null;
      if (text === "begin") open = { holders: new Set(), texts: [] };
      else if (text === "commit" || text === "rollback") open = null;
      else if (text !== null) {
        const holders = open?.holders ?? new Set<Holder>();
        for (const holder of holdersIn(text)) holders.add(holder);
        open?.texts.push(text);
        // A transaction that waits for a second connection can wait forever, once all connections are in transactions.
        if (open === null && inBody.getStore() === true && !broken.includes(text)) broken.push(text);
        const all = (open?.texts ?? [text]).join(";\n");
        // Tests compare and restore rows of both at once.
        const isTest = /session_replication_role|hashtextextended/.test(all);
        if (holders.size > 1 && !isTest && !broken.includes(all)) broken.push(all);
      }
      // Tests may replace the method later.
      return Reflect.apply(Object.getPrototypeOf(client).query, client, [asked, ...rest]);
    };
    Object.assign(client, { query: watched });
  });
  return { broken };
}

type Stores = { store: OpenDatabase; signals: Signals; broken: string[]; closeStores(): Promise<void> };

/** One database of its own for a test file. With `STORES=apart`, home and the cell are two databases. */
export async function openStores(log: Log): Promise<Stores> {
  const one = await openOne(log);
  if (process.env.STORES !== "apart") return { ...one, closeStores: one.close };
  const cell = await openOne(log);
  return {
    // Tests look into the database of the cell.
    store: { ...one.store, db: cell.store.db },
    // The cell's database must see that the process which claims its jobs is alive.
    signals: { ...one.signals, holder: cell.signals.holder },
    get broken() {
      return [...one.broken, ...cell.broken];
    },
    closeStores: async () => void (await Promise.all([one.close(), cell.close()])),
  };
}

async function openOne(log: Log) {
  const database = await cloneDatabase();
  const connection = { connectionString: database.url };
  const store = openDatabase(connection, (error) => log.error("pool", { error: error.message }));
  const { broken } = watchStores(store.pool);
  const signals = await openSignals(connection, (error) => log.error("signals", { error: error.message }));
  const close = async () => {
    await signals.close();
    await store.close();
    await database.drop();
  };
  return { store, signals, broken, close };
}
