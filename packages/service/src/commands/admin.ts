/** Gives commands access to the database, with or without a running service. */
import { existsSync } from "node:fs";
import type { AuditAction } from "@countersign/contract/audit";
import type { Environment } from "@countersign/contract/brand";
import { composeVault } from "../compose/adapters.ts";
import { requireOwn } from "../compose/cell-stores.ts";
import { connectionTo, openServer } from "../compose/database.ts";
import { type Config, readConfig } from "../config/config.ts";
import {
  type AccountEntry,
  type OtherActor,
  operatorOn,
  recordUnlessRecorded,
} from "../domain/audit/account-audit-rows.ts";
import { findBrand } from "../domain/brand/brand-rows.ts";
import type { AdminDeps } from "../domain/brand/manage.ts";
import type { Brand, Operator } from "../domain/deps.ts";
import { refuse } from "../domain/failure.ts";
import { currentAuthorities } from "../domain/state-id/authority-rows.ts";
import { type Log, openLog } from "../log.ts";
import { systemClock, systemRandom } from "../providers/system.ts";
import { identifyHome } from "../store/cells/cell-home-rows.ts";
import { areCellsListed, listCells } from "../store/cells/cell-rows.ts";
import { type OpenDatabase, openDatabase } from "../store/database.ts";
import { clusterDir, embeddedAddress } from "../store/embedded/cluster.ts";
import { DataDirInUse, lockDataDir } from "../store/embedded/data-dir.ts";
import { isPassing, readCommitState } from "../store/failover/standby.ts";
import { pendingMigrations } from "../store/migrations/migrate.ts";
import { isConnectionLost, Unavailable } from "../store/outage.ts";
import { brandsListHint } from "./arguments.ts";

/** `own`: a cell of another first database is an error. `any`: the command makes such a cell belong to this one. */
type WhichCells = "own" | "any";

/**
 * Opens the database for administration commands. Throws if there is none, if migrations are pending, or if a cell
 * belongs to another first database.
 */
export async function withAdmin(
  inEnvironment: Environment,
  work: (admin: AdminDeps) => Promise<number>,
  cells: WhichCells = "own",
): Promise<number> {
  const { databaseUrl, dataDir } = readConfig();
  // Without a database, the command was probably run in a wrong folder. It must not create a second one there.
  if (databaseUrl === null && !existsSync(clusterDir(dataDir)))
    throw refuse(
      409,
      `${dataDir} has no database. Change to the service's folder, or set DATA_DIR or DATABASE_URL. ` +
        "To create a new database here, run `countersign migrate`.",
    );
  return await withStore(
    inEnvironment,
    async (admin) => {
      const pending = await pendingMigrations(admin.home);
      if (pending.length > 0) throw refuse(409, "The database is not up to date: run `countersign migrate` first.");
      return await work(admin);
    },
    cells,
  );
}

/** Finds a brand. Throws 404 if it is unknown, or has no settings in this environment. */
export async function assertBrand({ home, environment }: AdminDeps, brand: string): Promise<Brand> {
  const found = await findBrand(home, environment, brand);
  if (found === null) {
    const where = environment === "sandbox" ? "the sandbox" : environment;
    throw refuse(404, `No brand in ${where} has this UUID. ${brandsListHint}`);
  }
  return found;
}

/** The audit entry of a command: its name, the action, and its subject. */
export type Changing = {
  command: string;
  environment?: Environment;
  action: AuditAction;
  brand?: string;
  customer?: string;
  /** What was changed, if the action does not say it. Never a secret or personal data. */
  subject?: string;
  cells?: WhichCells;
};
/** The operator in one command, and the audit entry for a flow that writes none. */
export type Act = { operator: Operator; by: OtherActor; entry: AccountEntry };

