/** What answers requests, and what stands between them and the flows. */
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import type { Config } from "./config.ts";
import { openKeyRing } from "./domain/brand/key-ring.ts";
import type { Ledger } from "./domain/brand/manage.ts";
import { findBrand } from "./domain/brand/store.ts";
import type { Caller, Deps } from "./domain/deps.ts";
import type { AccountDeps } from "./domain/member/deps.ts";
import { makeSession, type SessionAsk } from "./domain/session/make.ts";
import { authenticate, type Gate, openPath, refuseLeakedKeys } from "./http/auth.ts";
import { type Callbacks, routesCallbacks } from "./http/callbacks/routes.ts";
import { routesCarrier } from "./http/carrier.ts";
import type { Desk } from "./http/dashboard/guard.ts";
import { routesDashboard } from "./http/dashboard/server.ts";
import { routesDocs } from "./http/docs.ts";
import { answerOnce } from "./http/idempotency.ts";
import type { Limit } from "./http/limits.ts";
import type { Metrics } from "./http/metrics.ts";
import type { Guard } from "./http/mount.ts";
import { routesOperation } from "./http/operation.ts";
import { sandboxGuard } from "./http/sandbox/guard.ts";
import { type Controls, routesSandbox } from "./http/sandbox/routes.ts";
import { createServer, type ServerAbout } from "./http/server.ts";
import { routesV1 } from "./http/v1/routes.ts";
import { routesV2 } from "./http/v2/routes.ts";
import { readWebAssets, type WebAssets } from "./http/wallet/assets.ts";
import { routesDemo } from "./http/wallet/demo.ts";
import { routesLook } from "./http/wallet/look.ts";
import { routesWallet } from "./http/wallet/server.ts";
import { breakdownOf, type Log } from "./log.ts";
import { carrierPath } from "./providers/sandbox/carrier.ts";
import { demoBrands, firstDemoCustomer } from "./providers/sandbox/demo.ts";
import type { OpenDatabase } from "./store/database.ts";
import { openRequestLog } from "./store/request-log.ts";
import type { Signals } from "./store/signals.ts";

/** Requests a second that one key may make, and one address without a key. */
const keyQuota = 500;
const addressQuota = 500;
/** Steps of signing in that one address may take in a minute: each is a guess, or costs an e-mail. */
const signInQuota = 30;

/** The API, the wallet, and the dashboard of a brand's people. */
export type Listeners = { app: FastifyInstance; wallet: FastifyInstance; dashboard: FastifyInstance };
export type Sides = Pick<Listeners, "app" | "wallet">;
export type Ground = { config: Config; log: Log; store: OpenDatabase; signals: Signals; metrics: Metrics };

/** Another environment that this process serves, as far as the dashboard works with it. */
export type Beside = { deps: Deps; ledger: Ledger };

/** What the sandbox answers, and the dashboard of both environments. */
export async function composeListeners(
  ground: Ground,
  accounts: AccountDeps,
  { controls, beside }: { controls: Controls; beside: Beside | null },
): Promise<Listeners & { closeLog(): Promise<void> }> {
  const { deps } = controls;
  const { config } = ground;
  const { wired, about, closeLog, ...sides } = await composeSides(ground, deps, {
    needs: null,
    dashboardUrl: () => accounts.addresses.dashboardUrl,
  });
  const { gate, assets } = wired;
  const open = openGuard(gate);
  routesCarrier(sides.app, { path: carrierPath, apiUrl: () => deps.addresses.apiUrl, guard: open });
  routesSandbox(sides.app, controls, sandboxGuard(gate, config.demo ? firstDemoCustomer.uuid : null));
  routesDemo(sides.wallet, {
    guard: open,
    assets,
    apiUrl: () => deps.addresses.apiUrl,
    makeSession: config.demo ? (ask, requestId) => demoSession(deps, ask, requestId) : null,
  });
  const dashboard = createServer(about);
  refuseLeakedKeys(dashboard, gate);
  routesDashboard(dashboard, deskOf(ground, { accounts, controls, beside }), assets);
  return { ...sides, dashboard, closeLog };
}

/** The same for production: nothing that drives a sandbox, and what vendors call. Its keys need the operator's word. */
export async function composeProductionListeners(
  ground: Ground,
  deps: Deps,
  { callbacks, dashboardUrl }: { callbacks: Callbacks; dashboardUrl(): string },
): Promise<Sides & { closeLog(): Promise<void> }> {
  const {
    wired,
    about: _about,
    closeLog,
    ...sides
  } = await composeSides(ground, deps, {
    needs: "production",
    dashboardUrl,
  });
  routesCallbacks(sides.app, deps, { callbacks, guard: openGuard(wired.gate) });
  return { ...sides, closeLog };
}

/** The API and the wallet, as every environment has them. */
async function composeSides(
  ground: Ground,
  deps: Deps,
  { needs, dashboardUrl }: { needs: Gate["needs"]; dashboardUrl(): string },
) {
  const { store, signals } = ground;
  const { about, closeLog } = noteRequests(ground, deps);
  const sides: Sides = { app: createServer(about), wallet: createServer(about) };
  const { clock, environment } = deps;
  const gate = composeGate(ground, { keys: openKeyRing({ db: store.db, signals, clock, environment }), needs });
  for (const listener of Object.values(sides)) refuseLeakedKeys(listener, gate);
  const wired: Wired = { deps, gate, assets: await readWebAssets() };
  await mountApi(sides.app, ground, wired);
  mountWallet(sides.wallet, ground, wired);
  routesLook(sides.wallet, { guard: openGuard(gate), assets: wired.assets, dashboardUrl });
  return { ...sides, wired, about, closeLog };
}

