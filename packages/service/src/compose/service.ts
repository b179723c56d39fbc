/** Builds a running service from the configuration. Only `sandbox.ts` and `production.ts` here choose adapters. */

import type { Config } from "../config/config.ts";
import type { AccountDeps } from "../domain/deps.ts";
import { countWaiting } from "../domain/member/approvals.ts";
import type { Clock } from "../domain/ports.ts";
import { type Figures, openMetrics } from "../http/metrics.ts";
import { readWebAssets } from "../http/wallet/assets.ts";
import type { Log } from "../log.ts";
import { openIdProvider } from "../providers/openid/openid.ts";
import { mailOutbox } from "../providers/sandbox/outboxes.ts";
import { systemClock, systemRandom } from "../providers/system.ts";
import { type OpenDatabase, openDatabase } from "../store/database.ts";
import { reportsFromPrimary } from "../store/failover/replica.ts";
import { fewestStandbys } from "../store/failover/standby.ts";
import { openSignals } from "../store/signals.ts";
import { composeMail, composeVault, masterKeysOf, vendorTools } from "./adapters.ts";
import { composeAuditStream } from "./audit-stream.ts";
import { keyedIn, openCellStores, requireAll } from "./cell-stores.ts";
import { closeAll } from "./close-all.ts";
import { composeConsole } from "./console.ts";
import { composeDashboard } from "./dashboard.ts";
import { bringUpToDate, checkStandby, composeReports, openServer, type Server } from "./database.ts";
import type { Environment } from "./environment.ts";
import { composeProduction, type Production, type ProductionReplaced } from "./production.ts";
import type { Group, Resources } from "./resources.ts";
import { composeSandbox, type Replaced, type Sandbox } from "./sandbox.ts";

/** Both environments, and the dashboard for both. */
export type Service = {
  sandbox: Sandbox;
  production: Production | null;
  dashboard: Environment["app"];
  /** The operator's console; null if it is off. */
  console: Environment["app"] | null;
  /** Members and their sessions. They belong to no environment and use the real clock. */
  accounts: AccountDeps;
  /** Reports this process as not ready, so that callers use another one. It still answers requests. */
  leave(): void;
  close(): Promise<void>;
};
export type Composed = Service & { server: Server; store: OpenDatabase; figures(): Promise<Figures> };
/** Ports that a test replaces with fakes. */
export type Replacing = { sandbox?: Replaced; production?: ProductionReplaced; accountClock?: Clock };

/**
 * Opens the database, migrates it and creates all parts of the service. Nothing listens yet. `opening`: the database's
 * server, which may be starting already.
 */
export async function compose(
  config: Config,
  log: Log,
  group: Group | null,
  opening = openServer(config, log),
): Promise<Composed> {
  // If a later step fails, close everything that was opened: an open connection would keep the process alive.
  const opened: (() => Promise<void>)[] = [];
  const closeOpened = () => closeAll(...opened.toReversed().map((close) => [close]));
  try {
    const server = await opening;
    opened.push(() => server.stop());
    const store = openDatabase(
      server.connection,
      (error) => log.warn("database connection lost", { error: error.message }),
      { poolSize: config.databasePool },
    );
    opened.push(() => store.close());
    // With several processes, only the main one checks this, so that a replacement can start without a standby.
    if (group === null) await checkStandby(config, store, log);
    await bringUpToDate(server, store, log);
    const { master } = await masterKeysOf(config);
    const onInterrupted = (error: Error) => log.warn("database notifications interrupted", { error: error.message });
    const signals = await openSignals(server.connection, onInterrupted, { masterKeyId: master.id });
    opened.push(() => signals.close());
    const metrics = openMetrics();
    const reports = composeReports(config, store, log);
    opened.push(() => reports.close());
    const service = await composeService({ config, log, store, reports, signals, metrics, group });
    opened.push(() => service.close());
    return { ...service, server, store, figures: () => metrics.registry.getMetricsAsJSON(), close: closeOpened };
  } catch (error) {
    await closeOpened().catch(() => {});
    throw error;
  }
}