/** Runs a command that changes something, and adds the audit entry after success if the command has added none. */
export function change(changing: Changing, work: (admin: AdminDeps, act: Act) => Promise<number>): Promise<number> {
  const { command: call, environment = "sandbox", action, brand, subject } = changing;
  return withAdmin(
    environment,
    async (admin) => {
      await assertConfirmed(admin);
      const operator = { requestId: admin.random.uuid(), call };
      const owner = brand === undefined ? undefined : (await assertBrand(admin, brand)).customerUuid;
      const by = operatorOn({ operator }, changing.customer ?? owner ?? null);
      const entry = { action, ...(owner === undefined ? {} : { brandUuid: brand, environment }), subject };
      const code = await work(admin, { operator, by, entry });
      await recordUnlessRecorded(admin, by, entry);
      return code;
    },
    changing.cells,
  );
}

/** Changes nothing if its commit would wait for a standby that is away: the command could not tell what it did. */
async function assertConfirmed({ home }: AdminDeps): Promise<void> {
  const state = await readCommitState(home);
  if (state.names.trim() !== "" && state.sees && isPassing(state))
    throw new Unavailable(`No standby confirms commits (${state.names}), so nothing was changed. Try again later.`);
}

/** Opens the database without migrating it: the server that runs on the data directory, or a temporary one. */
export async function withStore(
  inEnvironment: Environment,
  work: (admin: AdminDeps) => Promise<number>,
  cells: WhichCells = "any",
): Promise<number> {
  const config = readConfig();
  const log = openLog("warn");
  const server = await serverFor(config, log);
  const store = openDatabase(server.connection, (error) =>
    log.warn("database connection lost", { error: error.message }),
  );
  let others: OpenCell[] = [];
  try {
    others = await openOthers(config, store, log);
    if (cells === "own") await requireOwnCells(store, others);
    return await work({
      environment: inEnvironment,
      cells: () => [store.db, ...others.map(({ db }) => db)],
      home: store.home,
      keyed: { every: () => [store.keyed, ...others.map(({ keyed }) => keyed)] },
      clock: systemClock,
      realClock: systemClock,
      random: systemRandom,
      loopbackRedirects: inEnvironment === "sandbox",
      consentDeclared: inEnvironment === "sandbox",
      // The user of the command line is the operator.
      namesWait: false,
      offersHealth: inEnvironment === "sandbox" || config.production === null || config.adapters.stedi !== null,
      acceptsStateIds: async () =>
        inEnvironment === "sandbox" || (await currentAuthorities(store.home, systemClock.now())).length > 0,
      // No command sets an address.
      outbound: { judge: () => null },
      changed: () => {},
    });
  } finally {
    await Promise.all([store, ...others].map((one) => one.close()));
    await server.stop();
  }
}

/** Opens all cells except cell 0. Before the first migration, there is no list of cells. */
async function openOthers(config: Config, { home }: OpenDatabase, log: Log): Promise<OpenCell[]> {
  if (!(await areCellsListed(home))) return [];
  const listed = await listCells(await composeVault({ config, home }), home);
  const onError = (error: Error) => log.warn("cell connection lost", { error: error.message });
  return listed.map(({ number, address }) => ({
    ...openDatabase(connectionTo(config, address), onError, { poolSize: 2 }),
    number,
  }));
}
type OpenCell = OpenDatabase & { number: number };

/** An unreachable cell is left to the command, which may not need it. */
async function requireOwnCells({ home }: OpenDatabase, others: readonly OpenCell[]): Promise<void> {
  if (others.length === 0) return;
  const own = await identifyHome(home);
  await Promise.all(
    others.map((cell) =>
      requireOwn(cell, cell.number, own).catch((error) => {
        if (!isConnectionLost(error)) throw error;
      }),
    ),
  );
}

async function serverFor(config: Config, log: Log) {
  if (config.databaseUrl !== null) return await openServer(config, log);
  try {
    const lock = await lockDataDir(config.dataDir);
    const server = await openServer(config, log);
    return { ...server, stop: () => server.stop().finally(lock.release) };
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    const { host, port, user, database } = embeddedAddress(config.dataDir);
    return { connection: { host, port, user, database }, stop: async () => {} };
  }
}
