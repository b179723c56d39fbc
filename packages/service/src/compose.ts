/** The only place where adapters are chosen: configuration in, a running service out. */
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { openServer, type Server } from "./compose-database.ts";
import type { Config } from "./config.ts";
import { openKeyRing } from "./domain/brand/key-ring.ts";
import type { Ledger } from "./domain/brand/manage.ts";
import { reseed, type SeedBrand, seed } from "./domain/brand/seed.ts";
import { findBrand } from "./domain/brand/store.ts";
import type { Caller, Deps } from "./domain/deps.ts";
import { scheduleWipe } from "./domain/issuance/wipe.ts";
import { makeSession, type SessionAsk } from "./domain/session/make.ts";
import { authenticate, type Gate, openPath, refuseLeakedKeys } from "./http/auth.ts";
import { routesCarrier } from "./http/carrier.ts";
import { routesDocs } from "./http/docs.ts";
import { answerOnce } from "./http/idempotency.ts";
import { type Metrics, openMetrics } from "./http/metrics.ts";
import type { Guard } from "./http/mount.ts";
import { routesOperation } from "./http/operation.ts";
import { sandboxGuard } from "./http/sandbox/guard.ts";
import { type Controls, routesSandbox } from "./http/sandbox/routes.ts";
import { createServer, type ServerAbout } from "./http/server.ts";
import { routesV1 } from "./http/v1/routes.ts";
import { routesV2 } from "./http/v2/routes.ts";
import { readWebAssets } from "./http/wallet/assets.ts";
import { routesDemo } from "./http/wallet/demo.ts";
import { routesWallet } from "./http/wallet/server.ts";
import { travelHome, travelTo } from "./jobs/time-travel.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { breakdownOf, type Log } from "./log.ts";
import { sandboxCaps } from "./providers/caps.ts";
import { outbound } from "./providers/outbound.ts";
import { bundledPayers } from "./providers/payers/directory.ts";
import { carrierPath, sandboxCarrier } from "./providers/sandbox/carrier.ts";
import { sandboxClearinghouse } from "./providers/sandbox/clearinghouse.ts";
import { type MovableClock, movableClock, systemClock } from "./providers/sandbox/clock.ts";
import { sandboxCodes } from "./providers/sandbox/codes.ts";
import { demoBrands, demoCustomers, firstDemoCustomer } from "./providers/sandbox/demo.ts";
import { sandboxIdentity } from "./providers/sandbox/identity.ts";
import { nightlyWipeTimeOfDayMs } from "./providers/sandbox/nightly.ts";
import { sandboxPhoneBook } from "./providers/sandbox/phone-book.ts";
import { sandboxRisk } from "./providers/sandbox/risk.ts";
import { smsOutbox } from "./providers/sandbox/sms-outbox.ts";
import { systemRandom } from "./providers/system.ts";
import { readClockOffset } from "./store/clock-offset.ts";
import { type OpenDatabase, openDatabase } from "./store/database.ts";
import { developmentMasterKey } from "./store/master-key.ts";
import { migrate } from "./store/migrate.ts";
import { releaseClaims } from "./store/queue.ts";
import { openRequestLog } from "./store/request-log.ts";
import { openSignals, type Signals } from "./store/signals.ts";
import { masterKeyOf, openVault } from "./store/vault.ts";

/** Requests a second that one sandbox key may make, and one address without a key. */
const keyQuota = 500;
const addressQuota = 500;

export type Environment = {
  app: FastifyInstance;
  wallet: FastifyInstance;
  deps: Deps;
  ledger: Ledger;
  worker: Worker;
  /** Makes the demo brands, whose stored addresses follow the ports. */
  seedDemo(walletUrl: string): Promise<void>;
  close(): Promise<void>;
};
type Ground = { config: Config; log: Log; store: OpenDatabase; signals: Signals; metrics: Metrics };
export type Composed = {
  server: Server;
  store: OpenDatabase;
  sandbox: Environment;
  metrics: Metrics;
  close(): Promise<void>;
};

/** Opens the store, brings it up to date, and puts the sandbox together. Nothing listens yet. */
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
  const metrics = openMetrics();
  const sandbox = await composeSandbox({ config, log, store, signals, metrics });
  return {
    server,
    store,
    sandbox,
    metrics,
    async close() {
      await sandbox.close();
      await signals.close();
      await store.close();
      await server.stop();
    },
  };
}

/** Ports that a test puts a fake in the place of. */
export type Replaced = Partial<Omit<Deps, "clock">> & { clock?: MovableClock };

