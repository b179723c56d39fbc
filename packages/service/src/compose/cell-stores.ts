/** Opens the databases of all cells except cell 0: at the start, and after `countersign cells add`. */
import { hourMs } from "@countersign/contract/time";
import { type Config, ConfigProblems } from "../config/config.ts";
import { slotOf } from "../domain/cell-number.ts";
import { refuse } from "../domain/failure.ts";
import type { Log } from "../log.ts";
import { systemClock } from "../providers/system.ts";
import { claimCell, findHomeOf, identifyHome } from "../store/cells/cell-home-rows.ts";
import { type CellEntry, listCells } from "../store/cells/cell-rows.ts";
import { isWorker, throughServer } from "../store/cells/citus.ts";
import type { KeyedStores } from "../store/cells/keyed.ts";
import { type Database, type Home, type Keyed, type OpenDatabase, openDatabase } from "../store/database.ts";
import { readCommitState, whyMisconfigured } from "../store/failover/standby.ts";
import { OtherMasterKey } from "../store/master-key-rows.ts";
import { migrate, pendingMigrations } from "../store/migrations/migrate.ts";
import { coalesced } from "../store/serial.ts";
import { openSignals, type Signals } from "../store/signals.ts";
import type { Vault } from "../store/vault.ts";
import { connectionTo } from "./database.ts";

/** How long a keyed row lives: a day for an answer, and an hour for clock differences. */
const keyedRowsMs = 25 * hourMs;
/** Connections to each cell. */
const poolSize = 8;
/** How often the list of cells is read, and how soon a failed cell is tried again, in milliseconds. */
const everyMs = 5_000;

/** A cell that is open: its database, and this process's number there. */
export type CellStore = CellEntry & { store: Pick<OpenDatabase, "db" | "keyed">; processNumber: number };

export type CellStores = {
  /** All cells in the list, whether they are open or not. */
  listed(): readonly CellEntry[];
  /** The cells that are open. */
  opened(): readonly CellStore[];
  /** Calls the listener for each open cell, and for each one that opens later. */
  onOpen(listener: (cell: CellStore) => void): void;
  close(): Promise<void>;
};

type CellStoresOptions = {
  config: Pick<Config, "isStandbyRequired" | "databaseUrl">;
  home: Home;
  vault: Vault;
  signals: Pick<Signals, "onChange">;
  log: Log;
};

/**
 * Opens all cells. An unreachable one is tried again; the others serve their people in the meantime. Throws
 * `ConfigProblems` if one belongs to another first database, or if the settings of its server do not fit.
 */
export async function openCellStores({ config, home, vault, signals, log }: CellStoresOptions): Promise<CellStores> {
  const open = new Map<number, CellStore & { close(): Promise<void> }>();
  const listeners: ((cell: CellStore) => void)[] = [];
  let listed: readonly CellEntry[] = [];
  let closed = false;
  let foreign: ConfigProblems | null = null;
  const ownName = await identifyHome(home);
  const openOne = async (entry: CellEntry) => {
    const opened = await openCell({ config, home: ownName, vault, log }, entry).catch((error: unknown) => {
      if (error instanceof ConfigProblems) foreign = error;
      const name = error instanceof Error ? error.name : "unknown";
      const problems = error instanceof ConfigProblems ? { problems: error.problems } : {};
      log.warn("cell could not be opened; will retry", { cell: entry.number, error: name, ...problems });
      return null;
    });
    if (opened === null) return;
    if (closed) return await opened.close();
    open.set(entry.number, opened);
    for (const listener of listeners) listener(opened);
  };
  const read = async () => {
    listed = await listCells(vault, home);
    await Promise.all(listed.filter(({ number }) => !open.has(number)).map(openOne));
  };
  // Read one at a time, so that no cell is opened twice.
  const readOnce = coalesced(async () => (closed ? undefined : await read()));
  await readOnce();
  if (foreign !== null) {
    closed = true;
    await Promise.all([...open.values()].map((cell) => cell.close()));
    throw foreign;
  }
  let reading = Promise.resolve();
  const readAgain = () => {
    reading = readOnce().catch(() => {});
  };
  signals.onChange(readAgain);
  const timer = setInterval(readAgain, everyMs);
  timer.unref();
  return {
    listed: () => listed,
    opened: () => [...open.values()],
    onOpen(listener) {
      listeners.push(listener);
      for (const cell of open.values()) listener(cell);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await reading;
      await Promise.all([...open.values()].map((cell) => cell.close()));
    },
  };
}

/**
 * Throws `ConfigProblems` if a cell belongs to another first database. The restored copy of a first database has the
 * addresses of the live cells, and must neither read nor migrate them.
 */
export async function requireOwn({ db }: Pick<OpenDatabase, "db">, number: number, home: string): Promise<void> {
  const found = await findHomeOf(db);
  if (found !== null && found !== home) throw foreignCell(number);
}

