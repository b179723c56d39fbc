/** The sandbox: fixed people, simulated vendors, a clock that can be moved, and the control endpoints. */

import { endSeeded, reseed, type SeedBrand, seed } from "../domain/brand/seed.ts";
import type { Deps } from "../domain/deps.ts";
import { Failure } from "../domain/failure.ts";
import { scheduleWipe } from "../domain/issuance/wipe.ts";
import type { Clock, Outbound } from "../domain/ports.ts";
import { answerTextMax } from "../domain/webhook/attempt-rows.ts";
import { deleteEndpoint } from "../domain/webhook/endpoint.ts";
import { listEndpoints } from "../domain/webhook/endpoint-rows.ts";
import { routesCarrier } from "../http/sandbox/carrier.ts";
import { sandboxGuard } from "../http/sandbox/guard.ts";
import { type Controls, routesSandbox } from "../http/sandbox/routes.ts";
import { routesTryIt } from "../http/try-it.ts";
import { routesDemoLanding } from "../http/wallet/demo.ts";
import { routesStage } from "../http/wallet/stage.ts";
import { routesTestWallet } from "../http/wallet/test-wallet.ts";
import { repeat } from "../jobs/repeat.ts";
import { sandboxCaps } from "../providers/caps.ts";
import { outbound } from "../providers/outbound.ts";
import { bundledPayers } from "../providers/payers/directory.ts";
import { carrierPath, sandboxCarrier } from "../providers/sandbox/carrier.ts";
import { sandboxClearinghouse } from "../providers/sandbox/clearinghouse.ts";
import { type MovableClock, movableClock, nightlyWipeTimeOfDayMs } from "../providers/sandbox/clock.ts";
import { demoBrands, demoCustomers, firstDemoCustomer, stageBrands } from "../providers/sandbox/demo.ts";
import { sandboxIdentity } from "../providers/sandbox/identity.ts";
import { smsOutbox } from "../providers/sandbox/outboxes.ts";
import { sandboxRisk } from "../providers/sandbox/people.ts";
import { sandboxCodes, sandboxPhoneBook } from "../providers/sandbox/phones.ts";
import { sandboxStateIds } from "../providers/sandbox/state-id/authority.ts";
import { sandboxTestWallet } from "../providers/sandbox/state-id/test-wallet.ts";
import { systemRandom } from "../providers/system.ts";
import { readClockOffset } from "../store/clock-offset.ts";
import { type Cell, composeEnvironment, type Environment, type Faked } from "./environment.ts";
import { addressLimit } from "./listeners.ts";
import type { Resources } from "./resources.ts";
import { clockControls } from "./sandbox-clock.ts";

/** High enough for customers' own load tests. */
const quotas = { key: 500, address: 500 };
/** Calls of the stage per minute and IP address. A signup makes about twenty. */
const stageQuota = 600;

export type Sandbox = Environment & {
  /** Creates the demo brands. Their stored URLs contain the wallet's URL, which depends on its port. */
  seedDemo(walletUrl: string): Promise<void>;
  /** Ends the keys and brands of the demo's accounts, which an earlier start with DEMO created. */
  endDemo(): ReturnType<typeof endSeeded>;
  controls: Controls;
};
/** Ports that a test replaces with fakes. */
export type Replaced = Faked & { clock?: MovableClock & Clock };

export async function composeSandbox(
  resources: Resources,
  { dashboardUrl, replaced = {} }: { dashboardUrl(): string; replaced?: Replaced },
): Promise<Sandbox> {
  const { config, log, store } = resources;
  const clock = replaced.clock ?? movableClock(await readClockOffset(store.home, "sandbox"));
  const addresses = { apiUrl: config.publicApiUrl ?? "", walletUrl: config.publicWalletUrl ?? "" };
  // With demo brands, everything runs on this machine, including webhook receivers.
  const sender = outbound({ loopback: config.demo, textMax: answerTextMax });
  const environment = await composeEnvironment(resources, {
    deps: { ...adaptersOf(resources, { addresses, sender, replaced, clock }), clock },
    quotas,
    consentDeclared: true,
    dashboardUrl,
    documented: addresses,
    closeAdapters: sender.close,
  });
  const { admin, homeDeps, cells, worker, sweeper } = environment;
  const wipes = await scheduleWipes(resources, cells);
  let demo: SeedBrand[] = [];
  const controls: Controls = {
    homeDeps,
    admin,
    ...clockControls(resources, { clock, cells, worker, sweeper, cameHome: wipes.scheduleAll }),
    showsEmailsOf: (customerUuid) => config.demo && demoCustomers.some(({ uuid }) => uuid === customerUuid),
    resetDemo: (customerUuid) =>
      reseed(
        admin,
        demo.filter((brand) => brand.customerUuid === customerUuid),
      ),
  };
  mountSandbox(resources, environment, controls);
  if (resources.assets.apps.wallet.script === null)
    log.warn("wallet application is not built: wallet pages show no screens");
  return {
    ...environment,
    controls,
    async seedDemo(walletUrl) {
      const all = [...demoBrands, ...Object.values(stageBrands)];
      demo = all.map((brand) => ({ ...brand, settings: brand.settings(walletUrl) }));
      const deleteWebhooks = async (brandUuid: string) => {
        for (const { uuid } of await listEndpoints(homeDeps, brandUuid))
          await deleteEndpoint(homeDeps, uuid).catch((error: unknown) => {
            // Another process that starts has deleted it.
            if (!(error instanceof Failure && error.status === 404)) throw error;
          });
      };
      await seed(admin, { customers: demoCustomers, brands: demo, deleteWebhooks });
    },
    endDemo: () =>
      endSeeded(admin, { customers: demoCustomers, brands: [...demoBrands, ...Object.values(stageBrands)] }),
    async close() {
      await wipes.stop();
      await environment.close();
    },
  };
}

