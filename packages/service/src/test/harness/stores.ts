/**
 * The databases of a test's service, and a watch on every statement. Home, the cells and the keyed rows may be in
 * different databases, so no statement and no transaction may use tables of two of them, and no transaction may wait for
 * a statement outside it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { CellStores } from "../../compose/cell-stores.ts";
import { cellsMax } from "../../domain/cell-number.ts";
import type { Log } from "../../log.ts";
import { type StoreKind, storeKinds } from "../../store/cells/store-kinds.ts";
import { Database, type OpenDatabase, openDatabase, type Trx } from "../../store/database.ts";
import { openSignals, type Signals } from "../../store/signals.ts";
import { openCitusSchemas, tellStatement } from "./citus-cells.ts";
import { cellCount, cellSchemas, cloneDatabase, everyCell, inSchema } from "./database-template.ts";
import { sentStatements } from "./sent-statements.ts";

/** A table after a word that introduces one. */
const tables = /\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi;
const literals = /'[^']*'/g;

const kindOf = new Map<string, StoreKind | "each">(Object.entries(storeKinds));

/** The kinds of stores that a statement uses. Ignores tables that every database has, such as `job`. */
function kindsIn(text: string): Set<StoreKind> {
  const kinds = new Set<StoreKind>();
  for (const [, table = ""] of text.replaceAll(literals, "''").matchAll(tables)) {
    const kind = kindOf.get(table.toLowerCase());
    if (kind !== undefined && kind !== "each") kinds.add(kind);
  }
  return kinds;
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

type Transaction = { kinds: Set<StoreKind>; texts: string[] };

/** Returns what broke the rule so far: the statements of each transaction that used two kinds. */
function watchStores(pool: pg.Pool, tell: (text: string) => void = () => {}): { broken: string[] } {
  const broken: string[] = [];
  pool.on("connect", (client) => {
    let open: Transaction | null = null;
    const watch = (text: string) => {
      if (text === "begin") open = { kinds: new Set(), texts: [] };
      else if (text === "commit" || text === "rollback") open = null;
      else {
        tell(text);
        const kinds = open?.kinds ?? new Set<StoreKind>();
        for (const kind of kindsIn(text)) kinds.add(kind);
        open?.texts.push(text);
        // A transaction that waits for a second connection can wait forever, once all connections are in transactions.
        if (open === null && inBody.getStore() === true && !broken.includes(text)) broken.push(text);
        const all = (open?.texts ?? [text]).join(";\n");
        // Tests compare and restore rows of all at once.
        const isTest = /session_replication_role|hashtextextended/.test(all);
        if (kinds.size > 1 && !isTest && !broken.includes(all)) broken.push(all);
      }
    };
    const watched = (asked: unknown, ...rest: unknown[]) => {
      // The service passes an object to the driver; a test's own query passes text.
      if (typeof asked === "object") for (const { text } of sentStatements(asked)) watch(text);
      // Tests may replace the method later.
      return Reflect.apply(Object.getPrototypeOf(client).query, client, [asked, ...rest]);
    };
    Object.assign(client, { query: watched });
  });
  return { broken };
}

type Stores = {
  store: OpenDatabase;
  /** Undefined: the service opens the cells that its table lists. */
  cells?: CellStores;
  signals: Signals;
  /** The rows of all cells, for tests that look into the database. */
  seen: OpenDatabase;
  /** The service's connections to all databases. */
  pools: readonly pg.Pool[];
  broken: string[];
  closeStores(): Promise<void>;
};

const noCells: CellStores = { listed: () => [], opened: () => [], onOpen: () => {}, close: async () => {} };

/**
 * One database of its own for a test file. With `STORES=apart`, each kind has one of its own. With `STORES=two`, there
 * are two cells in two databases; with `STORES=listed`, those of the table `cell`; with `STORES=citus`, two distributed
 * schemas and the coordinator's own tables. With `CELLS=4`, the database has four cells in every file that says nothing
 * else. `url`: one database that is there already.
 */
export async function openStores(log: Log, url?: string): Promise<Stores> {
  if (url !== undefined) {
    const one = await openAt(log, url);
    return { ...one, seen: one.store, pools: [one.store.pool], cells: noCells, closeStores: one.close };
  }
  const { STORES: which } = process.env;
  if (cellCount > 1 && which === undefined) return await openSchemas(log);
  if (which === "citus") return await openOnCitus(log);
  const one = await openOne(log);
  const pools = [one.store.pool];
  if (which === "listed") return { ...one, seen: one.store, pools, closeStores: one.close };
  if (which === "two") {
    const other = await openOne(log);
    const closeStores = async () => void (await Promise.all([one.close(), other.close()]));
    return {
      ...cellsOf([one, other]),
      seen: one.store,
      pools: poolsOf([one, other]),
      get broken() {
        return [...one.broken, ...other.broken];
      },
      closeStores,
    };
  }
  if (which !== "apart") return { ...one, seen: one.store, pools, cells: noCells, closeStores: one.close };
  const [cell, keyed] = [await openOne(log), await openOne(log)];
  return {
    cells: noCells,
    seen: { ...one.store, db: cell.store.db },
    pools: poolsOf([one, cell, keyed]),
    // Tests look into the database of the cell.
    store: { ...one.store, db: cell.store.db, keyed: keyed.store.keyed },
    // The cell's database must see that the process which claims its jobs is alive.
    signals: { ...one.signals, processNumber: cell.signals.processNumber },
    get broken() {
      return [...one.broken, ...cell.broken, ...keyed.broken];
    },
    closeStores: async () => void (await Promise.all([one.close(), cell.close(), keyed.close()])),
  };
}

/** Equal cells, the first of which is also home. */
function cellsOf(opened: readonly Opened[]) {
  const [first, ...others] = opened;
  if (first === undefined) throw new Error("there is no cell");
  const size = cellsMax / opened.length;
  const cells = others.map(({ store, signals: { processNumber } }, at) => {
    const number = at + 1;
    const slots = { from: Math.floor(number * size), to: Math.floor((number + 1) * size) };
    return { number, address: "", ...slots, opensAt: 0, store, processNumber };
  });
  const all: CellStores = {
    listed: () => cells,
    opened: () => cells,
    onOpen: (listener) => cells.forEach(listener),
    close: async () => {},
  };
  return { store: first.store, signals: first.signals, cells: all };
}

/** Four schemas of one database. */
async function openSchemas(log: Log): Promise<Stores> {
  const database = await cloneDatabase();
  const opened = await Promise.all(cellSchemas.map((schema) => openAt(log, inSchema(database.url, schema), 6)));
  const seen = openDatabase({ connectionString: inSchema(database.url, everyCell) }, () => {}, { poolSize: 4 });
  return {
    ...cellsOf(opened),
    seen: { ...seen, home: opened[0]?.store.home ?? seen.home },
    pools: poolsOf(opened),
    get broken() {
      return opened.flatMap(({ broken }) => broken);
    },
    async closeStores() {
      await Promise.all([...opened, seen].map(({ close }) => close()));
      await database.drop();
    },
  };
}

async function openOnCitus(log: Log): Promise<Stores> {
  const { urls, drop } = await openCitusSchemas();
  const opened = await Promise.all(urls.map((url, at) => openAt(log, url, 8, at === 0 ? undefined : tellStatement)));
  const all = cellsOf(opened);
  return {
    ...all,
    seen: all.store,
    pools: poolsOf(opened),
    get broken() {
      return opened.flatMap(({ broken }) => broken);
    },
    async closeStores() {
      await Promise.all(opened.map(({ close }) => close()));
      await drop();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openAt>>;
const poolsOf = (opened: readonly Opened[]) => opened.map(({ store }) => store.pool);

async function openOne(log: Log) {
  const database = await cloneDatabase();
  const one = await openAt(log, database.url);
  const close = async () => {
    await one.close();
    await database.drop();
  };
  return { ...one, close };
}

async function openAt(log: Log, connectionString: string, poolSize?: number, tell?: (text: string) => void) {
  const connection = { connectionString };
  const onError = (error: Error) => log.error("pool", { error: error.message });
  const store = openDatabase(connection, onError, poolSize === undefined ? {} : { poolSize });
  const { broken } = watchStores(store.pool, tell);
  const signals = await openSignals(connection, (error) => log.error("signals", { error: error.message }));
  const close = async () => {
    await signals.close();
    await store.close();
  };
  return { store, signals, broken, close };
}
