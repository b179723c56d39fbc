import { sql } from "kysely";
import type { StoreKind } from "../cells/store-kinds.ts";
import type { AnyTrx, Database } from "../database.ts";
import { ground } from "./0001-ground.ts";
import { buildIndexes, type Indexes } from "./build-indexes.ts";

/** Name → SQL that runs in one transaction, or indexes of tables that already have rows. */
export type Migrations = Record<string, string | Indexes>;

/**
 * Forward-only migrations, in this order. Indexes of tables that already have rows are built concurrently, so that
 * writers are not blocked. A migration that was released never changes.
 */
export const migrations: Migrations = { "0001-ground": ground };

/** Advisory lock that every version takes, so that only one process migrates at a time. */
const migrationLock = "3853314791062309107";
/**
 * Maximum wait of a migration for a table lock. Then it fails and is retried, so that other queries do not queue behind
 * it.
 */
const lockTimeoutMs = 2_000;
const lockTriesMax = 30;

/**
 * Brings the database up to date and returns the names of the migrations that ran. Concurrent processes wait for one
 * another. Each migration has its own transaction, so its locks are released before the next one runs. Unknown
 * migrations in the database belong to a newer version that runs at the same time, and are ignored. `onStep` is called
 * before each migration.
 */
export async function migrate(
  db: Database<StoreKind>,
  { list = migrations, onStep = () => {} }: { list?: Migrations; onStep?: (done: number, total: number) => void } = {},
): Promise<string[]> {
  const pending = await pendingMigrations(db, list);
  const ran: string[] = [];
  for (const [at, name] of pending.entries()) {
    onStep(at, pending.length);
    const migration = list[name] ?? "";
    if (typeof migration !== "string")
      await retryLockTimeouts(() => db.connection().execute((one) => buildIndexes(one, migration, migrationLock)));
    if (await retryLockTimeouts(() => runOne(db, name, typeof migration === "string" ? migration : ""))) ran.push(name);
  }
  return ran;
}

/** Retries an action that could not lock a table in time. */
export async function retryLockTimeouts<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (!isLockTimeout(error) || tries >= lockTriesMax) throw error;
    }
  }
}

/** Limits how long a transaction waits for a table. */
export async function setLockTimeout(trx: AnyTrx): Promise<void> {
  await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
}

/** False if another process has already run this migration. */
async function runOne(db: Database<StoreKind>, name: string, text: string): Promise<boolean> {
  return await db.inTransaction(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.raw(migrationLock)})`.execute(trx);
    await sql.raw(tableOfMigrations).execute(trx);
    const { rows } = await sql`select from migration where name = ${name}`.execute(trx);
    if (rows.length > 0) return false;
    await setLockTimeout(trx);
    for (const one of statementsOf(text)) await sql.raw(one).execute(trx);
    await sql`insert into migration (name) values (${name})`.execute(trx);
    return true;
  });
}

/**
 * Splits a migration into statements, because Citus refuses several at once. No text in a migration contains a
 * semicolon.
 */
export function statementsOf(text: string): string[] {
  const statements = text.replaceAll(/--.*$/gm, "").split(";");
  return statements.filter((one) => one.trim() !== "");
}

const tableOfMigrations =
  "create table if not exists migration (name text primary key, ran_at timestamptz not null default now())";
/** `lock_not_available` and `deadlock_detected`: other queries may lock the same tables in a different order. */
const isLockTimeout = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

/** The names of the migrations that have not run yet. */
export async function pendingMigrations(db: Database<StoreKind>, list = migrations): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('migration') is not null as there`.execute(
    db,
  );
  if (tables[0]?.there !== true) return Object.keys(list);
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(list).filter((name) => !done.has(name));
}