export async function composeSandbox(ground: Ground, replaced: Replaced = {}): Promise<Environment> {
  const { config, log, store, signals } = ground;
  const { db } = store;
  const master = masterKeyOf(config.masterKey ?? (await developmentMasterKey(config.dataDir)));
  const clock = replaced.clock ?? movableClock(await readClockOffset(db, "sandbox"));
  const addresses = { apiUrl: config.publicApiUrl ?? "", walletUrl: config.publicWalletUrl ?? "" };
  // Where the demo brands are, everything is on this machine, receivers included.
  const sender = outbound({ loopback: config.demo });
  let worker: Worker | null = null;
  const deps: Deps = {
    environment: "sandbox",
    db,
    vault: await openVault(db, master, systemClock.now()),
    clock,
    random: systemRandom,
    phones: sandboxPhoneBook(),
    codes: sandboxCodes(systemRandom),
    identity: sandboxIdentity(),
    risk: sandboxRisk(),
    sms: smsOutbox(),
    outbound: sender,
    carrier: sandboxCarrier(() => addresses.apiUrl),
    clearinghouse: sandboxClearinghouse(),
    payers: bundledPayers(),
    addresses,
    loopbackRedirects: true,
    openFraming: true,
    caps: sandboxCaps,
    fixedPeopleShow: config.demo ? demoBrands.map(({ uuid }) => uuid) : [],
    wakeJobs: () => worker?.wake(),
    ...replaced,
  };
  const schedule = () => scheduleWipe(deps, { timeOfDayMs: nightlyWipeTimeOfDayMs });
  await schedule();
  const started = startWorker(deps, { realNow: systemClock.now, log });
  worker = started;
  const ledger: Ledger = { ...deps, consentDeclared: true, changed: signals.changed };
  const demo: { brands: SeedBrand[] } = { brands: [] };
  const { app, wallet, closeLog } = await composeListeners(ground, deps, {
    deps,
    ledger,
    ...clockControls(ground, { clock, worker: started, cameHome: schedule }),
    resetDemo: (customerUuid) =>
      reseed(
        ledger,
        demo.brands.filter((brand) => brand.customerUuid === customerUuid),
      ),
  });
  return {
    app,
    wallet,
    deps,
    ledger,
    worker: started,
    async seedDemo(walletUrl) {
      demo.brands = demoBrands.map((brand) => ({ ...brand, settings: brand.settings(walletUrl) }));
      await seed(ledger, { customers: demoCustomers, brands: demo.brands });
    },
    async close() {
      await Promise.all([app.close(), wallet.close()]);
      await started.stop();
      await sender.close();
      await closeLog();
    },
  };
}

async function composeListeners(ground: Ground, deps: Deps, controls: Controls) {
  const { config, log, store, signals, metrics } = ground;
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
  const app = createServer(about);
  const wallet = createServer(about);
  const gate = composeGate(ground, openKeyRing(store.db, signals, deps.environment));
  for (const listener of [app, wallet]) refuseLeakedKeys(listener, gate);
  const open: Guard<void> = (request, reply) => openPath(gate, request, reply);
  const brand: Guard<Caller> = (request, reply) => authenticate(gate, request, reply);
  answerOnce(app, deps);
  routesV1(app, deps, brand);
  routesV2(app, deps, { brand, open });
  routesCarrier(app, { path: carrierPath, apiUrl: () => deps.addresses.apiUrl, guard: open });
  const assets = await readWebAssets();
  if (assets.apps.wallet.script === null) log.warn("the wallet's application is not built: its pages show no screens");
  routesWallet(wallet, deps, { guard: open, assets });
  routesDemo(wallet, {
    guard: open,
    assets,
    apiUrl: () => deps.addresses.apiUrl,
    makeSession: config.demo ? (ask, requestId) => demoSession(deps, ask, requestId) : null,
  });
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
  return { app, wallet, closeLog: requestLog.close };
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

function composeGate({ store }: Ground, keys: Gate["keys"]): Gate {
  return {
    keys,
    keyLimit: {
      name: "key",
      quota: keyQuota,
      windowSeconds: 1,
      limiter: new RateLimiterMemory({ points: keyQuota, duration: 1 }),
    },
    addressLimit: {
      name: "address",
      quota: addressQuota,
      windowSeconds: 1,
      limiter: new RateLimiterPostgres({
        storeClient: store.pool,
        points: addressQuota,
        duration: 1,
        tableName: "rate_limit",
        tableCreated: true,
        keyPrefix: "address",
      }),
    },
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

/** The clock for sandbox control. One journey at a time; other processes follow through the database. */
function clockControls(
  { config, store, signals }: Ground,
  { cameHome, ...about }: { clock: MovableClock; worker: Worker; cameHome(): Promise<void> },
): Pick<Controls, "clock" | "readClock"> {
  const { clock } = about;
  const travel = { environment: "sandbox" as const, db: store.db, ...about };
  let queue: Promise<unknown> = Promise.resolve();
  let travels = 0;
  let travelling = false;
  const alone = async <Result>(journey: () => Promise<Result>): Promise<Result> => {
    const mine = queue.then(async () => {
      travels += 1;
      travelling = true;
      return await journey().finally(() => {
        travelling = false;
      });
    });
    queue = mine.catch(() => {});
    return await mine;
  };
  signals.onChange(() => {
    const before = travels;
    readClockOffset(store.db, "sandbox")
      // While this process travels, the database only repeats what it said a moment ago.
      .then((offsetMs) => !travelling && travels === before && clock.setOffset(offsetMs))
      .catch(() => {});
  });
  const read = () => ({ now: clock.now(), offsetMs: clock.offsetMs() });
  if (!config.sandboxClock) return { clock: null, readClock: read };
  return {
    readClock: read,
    clock: {
      read,
      travelTo: (target) => alone(() => travelTo(travel, target)),
      home: () =>
        alone(async () => {
          await travelHome(travel);
          // What was due every day on the moved clock is due tomorrow again, not after the journey's end.
          await cameHome();
        }),
    },
  };
}