function foreignCell(number: number): ConfigProblems {
  return new ConfigProblems([
    `cell ${number} belongs to another first database than the one in DATABASE_URL. If this one was restored, ` +
      "run `countersign cells adopt` (docs/operate/backup.md)",
  ]);
}

/** Opens a cell whose standby is only away, because its commits wait, and other cells serve their people meanwhile. */
async function requireWaitingCommits({ db }: Pick<OpenDatabase, "db">, number: number): Promise<void> {
  const why = whyMisconfigured(await readCommitState(db));
  if (why !== null) throw new ConfigProblems([`cell ${number}: HA=required, but ${why} (docs/operate/scale.md)`]);
}

type Opening = Pick<CellStoresOptions, "config" | "log" | "vault"> & { home: string };

async function openCell(
  { config, home, vault, log }: Opening,
  entry: CellEntry,
): Promise<CellStore & { close(): Promise<void> }> {
  const connection = connectionTo(config, entry.address);
  const onError = (error: Error) => log.warn("cell connection lost", { cell: entry.number, error: error.message });
  const store = openDatabase(connection, onError, { poolSize });
  try {
    await requireOwn(store, entry.number, home);
    if (config.isStandbyRequired) await requireWaitingCommits(store, entry.number);
    const ran = await bringUpToDate(config, entry, store.db);
    if ((await claimCell(store.db, home)) !== home) throw foreignCell(entry.number);
    await vault.registerIn(store.db, systemClock.now()).catch((error: unknown) => {
      throw error instanceof OtherMasterKey ? new ConfigProblems([`cell ${entry.number}: ${error.message}`]) : error;
    });
    if (ran.length > 0) log.info("cell migrated", { cell: entry.number, migrations: ran });
    // The cell's database must know that the process with its claimed jobs is alive.
    const signals = await openSignals(connection, onError);
    const close = async () => {
      await signals.close();
      await store.close();
    };
    return { ...entry, store, processNumber: signals.processNumber, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function bringUpToDate(
  config: CellStoresOptions["config"],
  { address }: CellEntry,
  db: Database,
): Promise<string[]> {
  if ((await pendingMigrations(db)).length === 0) return [];
  return await changeTables(config, { address, db }, (one) => migrate(one));
}

/** Changes the tables of a cell. In a Citus cluster, only the coordinator can do that. It has home, too. */
export async function changeTables<Answer>(
  config: CellStoresOptions["config"],
  { address, db }: { address: string; db: Database },
  work: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  const { databaseUrl } = config;
  if (databaseUrl === null || !(await isWorker(db))) return await work(db);
  const coordinator = connectionTo(config, throughServer(databaseUrl, address));
  const store = openDatabase(coordinator, () => {}, { poolSize: 1 });
  try {
    return await work(store.db);
  } finally {
    await store.close();
  }
}

/** The number of the cell that has the slot now. 0 is the first cell. */
export function cellOfSlot(listed: readonly CellEntry[], slot: number): number {
  return listed.find((cell) => slot >= cell.from && slot < cell.to && isTaking(cell))?.number ?? 0;
}

/** The keyed hash that masks the number of a cell in uuids and tokens. */
export const cellMarkHash = (vault: Vault) => (text: string) => vault.keyedHash("cell mark", text);

/** Keyed rows, such as sessions, are in the cell of their own key's slot. */
export function keyedIn(first: Keyed, cells: CellStores, vault: Vault): KeyedStores {
  const keyedOf = (number: number): Keyed => {
    const keyed = number === 0 ? first : cells.opened().find((cell) => cell.number === number)?.store.keyed;
    return keyed ?? refuseUnreachable();
  };
  const slotOfKey = (key: string) => slotOf(vault.keyedHash("keyed", key));
  return {
    of: (key) => keyedOf(cellOfSlot(cells.listed(), slotOfKey(key))),
    formerly: (key) => (hasMoved(cells.listed(), slotOfKey(key)) ? first : null),
    every: () => [first, ...requireAll(cells).map(({ store }) => store.keyed)],
  };
}

/** All cells except cell 0. Throws if one of them is not open. */
export function requireAll(cells: Pick<CellStores, "listed" | "opened">): CellStore[] {
  const open = new Map(cells.opened().map((cell) => [cell.number, cell]));
  return cells.listed().map(({ number }) => open.get(number) ?? refuseUnreachable());
}

/** Refuses a request whose cell cannot be reached. Other cells keep serving their people. */
export function refuseUnreachable(): never {
  throw refuse(503, "The service is temporarily unavailable.", { "retry-after": "5" });
}

/** Whether the slot moved to its cell in the last 25 hours. Keyed rows from before that move are in cell 0. */
function hasMoved(listed: readonly CellEntry[], slot: number): boolean {
  const since = systemClock.now() - keyedRowsMs;
  return listed.some((cell) => slot >= cell.from && slot < cell.to && isTaking(cell) && cell.opensAt > since);
}

/** Whether a cell stores new people. Every process knows the cell before that time. */
function isTaking({ opensAt }: CellEntry): boolean {
  return systemClock.now() >= opensAt;
}
