/** The sandbox: fixed people, made-up vendors, a clock that can be moved, and the calls that drive it. */
import { composeEnvironment, type Environment } from "./compose-environment.ts";
import type { Ground, Guards } from "./compose-ground.ts";
import { reseed, type SeedBrand, seed } from "./domain/brand/seed.ts";
import { findBrand } from "./domain/brand/store.ts";
import type { Deps } from "./domain/deps.ts";
import { scheduleWipe } from "./domain/issuance/wipe.ts";
import type { Clock } from "./domain/ports.ts";
import { scheduleSweep } from "./domain/retention/sweep.ts";
import { makeSession, type SessionAsk } from "./domain/session/make.ts";
import { schedulePurge } from "./domain/watch/purge.ts";
import { routesCarrier } from "./http/carrier.ts";
import { sandboxGuard } from "./http/sandbox/guard.ts";
import { type Controls, routesSandbox } from "./http/sandbox/routes.ts";
import { routesDemo } from "./http/wallet/demo.ts";
import { travelHome, travelTo } from "./jobs/time-travel.ts";
import type { Worker } from "./jobs/worker.ts";
import { sandboxCaps } from "./providers/caps.ts";
import { outbound } from "./providers/outbound.ts";
import { bundledPayers } from "./providers/payers/directory.ts";
import { carrierPath, sandboxCarrier } from "./providers/sandbox/carrier.ts";
import { sandboxClearinghouse } from "./providers/sandbox/clearinghouse.ts";
import { type MovableClock, movableClock } from "./providers/sandbox/clock.ts";
import { sandboxCodes } from "./providers/sandbox/codes.ts";
import { demoBrands, demoCustomers, firstDemoCustomer } from "./providers/sandbox/demo.ts";
import { sandboxIdentity } from "./providers/sandbox/identity.ts";
import { nightlyWipeTimeOfDayMs } from "./providers/sandbox/nightly.ts";
import { sandboxPhoneBook } from "./providers/sandbox/phone-book.ts";
import { sandboxRisk } from "./providers/sandbox/risk.ts";
import { smsOutbox } from "./providers/sandbox/sms-outbox.ts";
import { systemRandom } from "./providers/system.ts";
import { readClockOffset } from "./store/clock-offset.ts";

/** Wide enough for customers' own load tests. */
const quotas = { key: 500, address: 500 };

export type Sandbox = Environment & {
  /** Makes the demo brands, whose stored addresses follow the ports. */
  seedDemo(walletUrl: string): Promise<void>;
  controls: Controls;
};
/** Ports that a test puts a fake in the place of. */
export type Replaced = Partial<Omit<Deps, "clock" | "realClock" | "wakeJobs">> & { clock?: MovableClock & Clock };

export async function composeSandbox(
  ground: Ground,
  { dashboardUrl, replaced = {} }: { dashboardUrl(): string; replaced?: Replaced },
): Promise<Sandbox> {
  const { config, log, store } = ground;
  const clock = replaced.clock ?? movableClock(await readClockOffset(store.db, "sandbox"));
  const addresses = { apiUrl: config.publicApiUrl ?? "", walletUrl: config.publicWalletUrl ?? "" };
  // Where the demo brands are, everything is on this machine, receivers included.
  const sender = outbound({ loopback: config.demo });
  const demo: { brands: SeedBrand[]; controls: Controls | null } = { brands: [], controls: null };
  const environment = await composeEnvironment(ground, {
    deps: { ...adaptersOf(ground, { addresses, sender }), ...replaced, clock },
    quotas,
    needs: null,
    consentDeclared: true,
    dashboardUrl,
    closeAdapters: sender.close,
    async extend(made, guards) {
      const { deps, ledger, worker } = made;
      const schedule = () => scheduleWipe(deps, { timeOfDayMs: nightlyWipeTimeOfDayMs });
      await schedule();
      const cameHome = async () => {
        await schedule();
        await schedulePurge(deps);
        await scheduleSweep(deps);
      };
      const mine = (customerUuid: string) => demo.brands.filter((brand) => brand.customerUuid === customerUuid);
      demo.controls = {
        deps,
        ledger,
        ...clockControls(ground, { clock, worker, cameHome }),
        showsEmailsOf: (customerUuid) => ground.config.demo && demoCustomers.some(({ uuid }) => uuid === customerUuid),
        resetDemo: (customerUuid) => reseed(ledger, mine(customerUuid)),
      };
      mountSandbox(ground, made, { guards, controls: demo.controls });
    },
  });
  const { controls } = demo;
  if (controls === null) throw new Error("the sandbox has no controls");
  if (ground.assets.apps.wallet.script === null)
    log.warn("the wallet's application is not built: its pages show no screens");
  return {
    ...environment,
    controls,
    async seedDemo(walletUrl) {
      demo.brands = demoBrands.map((brand) => ({ ...brand, settings: brand.settings(walletUrl) }));
      await seed(environment.ledger, { customers: demoCustomers, brands: demo.brands });
    },
  };
}

type Adapting = { addresses: Deps["addresses"]; sender: Deps["outbound"] };

function adaptersOf(
  { config, store, vault }: Ground,
  { addresses, sender }: Adapting,
): Omit<Deps, "wakeJobs" | "realClock" | "clock"> {
  return {
    environment: "sandbox",
    db: store.db,
    vault,
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
    offers: { texts: true, health: true },
    loopbackRedirects: true,
    openFraming: true,
    caps: sandboxCaps,
    fixedPeopleShow: config.demo ? demoBrands.map(({ uuid }) => uuid) : [],
  };
}

/** What nobody finds in production: control, the simulated carrier, and the demo pages. */
function mountSandbox(
  { config, assets }: Ground,
  { app, wallet, deps }: Pick<Environment, "app" | "wallet" | "deps">,
  { guards, controls }: { guards: Guards; controls: Controls },
): void {
  routesCarrier(app, { path: carrierPath, apiUrl: () => deps.addresses.apiUrl, guard: guards.open });
  routesSandbox(app, controls, sandboxGuard(guards.gate, config.demo ? firstDemoCustomer.uuid : null));
  routesDemo(wallet, {
    guard: guards.open,
    assets,
    apiUrl: () => deps.addresses.apiUrl,
    makeSession: config.demo ? (ask, requestId) => demoSession(deps, ask, requestId) : null,
  });
}

/** A session of the demo brand that embeds the SDK, as its server would get one. */
async function demoSession(deps: Deps, ask: SessionAsk, requestId: string): Promise<string> {
  const uuid = demoBrands.find((one) => one.integrationType === "sdk")?.uuid ?? "";
  const brand = await findBrand(deps.db, deps.environment, uuid);
  if (brand === null) throw new Error("the demo brands are not seeded");
  return await makeSession(deps, { brand, apiKeyUuid: null, requestId }, ask);
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