function openGuard(gate: Gate): Guard<void> {
  return (request, reply) => openPath(gate, request, reply);
}

/** A line of the request log, of the process's log and of the figures for each request. */
function noteRequests({ store, log, metrics, config }: Ground, deps: Deps) {
  const requestLog = openRequestLog(store.db, (error) =>
    log.error("request log lines were lost", { error: String(error) }),
  );
  const about: ServerAbout = {
    trustedProxies: config.trustedProxies,
    onRequestDone({ owner, ...note }) {
      metrics.requestDone(deps.environment, note);
      log.info("request", { environment: deps.environment, ...note, brandUuid: owner?.brand.uuid });
      if (owner === undefined) return;
      requestLog.add({
        environment: deps.environment,
        at: deps.clock.now(),
        request_id: note.requestId,
        brand_uuid: owner.brand.uuid,
        api_key_uuid: owner.apiKeyUuid,
        method: note.method,
        route: note.route,
        status: note.status,
        error_code: note.errorCode ?? null,
        latency_ms: note.latencyMs,
      });
    },
    onBreakdown: (error, requestId) => log.error("a request broke", { requestId, ...breakdownOf(error) }),
  };
  return { about, closeLog: requestLog.close };
}

type Wired = { deps: Deps; gate: Gate; assets: WebAssets };

async function mountApi(
  app: FastifyInstance,
  { config, store, metrics }: Ground,
  { deps, gate }: Wired,
): Promise<void> {
  const open = openGuard(gate);
  const brand: Guard<Caller> = (request, reply) => authenticate(gate, request, reply);
  answerOnce(app, deps);
  routesV1(app, deps, brand);
  routesV2(app, deps, { brand, open });
  routesOperation(app, {
    ready: () => answers(store),
    metrics: metrics.registry,
    metricsToken: config.metricsToken,
    metricsOpen: config.demo,
    publicKeys: [deps.vault.pushKey, deps.vault.receiptKey],
  });
  routesDocs(
    app,
    { v1: await document("api/v1.json"), v2: await document("api/v2.json") },
    {
      migration: await document("migration.md"),
      issuance: await document("issuance.md"),
      sdk: await document("../packages/sdk/README.md"),
      webhooks: await document("webhooks.md"),
      "test-people": await document("test-people.md"),
      errors: await document("errors.md"),
    },
  );
}

function mountWallet(wallet: FastifyInstance, { log }: Ground, { deps, gate, assets }: Wired): void {
  if (assets.apps.wallet.script === null) log.warn("the wallet's application is not built: its pages show no screens");
  routesWallet(wallet, deps, { guard: openGuard(gate), assets });
}

type Sitting = { accounts: AccountDeps; controls: Controls; beside: Beside | null };

/** Production's books are kept here too while nothing serves it: its settings are written before its first call. */
function deskOf(ground: Ground, { accounts, controls: { deps, ledger }, beside }: Sitting): Desk {
  const production: Ledger = beside?.ledger ?? {
    ...ledger,
    environment: "production",
    clock: accounts.clock,
    consentDeclared: false,
    loopbackRedirects: false,
  };
  return {
    accounts,
    ledgers: { sandbox: ledger, production },
    environments: { [deps.environment]: deps, ...(beside === null ? {} : { production: beside.deps }) },
    signInLimit: addressLimit(ground, { name: "signIn", quota: signInQuota, windowSeconds: 60 }),
  };
}

function addressLimit({ store }: Ground, { name, quota, windowSeconds }: Omit<Limit, "limiter">): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: store.pool,
    points: quota,
    duration: windowSeconds,
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix: name,
  });
  return { name, quota, windowSeconds, limiter };
}

/** A session of the demo brand that embeds the SDK, as its server would get one. */
async function demoSession(deps: Deps, ask: SessionAsk, requestId: string): Promise<string> {
  const uuid = demoBrands.find((one) => one.integrationType === "sdk")?.uuid ?? "";
  const brand = await findBrand(deps.db, deps.environment, uuid);
  if (brand === null) throw new Error("the demo brands are not seeded");
  return await makeSession(deps, { brand, apiKeyUuid: null, requestId }, ask);
}

/** A page or document of this project's docs. */
function document(path: string): Promise<string> {
  return readFile(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
}

function composeGate(ground: Ground, about: Pick<Gate, "keys" | "needs">): Gate {
  return {
    ...about,
    keyLimit: {
      name: "key",
      quota: keyQuota,
      windowSeconds: 1,
      limiter: new RateLimiterMemory({ points: keyQuota, duration: 1 }),
    },
    addressLimit: addressLimit(ground, { name: "address", quota: addressQuota, windowSeconds: 1 }),
  };
}

async function answers(store: OpenDatabase): Promise<boolean> {
  try {
    await store.pool.query("select 1");
    return true;
  } catch {
    return false;
  }
}