/** Resources that this file creates. */
type Made = "vault" | "assets" | "realClock" | "presence" | "keyed";
/** Resources that a test may omit. */
type Optional = "group" | "reports" | "cells";
/** Resources that are opened before the service is composed. */
type Opened = Omit<Resources, Made | Optional> & Partial<Pick<Resources, Optional>>;

export async function composeService(opened: Opened, replacing: Replacing = {}): Promise<Service> {
  const { config, store } = opened;
  const vault = await composeVault({ config, home: store.home });
  const cells = opened.cells ?? (await openCellStores({ ...opened, home: store.home, vault }));
  try {
    const realClock = replacing.accountClock ?? systemClock;
    const resources = await completeResources(opened, { vault, cells, realClock });
    return await composeEnvironments(resources, replacing);
  } catch (error) {
    // An open connection would keep the process alive.
    await cells.close();
    throw error;
  }
}

async function completeResources(
  opened: Opened,
  { vault, cells, realClock }: Pick<Resources, "vault" | "cells" | "realClock">,
): Promise<Resources> {
  const { store, reports = reportsFromPrimary(store), group = null } = opened;
  const otherCells = () => requireAll(cells).map(({ number, store: { db } }) => ({ number, db }));
  return {
    ...opened,
    group,
    reports: { ...reports, cells: () => [...reports.cells(), ...otherCells()] },
    cells,
    keyed: keyedIn(store.keyed, cells, vault),
    vault,
    assets: await readWebAssets(),
    realClock,
    presence: { isLeaving: false },
  };
}

/** Both environments, and the dashboard above them. */
async function composeEnvironments(resources: Resources, replacing: Replacing): Promise<Service> {
  const { config, store, cells, realClock, metrics } = resources;
  if (config.isStandbyRequired)
    metrics.watchStandbys(() => {
      const others = cells.opened().map((cell) => cell.store.db);
      return fewestStandbys(store.db, others, { unopened: cells.listed().length - others.length });
    });
  // Without an SMTP server, emails stay where a sandbox key can read them. Production requires an SMTP server.
  const mail = composeMail(resources);
  const accounts = accountsOf(resources, { mail: mail ?? mailOutbox(), clock: realClock });
  resources.metrics.watchApprovals(() => countWaiting(accounts));
  const dashboardUrl = () => accounts.addresses.dashboardUrl;
  const sandbox = await composeSandbox(resources, { dashboardUrl, replaced: replacing.sandbox });
  const production =
    config.production === null
      ? null
      : await composeProduction(resources, {
          dashboardUrl,
          documented: sandbox.homeDeps.addresses,
          replaced: replacing.production,
        });
  const { app: dashboard, closeLog } = composeDashboard(resources, { accounts, sandbox, production });
  const operatorConsole = composeConsole(resources, { accounts, sandbox, production });
  const auditStream = composeAuditStream(resources, accounts, vendorTools(resources));
  return {
    sandbox,
    production,
    dashboard,
    console: operatorConsole?.app ?? null,
    accounts,
    leave() {
      resources.presence.isLeaving = true;
    },
    close: () =>
      closeAll(
        [() => dashboard.close(), () => operatorConsole?.app.close()],
        [() => sandbox.close(), () => production?.close()],
        [() => auditStream?.stop()],
        [closeLog, () => operatorConsole?.closeLog()],
        [() => cells.close()],
        [() => mail?.close()],
      ),
  };
}

function accountsOf(
  { config, store, cells, vault, metrics, log }: Resources,
  { mail, clock }: { mail: AccountDeps["mail"]; clock: Clock },
): AccountDeps {
  const addresses = {
    dashboardUrl: config.publicDashboardUrl ?? "",
    operatorUrl: config.console === null ? null : (config.console.publicUrl ?? ""),
  };
  const operator = { requestId: systemRandom.uuid(), call: "start" };
  const settings = config.adapters.openId;
  const openId = settings === null ? null : openIdProvider(vendorTools({ metrics, log }), settings);
  return {
    cells: () => [store.db, ...requireAll(cells).map((cell) => cell.store.db)],
    home: store.home,
    vault,
    random: systemRandom,
    clock,
    mail,
    openId,
    addresses,
    operator,
  };
}
