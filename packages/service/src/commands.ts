import { type Approval, approvals, type Environment, environments } from "@countersign/contract/brand";
import { openServer } from "./compose-database.ts";
import { type Config, readConfig } from "./config.ts";
import { changeApproval, createBrand, createCustomer, createKey, type Ledger } from "./domain/brand/manage.ts";
import { invalid } from "./domain/failure.ts";
import { type Log, openLog } from "./log.ts";
import { startService } from "./main.ts";
import { systemClock } from "./providers/sandbox/clock.ts";
import { systemRandom } from "./providers/system.ts";
import { DataDirInUse, lockDataDir } from "./store/data-dir.ts";
import { openDatabase } from "./store/database.ts";
import { embeddedAddress } from "./store/embedded-cluster.ts";
import { migrate, pendingMigrations } from "./store/migrate.ts";
import { welcome } from "./welcome.ts";

type Values = Record<string, string | boolean | undefined>;
type Command = (values: Values, rest: string[]) => Promise<number>;

/** How long a stop may take before it is cut short. */
const stopDeadlineMs = 9_500;

/** Every command, by its words. */
export const commands: Record<string, Command> = {
  start,
  migrate: (values) =>
    withLedger("sandbox", (ledger) => (values.check === true ? checkMigrations(ledger) : runMigrations(ledger))),
  "customers create": (values) =>
    withLedger("sandbox", async (ledger) =>
      print({ uuid: await createCustomer(ledger, { name: text(values, "name"), email: text(values, "email") }) }),
    ),
  "brands create": (values) =>
    withLedger(environment(values), async (ledger) =>
      print(
        await createBrand(ledger, {
          customerUuid: text(values, "customer"),
          name: text(values, "name"),
          settings: { integrationType: text(values, "type") },
          approvals: ledger.environment === "sandbox" ? approvals : [],
        }),
      ),
    ),
  "keys create": (values) =>
    withLedger(environment(values), async (ledger) =>
      print({ apiKey: await createKey(ledger, text(values, "brand"), String(values.name ?? "key")) }),
    ),
  "approvals grant": (values, rest) => approve(values, rest, true),
  "approvals revoke": (values, rest) => approve(values, rest, false),
};

async function start(): Promise<number> {
  const config = readConfig();
  const log = openLog(config.logLevel);
  const service = await startService(config, log);
  process.stdout.write(welcome(service.ready, { node: process.version, database: service.composed.server.kind }));
  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => resolve(name));
  });
  log.info("stopping", { signal });
  const cut = setTimeout(() => process.exit(1), stopDeadlineMs);
  await service.stop();
  clearTimeout(cut);
  log.flush();
  return 0;
}

function approve(values: Values, [word]: string[], granted: boolean): Promise<number> {
  const approval: Approval | undefined = approvals.find((one) => one === word);
  if (approval === undefined) throw invalid([{ path: "approval", message: `must be one of ${approvals.join(", ")}` }]);
  return withLedger(environment(values), async (ledger) => {
    await changeApproval(ledger, { brandUuid: text(values, "brand"), approval, granted });
    return print({ brand: text(values, "brand"), approval, granted });
  });
}

async function checkMigrations({ db }: Ledger): Promise<number> {
  const pending = await pendingMigrations(db);
  print({ pending });
  return pending.length === 0 ? 0 : 1;
}

async function runMigrations({ db }: Ledger): Promise<number> {
  return print({ migrated: await migrate(db) });
}

/** Opens the store as it stands: the server that runs on the data directory, or one started for the moment. */
async function withLedger(inEnvironment: Environment, work: (ledger: Ledger) => Promise<number>): Promise<number> {
  const config = readConfig();
  const log = openLog("warn");
  const server = await serverFor(config, log);
  const store = openDatabase(server.connection, (error) =>
    log.warn("a database connection broke", { error: error.message }),
  );
  try {
    return await work({
      environment: inEnvironment,
      db: store.db,
      clock: systemClock,
      random: systemRandom,
      loopbackRedirects: inEnvironment === "sandbox",
      consentDeclared: inEnvironment === "sandbox",
      changed: () => {},
    });
  } finally {
    await store.close();
    await server.stop();
  }
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

function environment(values: Values): Environment {
  const found = environments.find((one) => one === values.environment);
  if (found === undefined)
    throw invalid([{ path: "--environment", message: `must be one of ${environments.join(", ")}` }]);
  return found;
}

function text(values: Values, name: string): string {
  const value = values[name];
  if (typeof value !== "string" || value === "") throw invalid([{ path: `--${name}`, message: "is required" }]);
  return value;
}

function print(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return 0;
}
