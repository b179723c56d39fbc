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
import { testPeople } from "./providers/sandbox/test-people.ts";
import type { OpenDatabase } from "./store/database.ts";
import { openRequestLog } from "./store/request-log.ts";
import type { Signals } from "./store/signals.ts";

/** Requests a second that one sandbox key may make, and one address without a key. */
const keyQuota = 500;
const addressQuota = 500;
/** Steps of signing in that one address may take in a minute: each is a guess, or costs an e-mail. */
const signInQuota = 30;

/** The API, the wallet, and the dashboard of a brand's people. */
export type Listeners = { app: FastifyInstance; wallet: FastifyInstance; dashboard: FastifyInstance };
export type Ground = { config: Config; log: Log; store: OpenDatabase; signals: Signals; metrics: Metrics };

export async function composeListeners(
  ground: Ground,
  accounts: AccountDeps,
  controls: Controls,
): Promise<Listeners & { closeLog(): Promise<void> }> {
  const { deps } = controls;
  const { store, signals } = ground;
  const { about, closeLog } = noteRequests(ground, deps);
  const listeners = { app: createServer(about), wallet: createServer(about), dashboard: createServer(about) };
  const { clock, environment } = deps;
  const gate = composeGate(ground, openKeyRing({ db: store.db, signals, clock, environment }));
  for (const listener of Object.values(listeners)) refuseLeakedKeys(listener, gate);
  const assets = await readWebAssets();
  await mountApi(listeners.app, ground, { deps, gate, controls });
  mountWallet(listeners.wallet, ground, { deps, gate, assets, accounts });
  routesDashboard(listeners.dashboard, deskOf(ground, accounts, controls), assets);
  return { ...listeners, closeLog };
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

type Wired = { deps: Deps; gate: Gate };

async function mountApi(
  app: FastifyInstance,
  { config, log, store, metrics }: Ground,
  { deps, gate, controls }: Wired & { controls: Controls },
): Promise<void> {
  const open: Guard<void> = (request, reply) => openPath(gate, request, reply);
  const brand: Guard<Caller> = (request, reply) => authenticate(gate, request, reply);
  answerOnce(app, deps, (error, requestId) =>
    log.error("an answer was not kept for its Idempotency-Key", { requestId, ...breakdownOf(error) }),
  );
  routesV1(app, deps, brand);
  routesV2(app, deps, { brand, open });
  routesCarrier(app, { path: carrierPath, apiUrl: () => deps.addresses.apiUrl, guard: open });
  routesSandbox(app, controls, sandboxGuard(gate, config.demo ? firstDemoCustomer.uuid : null));
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

function mountWallet(
  wallet: FastifyInstance,
  { config, log }: Ground,
  { deps, gate, assets, accounts }: Wired & { assets: WebAssets; accounts: AccountDeps },
): void {
  const open: Guard<void> = (request, reply) => openPath(gate, request, reply);
  if (assets.apps.wallet.script === null) log.warn("the wallet's application is not built: its pages show no screens");
  routesWallet(wallet, deps, { guard: open, assets });
  routesLook(wallet, deps, { guard: open, assets, dashboardUrl: () => accounts.addresses.dashboardUrl });
  routesDemo(wallet, {
    guard: open,
    assets,
    apiUrl: () => deps.addresses.apiUrl,
    makeSession: config.demo ? (ask, requestId) => demoSession(deps, ask, requestId) : null,
  });
}

/** Production's books are kept here too, while nothing serves it: its settings are written before its first call. */
function deskOf(ground: Ground, accounts: AccountDeps, { deps, ledger }: Controls): Desk {
  const { config } = ground;
  const production: Ledger = {
    ...ledger,
    environment: "production",
    clock: accounts.clock,
    consentDeclared: false,
    loopbackRedirects: false,
  };
  return {
    accounts,
    ledgers: { sandbox: ledger, production },
    environments: { [deps.environment]: deps },
    guides: { sandbox: { testPeople: testPeople(), demoKeys: new Map(config.demo ? demoKeys() : []) } },
    signInLimit: addressLimit(ground, { name: "signIn", quota: signInQuota, windowSeconds: 60 }),
  };
}

function demoKeys(): [string, string][] {
  return demoBrands.map(({ uuid, apiKey }) => [uuid, apiKey]);
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

function composeGate(ground: Ground, keys: Gate["keys"]): Gate {
  return {
    keys,
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
