/** Configuration in, a running service out. Adapters are chosen in `compose-sandbox.ts` and `compose-production.ts`, nowhere else. */
import { composeDashboard } from "./compose-dashboard.ts";
import { openServer, type Server } from "./compose-database.ts";
import type { Environment } from "./compose-environment.ts";
import type { Ground } from "./compose-ground.ts";
import { composeProduction, missingOf } from "./compose-production.ts";
import { composeSandbox, type Replaced, type Sandbox } from "./compose-sandbox.ts";
import type { Config } from "./config.ts";
import type { AccountDeps } from "./domain/member/deps.ts";
import type { Clock } from "./domain/ports.ts";
import { openMetrics } from "./http/metrics.ts";
import { readWebAssets } from "./http/wallet/assets.ts";
import type { Log } from "./log.ts";
import { noMail } from "./providers/absent/mail.ts";
import { systemClock } from "./providers/sandbox/clock.ts";
import { mailOutbox } from "./providers/sandbox/mail-outbox.ts";
import { smtpMail } from "./providers/smtp/mail.ts";
import { systemRandom } from "./providers/system.ts";
import { systemTimer } from "./providers/timer.ts";
import { type Database, type OpenDatabase, openDatabase } from "./store/database.ts";
import { developmentMasterKey } from "./store/master-key.ts";
import { migrate } from "./store/migrate.ts";
import { releaseClaims } from "./store/queue.ts";
import { openSignals } from "./store/signals.ts";
import { masterKeyOf, openVault, type Vault } from "./store/vault.ts";

/** Both environments, and the dashboard that is above them. */
export type Service = {
  sandbox: Sandbox;
  production: Environment | null;
  dashboard: Environment["app"];
  /** Members and their sessions: outside the environments, and on the real clock. */
  accounts: AccountDeps;
  /** What production lacks, by name. */
  missing: string[];
  close(): Promise<void>;
};
export type Composed = Service & { server: Server; store: OpenDatabase };
/** Ports that a test puts fakes in the place of. */
export type Replacing = { sandbox?: Replaced; production?: Replaced; accountClock?: Clock };

/** Opens the store, brings it up to date, and puts everything together. Nothing listens yet. */
export async function compose(config: Config, log: Log): Promise<Composed> {
  const server = await openServer(config, log);
  const store = openDatabase(server.connection, (error) =>
    log.warn("a database connection broke", { error: error.message }),
  );
  const ran = await migrate(store.db);
  if (ran.length > 0) log.info("migrated", { migrations: ran });
  // Whoever held a claim on our own server is gone: nobody else has had it.
  if (server.kind === "embedded") await releaseClaims(store.db);
  const signals = await openSignals(server.connection, (error) =>
    log.warn("signals are interrupted", { error: error.message }),
  );
  const service = await composeService({ config, log, store, signals, metrics: openMetrics() });
  return {
    ...service,
    server,
    store,
    async close() {
      await service.close();
      await signals.close();
      await store.close();
      await server.stop();
    },
  };
}

export async function composeService(
  base: Omit<Ground, "vault" | "assets">,
  replacing: Replacing = {},
): Promise<Service> {
  const { config, store, log } = base;
  const vault = await composeVault(config, store.db);
  const ground: Ground = { ...base, vault, assets: await readWebAssets() };
  const { mail, closeMail } = composeMail(ground);
  const accounts = accountsOf(ground, vault, { mail, clock: replacing.accountClock ?? systemClock });
  const dashboardUrl = () => accounts.addresses.dashboardUrl;
  const sandbox = await composeSandbox(ground, { dashboardUrl, replaced: replacing.sandbox });
  const production =
    config.production === null
      ? null
      : await composeProduction(ground, { dashboardUrl, replaced: replacing.production });
  const missing = production === null ? [] : missingOf(config.adapters);
  for (const name of missing) log.warn("production lacks something", { missing: name });
  const { app: dashboard, closeLog } = composeDashboard(ground, { accounts, sandbox, production });
  return {
    sandbox,
    production,
    dashboard,
    accounts,
    missing,
    async close() {
      await dashboard.close();
      await Promise.all([sandbox.close(), production?.close()]);
      await closeLog();
      await closeMail();
    },
  };
}

/** The vault of this process; a key of its own making stands in while developing. */
export async function composeVault(config: Config, db: Database): Promise<Vault> {
  const master = masterKeyOf(config.masterKey ?? (await developmentMasterKey(config.dataDir)));
  const others = config.otherMasterKey === null ? [] : [masterKeyOf(config.otherMasterKey)];
  return await openVault(db, { master, others }, systemClock.now());
}

function accountsOf(
  { config, store }: Ground,
  vault: Vault,
  { mail, clock }: { mail: AccountDeps["mail"]; clock: Clock },
): AccountDeps {
  const addresses = { dashboardUrl: config.publicDashboardUrl ?? "" };
  return { db: store.db, vault, random: systemRandom, clock, mail, addresses };
}

/**
 * E-mails to members. Without a mail server a sandbox keeps them where its keys read them; beside production, whose
 * members they would let in, nobody may: there the operator makes links.
 */
function composeMail({ config, metrics }: Ground): { mail: AccountDeps["mail"]; closeMail(): Promise<void> } {
  const { smtp } = config.adapters;
  if (smtp === null) {
    const mail = config.production === null ? mailOutbox() : noMail();
    return { mail, closeMail: async () => {} };
  }
  const mail = smtpMail(smtp, { clock: systemClock, timer: systemTimer, notes: metrics.vendors });
  return { mail, closeMail: mail.close };
}
