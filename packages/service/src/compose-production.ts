/** Production: the same flows on real vendors, the machine's clock and real numbers. */
import { composeAdapters, composeVault, vendorGround } from "./compose-adapters.ts";
import { composeProductionListeners, type Ground, type Sides } from "./compose-listeners.ts";
import type { Ledger } from "./domain/brand/manage.ts";
import type { Deps } from "./domain/deps.ts";
import { readPayers } from "./domain/health/payer-table.ts";
import { riskHistory } from "./domain/signup/risk-history.ts";
import { countAlarms } from "./domain/verification/alarms.ts";
import { startWorker, type Worker } from "./jobs/worker.ts";
import { productionCaps } from "./providers/caps.ts";
import { numberingPlan } from "./providers/numbering-plan/phone-book.ts";
import { outbound } from "./providers/outbound.ts";
import { bundledPayers } from "./providers/payers/directory.ts";
import { systemClock } from "./providers/sandbox/clock.ts";
import { randomCodes, systemRandom } from "./providers/system.ts";
import type { Ground as VendorGround } from "./providers/vendor.ts";

export type Production = Sides & {
  deps: Deps;
  ledger: Ledger;
  worker: Worker;
  /** What no vendor was connected for, in words. */
  missing: string[];
  close(): Promise<void>;
};

/** What a test puts in the place of the machine's. */
export type ProductionReplaced = Partial<Omit<Deps, "environment">> & { vendors?: VendorGround };

/** Null where no variable of production is set. */
export async function composeProduction(
  ground: Ground,
  { dashboardUrl }: { dashboardUrl(): string },
  { vendors = vendorGround(ground), ...replaced }: ProductionReplaced = {},
): Promise<Production | null> {
  const { config, log, store, signals, metrics } = ground;
  if (config.production === null) return null;
  const { db } = store;
  const vault = replaced.vault ?? (await composeVault({ config, db }));
  const clock = replaced.clock ?? systemClock;
  const history = riskHistory({ environment: "production", db, vault, clock });
  const adapters = composeAdapters(ground, vendors, history);
  // Never this machine: whoever names an address here is a stranger.
  const sender = outbound({ loopback: false });
  let worker: Worker | null = null;
  const deps: Deps = {
    environment: "production",
    db,
    vault,
    clock,
    random: systemRandom,
    phones: numberingPlan({ regions: config.adapters.phoneRegions }),
    codes: randomCodes(systemRandom),
    identity: adapters.identity,
    risk: adapters.risk,
    sms: adapters.sms,
    outbound: sender,
    carrier: adapters.carrier,
    clearinghouse: adapters.clearinghouse,
    payers: (await readPayers(db)) ?? bundledPayers(),
    offers: {
      texts: config.adapters.twilio !== null || config.adapters.smsGateway !== null,
      health: config.adapters.stedi !== null,
    },
    addresses: { apiUrl: config.production.publicApiUrl, walletUrl: config.production.publicWalletUrl },
    loopbackRedirects: false,
    openFraming: false,
    caps: productionCaps,
    fixedPeopleShow: [],
    wakeJobs: () => worker?.wake(),
    ...replaced,
  };
  followPayers(ground, deps);
  metrics.watchAlarms(deps.environment, () => countAlarms(deps));
  const started = startWorker(deps, { realNow: systemClock.now, log });
  worker = started;
  for (const one of adapters.missing) log.warn("production lacks something", { missing: one });
  const { closeLog, ...sides } = await composeProductionListeners(ground, deps, {
    callbacks: adapters.callbacks,
    dashboardUrl,
  });
  return {
    ...sides,
    deps,
    ledger: { ...deps, consentDeclared: false, offersHealth: deps.offers.health, changed: signals.changed },
    worker: started,
    missing: adapters.missing,
    async close() {
      await Promise.all(Object.values(sides).map((listener) => listener.close()));
      await started.stop();
      await Promise.all([sender.close(), adapters.close()]);
      await closeLog();
    },
  };
}

/** A directory that `countersign payers sync` brought is used from then on, without a restart. */
function followPayers({ signals, log }: Ground, deps: Deps): void {
  signals.onChange(() => {
    readPayers(deps.db, deps.payers)
      .then((fresh) => {
        if (fresh !== null) deps.payers = fresh;
      })
      .catch((error: unknown) => log.error("the payers could not be read again", { error: String(error) }));
  });
}
