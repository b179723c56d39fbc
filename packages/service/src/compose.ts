/** The only place where adapters are chosen: configuration in, a running service out. */
import { composeMail, composeVault } from "./compose-adapters.ts";
import { openServer, type Server } from "./compose-database.ts";
import { composeListeners, type Ground, type Listeners } from "./compose-listeners.ts";
import { composeProduction, type Production } from "./compose-production.ts";
import type { Config } from "./config.ts";
import type { Ledger } from "./domain/brand/manage.ts";
import { reseed, type SeedBrand, seed } from "./domain/brand/seed.ts";
import type { Deps } from "./domain/deps.ts";
import { scheduleWipe } from "./domain/issuance/wipe.ts";
import type { AccountDeps } from "./domain/member/deps.ts";
import { seedOwners } from "./domain/member/open.ts";
import type { Clock, MailSender } from "./domain/ports.ts";
import { type Metrics, openMetrics } from "./http/metrics.ts";
import type { Controls } from "./http/sandbox/routes.ts";
import { travelHome, travelTo } from "./jobs/time-travel.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import type { Log } from "./log.ts";
import { sandboxCaps } from "./providers/caps.ts";
import { outbound } from "./providers/outbound.ts";
import { bundledPayers } from "./providers/payers/directory.ts";
import { sandboxCarrier } from "./providers/sandbox/carrier.ts";
import { sandboxClearinghouse } from "./providers/sandbox/clearinghouse.ts";
import { type MovableClock, movableClock, systemClock } from "./providers/sandbox/clock.ts";
import { sandboxCodes } from "./providers/sandbox/codes.ts";
import { demoBrands, demoCustomers } from "./providers/sandbox/demo.ts";
import { sandboxIdentity } from "./providers/sandbox/identity.ts";
import { mailOutbox } from "./providers/sandbox/mail-outbox.ts";
import { nightlyWipeTimeOfDayMs } from "./providers/sandbox/nightly.ts";
import { sandboxPhoneBook } from "./providers/sandbox/phone-book.ts";
import { sandboxRisk } from "./providers/sandbox/risk.ts";
import { smsOutbox } from "./providers/sandbox/sms-outbox.ts";
import { systemRandom } from "./providers/system.ts";
import { readClockOffset } from "./store/clock-offset.ts";
import { type OpenDatabase, openDatabase } from "./store/database.ts";
import { migrate } from "./store/migrate.ts";
import { releaseClaims } from "./store/queue.ts";
import { openSignals } from "./store/signals.ts";

export type Sandbox = Listeners & {
  deps: Deps;
  ledger: Ledger;
  worker: Worker;
  /** Members and their sessions: outside the environment, and on the real clock. */
  accounts: AccountDeps;
  /** Makes the demo brands, whose stored addresses follow the ports, and an owner for each demo customer. */
  seedDemo(walletUrl: string): Promise<void>;
  close(): Promise<void>;
};
export type Composed = {
  server: Server;
  store: OpenDatabase;
  sandbox: Sandbox;
  /** Null where this process serves the sandbox alone. */
  production: Production | null;
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
  const ground = { config, log, store, signals, metrics };
  const mail = composeMail(ground);
  // The dashboard's address is known once it listens: whoever needs it asks then.
  const accountAddresses = { dashboardUrl: config.publicDashboardUrl ?? "" };
  const production = await composeProduction(ground, { dashboardUrl: () => accountAddresses.dashboardUrl });
  const sandbox = await composeSandbox(ground, {}, { mail, production, accountAddresses });
  return {
    server,
    store,
    sandbox,
    production,
    metrics,
    async close() {
      await Promise.all([sandbox.close(), production?.close()]);
      await mail?.close();
      await signals.close();
      await store.close();
      await server.stop();
    },
  };
}

/** What is there besides the sandbox: whoever sends e-mails, and production. */
export type Surroundings = {
  mail?: MailSender | null;
  production?: Production | null;
  accountAddresses?: AccountDeps["addresses"];
};

/** Ports that a test puts a fake in the place of. */
export type Replaced = Partial<Omit<Deps, "clock">> & { clock?: MovableClock; accountClock?: Clock };

export async function composeSandbox(
  ground: Ground,
  { accountClock = systemClock, ...replaced }: Replaced = {},
  beside: Surroundings = {},
): Promise<Sandbox> {
  const { config, log, store, signals } = ground;
  const { db } = store;
  const clock = replaced.clock ?? movableClock(await readClockOffset(db, "sandbox"));
  const addresses = { apiUrl: config.publicApiUrl ?? "", walletUrl: config.publicWalletUrl ?? "" };
  // Where the demo brands are, everything is on this machine, receivers included.
  const sender = outbound({ loopback: config.demo });
  let worker: Worker | null = null;
  const deps: Deps = {
    environment: "sandbox",
    db,
    vault: await composeVault({ config, db }),
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
    offers: { texts: true, health: true },
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
  const ledger: Ledger = { ...deps, consentDeclared: true, offersHealth: true, changed: signals.changed };
  const demo: { brands: SeedBrand[] } = { brands: [] };
  const accounts: AccountDeps = {
    db,
    vault: deps.vault,
    random: deps.random,
    clock: accountClock,
    mail: beside.mail ?? mailOutbox(),
    addresses: beside.accountAddresses ?? { dashboardUrl: config.publicDashboardUrl ?? "" },
  };
  const controls: Controls = {
    deps,
    ledger,
    ...clockControls(ground, { clock, worker: started, cameHome: schedule }),
    resetDemo: (customerUuid) =>
      reseed(
        ledger,
        demo.brands.filter((brand) => brand.customerUuid === customerUuid),
      ),
  };
  const { closeLog, ...listeners } = await composeListeners(ground, accounts, {
    controls,
    beside: beside.production ?? null,
  });
  return {
    ...listeners,
    deps,
    accounts,
    ledger,
    worker: started,
    async seedDemo(walletUrl) {
      demo.brands = demoBrands.map((brand) => ({ ...brand, settings: brand.settings(walletUrl) }));
      await seed(ledger, { customers: demoCustomers, brands: demo.brands });
      await seedOwners(accounts, demoCustomers);
    },
    async close() {
      await Promise.all(Object.values(listeners).map((listener) => listener.close()));
      await started.stop();
      await sender.close();
      await closeLog();
    },
  };
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
