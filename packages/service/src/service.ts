import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Server } from "./compose/database.ts";
import type { Group } from "./compose/resources.ts";
import { type Composed, compose } from "./compose/service.ts";
import type { Config, Role } from "./config/config.ts";
import { endSeededMembers } from "./domain/member/end-access.ts";
import { seedOwners } from "./domain/member/member.ts";
import { removeSeededOperator } from "./domain/operator/operators.ts";
import type { Log } from "./log.ts";
import { drainMs, type Grace } from "./processes/stop.ts";
import { demoBrands, demoCustomers, demoOperator } from "./providers/sandbox/demo.ts";

export type Ready = {
  pid: number;
  environments: { sandbox: Addresses; production?: Addresses };
  dashboardUrl: string;
  /** The operator's console. Absent if it is off. */
  operatorUrl?: string;
  /** This process's own readiness URL. Absent if the process does not serve the API. */
  readyzUrl?: string;
  demo?: { brands: { uuid: string; name: string; integrationType: string; apiKey: string }[] };
};
type Addresses = { apiUrl: string; walletUrl: string };
export type Running = { ready: Ready; composed: Composed; stop(grace?: Grace): Promise<void> };

/**
 * Opens everything and resolves when requests are answered. `group`: the processes that this one belongs to. `server`:
 * the database's server, if it is starting already.
 */
export async function openService(
  config: Config,
  log: Log,
  group: Group | null,
  server?: Promise<Server>,
): Promise<Running> {
  const composed = await compose(config, log, group, server);
  const { sandbox, production, dashboard, console: operatorConsole } = composed;
  const stop = async (grace: Grace = { delayMs: config.stopDelayMs, drainMs }) => {
    composed.leave();
    await sleep(grace.delayMs);
    const listeners = [sandbox.app, sandbox.wallet, production?.app, production?.wallet, dashboard, operatorConsole];
    const cut = setTimeout(() => {
      for (const listener of listeners) listener?.server.closeAllConnections();
    }, grace.drainMs);
    await composed.close();
    clearTimeout(cut);
  };
  try {
    const environments = await listenAll(config, composed, log);
    const ready: Ready = {
      pid: process.pid,
      environments,
      dashboardUrl: composed.accounts.addresses.dashboardUrl,
      ...operatorUrlOf(composed),
      ...readyzOf(config, sandbox.app),
      ...(config.demo ? { demo: { brands: demoBrands.map(shownBrand) } } : {}),
    };
    return { ready, composed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function operatorUrlOf({ accounts }: Composed): { operatorUrl?: string } {
  const { operatorUrl } = accounts.addresses;
  return operatorUrl === null ? {} : { operatorUrl };
}

function shownBrand({ uuid, name, integrationType, apiKey }: (typeof demoBrands)[number]) {
  return { uuid, name, integrationType, apiKey };
}

/** Opens the listeners of this process's roles. APIs open last, because their answers contain the other URLs. */
async function listenAll(
  config: Config,
  { sandbox, production, dashboard, console: operatorConsole, accounts }: Composed,
  log: Log,
): Promise<Ready["environments"]> {
  const open = (role: Role, app: FastifyInstance, at: { host?: string; port: number; publicUrl: string | null }) =>
    listen(config.roles.has(role) ? app : null, { host: config.host, ...at });
  if (!config.demo) await endDemoOf({ sandbox, accounts }, log);
  const { wallet } = sandbox;
  const walletUrl = await open("wallet", wallet, { port: config.walletPort, publicUrl: config.publicWalletUrl });
  sandbox.deps.addresses.walletUrl = walletUrl;
  const dashboardAt = { port: config.dashboardPort, publicUrl: config.publicDashboardUrl };
  accounts.addresses.dashboardUrl = await open("dashboard", dashboard, dashboardAt);
  if (config.console !== null && operatorConsole !== null)
    accounts.addresses.operatorUrl = await open("dashboard", operatorConsole, config.console);
  if (config.demo) {
    await sandbox.seedDemo(walletUrl);
    await seedOwners(accounts, demoCustomers);
  }
  const real = config.production;
  if (real !== null && production !== null) {
    const { addresses } = production.deps;
    const inFront = { port: real.walletPort, publicUrl: real.publicWalletUrl };
    addresses.walletUrl = await open("wallet", production.wallet, inFront);
    addresses.apiUrl = await open("api", production.app, { port: real.apiPort, publicUrl: real.publicApiUrl });
  }
  const apiUrl = await open("api", sandbox.app, { port: config.apiPort, publicUrl: config.publicApiUrl });
  sandbox.deps.addresses.apiUrl = apiUrl;
  return {
    sandbox: { apiUrl, walletUrl },
    ...(production === null ? {} : { production: { ...production.deps.addresses } }),
  };
}

/**
 * Ends what an earlier start with DEMO left in this database, before a listener answers: its keys are public, so
 * anybody may have made what belongs to its accounts.
 */
async function endDemoOf({ sandbox, accounts }: Pick<Composed, "sandbox" | "accounts">, log: Log): Promise<void> {
  const { keys, brands } = await sandbox.endDemo();
  const access = await endSeededMembers(accounts, demoCustomers);
  const operators = await removeSeededOperator(accounts, demoOperator.email);
  if (keys + brands + access + operators > 0)
    log.warn("the demo's access was ended", { keys, brands, access, operators });
}

/** A machine without IPv6 has no `::`, which means all addresses. There, those of IPv4 are all. */
export async function listenOn(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (host !== "::" || (code !== "EAFNOSUPPORT" && code !== "EADDRNOTAVAIL")) throw error;
    await app.listen({ host: "0.0.0.0", port });
  }
}

/** The readiness URL with the process's own address, because a public URL may belong to a proxy. */
function readyzOf({ host, roles }: Config, app: FastifyInstance): { readyzUrl?: string } {
  const address = app.server.address();
  if (!roles.has("api") || typeof address !== "object" || address === null) return {};
  // `::` may have no IPv6 behind it.
  const name = host === "0.0.0.0" || address.address === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return { readyzUrl: `http://${name.includes(":") ? `[${name}]` : name}:${address.port}/readyz` };
}

/**
 * Returns the listener's URL. Without `app`, another process has this role, so the URL comes from the configuration.
 */
async function listen(
  app: FastifyInstance | null,
  settings: { host: string; port: number; publicUrl: string | null },
): Promise<string> {
  if (app !== null) await listenOn(app, settings);
  const address = app?.server.address() ?? null;
  const port = typeof address === "object" && address !== null ? address.port : settings.port;
  const name =
    settings.host === "127.0.0.1" || settings.host === "0.0.0.0" || settings.host === "::"
      ? "localhost"
      : settings.host;
  return settings.publicUrl ?? `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