/** How soon a wipe that could not be scheduled is tried again, in milliseconds. */
const scheduleAgainMs = 5_000;

/** Schedules the nightly wipe of each cell, including cells that open later. */
async function scheduleWipes({ log, cells: { onOpen } }: Resources, cells: readonly Cell[]) {
  const scheduled = new Set<Cell>();
  const schedule = async (cell: Cell) => {
    await scheduleWipe(cell.deps, { timeOfDayMs: nightlyWipeTimeOfDayMs });
    scheduled.add(cell);
  };
  const scheduleAll = async () => void (await Promise.all(cells.map(schedule)));
  const scheduleMissing = async () => {
    const missing = cells.filter((cell) => !scheduled.has(cell));
    const results = await Promise.allSettled(missing.map(schedule));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    if (failures.length === 0) return;
    const error = failures[0] instanceof Error ? failures[0].name : "unknown";
    log.error("nightly wipes could not be scheduled; will retry", { cells: failures.length, error });
  };
  await scheduleMissing();
  onOpen(() => void scheduleMissing());
  const again = repeat(scheduleAgainMs, scheduleMissing, () => {});
  return { scheduleAll, stop: again.stop };
}

type Adapting = { addresses: Deps["addresses"]; sender: Outbound; replaced: Faked; clock: Clock };

function adaptersOf(
  { config, store, vault, keyed }: Resources,
  { addresses, sender, clock, replaced: { vendors, policy, ...fakes } }: Adapting,
): Omit<Deps, "worker" | "realClock" | "clock" | "cells" | "ownKeyed" | "takesNew"> {
  return {
    environment: "sandbox",
    db: store.db,
    home: store.home,
    keyed,
    vault,
    random: systemRandom,
    phones: sandboxPhoneBook(),
    codes: sandboxCodes(systemRandom),
    vendors: {
      identity: sandboxIdentity(),
      risk: sandboxRisk(),
      sms: smsOutbox(),
      outbound: sender,
      carrier: sandboxCarrier(() => addresses.apiUrl),
      clearinghouse: sandboxClearinghouse(),
      payers: bundledPayers(),
      stateIds: sandboxStateIds({ secretOf: testStateIdSecrets(vault), clock }),
      ...vendors,
    },
    policy: {
      offers: { texts: true, health: true },
      loopbackRedirects: true,
      textsForV1: true,
      openFraming: true,
      isTest: true,
      // Where real people use the service too, they may also meet a page of the sandbox.
      namesWait: config.production !== null,
      caps: sandboxCaps,
      fixedPeopleShow: config.demo ? demoBrands.map(({ uuid }) => uuid) : [],
      ...policy,
    },
    addresses,
    ...fakes,
  };
}

/** The secrets from which the keys of test state IDs are derived. */
const testStateIdSecrets = (vault: Deps["vault"]) => (label: string) => vault.keyedHash("test state IDs", label);

/** Mounts what only the sandbox has: control endpoints, the simulated carrier, and the demo pages. */
function mountSandbox(resources: Resources, { app, wallet, homeDeps, guards }: Environment, controls: Controls): void {
  const { config, assets } = resources;
  routesCarrier(app, { path: carrierPath, apiUrl: () => homeDeps.addresses.apiUrl, guard: guards.open });
  routesSandbox(app, controls, sandboxGuard(guards.gate, config.demo ? firstDemoCustomer.uuid : null));
  if (config.demo) routesTryIt(app, new Set(demoBrands.map(({ apiKey }) => apiKey)));
  const pages = { guard: guards.open, assets: { ...assets, isTest: homeDeps.policy.isTest } };
  const hosted = demoBrands.find(({ integrationType }) => integrationType === "hosted");
  const reads = config.demo && hosted !== undefined ? { api: app, apiKey: hosted.apiKey } : null;
  routesDemoLanding(wallet, { ...pages, apiUrl: () => homeDeps.addresses.apiUrl, reads });
  const secretOf = testStateIdSecrets(homeDeps.vault);
  routesTestWallet(wallet, { ...pages, homeDeps, wallet: sandboxTestWallet({ secretOf, now: homeDeps.clock.now }) });
  if (!config.demo) return;
  routesStage(wallet, {
    ...pages,
    homeDeps,
    api: app,
    limit: addressLimit(resources, { name: "stage", quota: stageQuota, windowSeconds: 60 }),
    customerUuid: firstDemoCustomer.uuid,
    brands: stageBrands,
  });
}
