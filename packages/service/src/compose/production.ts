/** Production: the same flows as the sandbox, with real vendors, the machine's clock and real phone numbers. */

import type { HomeDeps } from "../domain/deps.ts";
import { readPayers } from "../domain/health/payer-rows.ts";
import { countBlockedBrands } from "../domain/operator/status.ts";
import type { Clock } from "../domain/ports.ts";
import { riskHistory } from "../domain/signup/risk-history.ts";
import { currentAuthorities, listAuthorities } from "../domain/state-id/authority-rows.ts";
import { readCertificate } from "../domain/state-id/certificate.ts";
import { countAlarms, shareOfSignInsUsed } from "../domain/verification/limits/conversion-alarm-rows.ts";
import { answerTextMax } from "../domain/webhook/attempt-rows.ts";
import { routesCallbacks } from "../http/callbacks/routes.ts";
import { productionCaps } from "../providers/caps.ts";
import { numberingPlan } from "../providers/numbering-plan/phone-book.ts";
import { outbound } from "../providers/outbound.ts";
import { bundledPayers } from "../providers/payers/directory.ts";
import { statusLists } from "../providers/status-lists.ts";
import { randomCodes, systemClock, systemRandom } from "../providers/system.ts";
import type { VendorTools } from "../providers/vendor.ts";
import { coalesced } from "../store/serial.ts";
import { composeAdapters, vendorTools } from "./adapters.ts";
import { composeEnvironment, type Environment, type EnvironmentOptions, type Faked } from "./environment.ts";
import type { Quotas } from "./listeners.ts";
import type { Resources } from "./resources.ts";

/** Requests per second of one key, and of one IP address without a key. */
const realQuotas: Quotas = { key: 100, address: 20 };

export type Production = Environment & {
  /** Vendors without a configuration, as text. */
  missing: string[];
};
/** What a test replaces with fakes. */
export type ProductionReplaced = Faked & { clock?: Clock; tools?: VendorTools; quotas?: Quotas };

type ProductionOptions = Pick<EnvironmentOptions, "dashboardUrl" | "documented"> & { replaced?: ProductionReplaced };

export async function composeProduction(
  resources: Resources,
  { dashboardUrl, documented, replaced = {} }: ProductionOptions,
): Promise<Production> {
  const { config, log, store, metrics, vault, keyed } = resources;
  const { tools = vendorTools(resources), quotas = realQuotas, vendors, policy, ...fakes } = replaced;
  const { db, home } = store;
  const clock = fakes.clock ?? systemClock;
  const { callbacks, missing, close, ...adapters } = composeAdapters(
    resources,
    tools,
    riskHistory({
      environment: "production",
      vault,
      clock,
      keyed,
      // The cells are created together with the adapters, so read them later.
      get cells() {
        return environment.homeDeps.cells;
      },
    }),
  );
  // Never send to this machine. The URLs come from customers, who must not reach its network.
  const sender = outbound({ loopback: false, textMax: answerTextMax });
  const lists = statusLists();
  const environment: Environment = await composeEnvironment(resources, {
    deps: {
      environment: "production",
      db,
      home,
      keyed,
      vault,
      clock,
      random: systemRandom,
      phones: numberingPlan({ regions: config.adapters.phoneRegions }),
      codes: randomCodes(systemRandom),
      vendors: {
        ...adapters,
        outbound: sender,
        payers: (await readPayers(home)) ?? bundledPayers(),
        stateIds: {
          authorities: () => currentAuthorities(home, clock.now()),
          statusList: lists.read,
          keptLists: new Map(),
          reader: async () => config.adapters.stateIdReader,
        },
        ...vendors,
      },
      policy: {
        offers: {
          texts: config.adapters.twilio !== null || config.adapters.smsGateway !== null,
          health: config.adapters.stedi !== null,
        },
        loopbackRedirects: false,
        textsForV1: false,
        openFraming: false,
        isTest: false,
        namesWait: true,
        caps: productionCaps,
        fixedPeopleShow: [],
        ...policy,
      },
      addresses: {
        apiUrl: config.production?.publicApiUrl ?? "",
        walletUrl: config.production?.publicWalletUrl ?? "",
      },
      ...fakes,
    },
    quotas,
    consentDeclared: false,
    dashboardUrl,
    documented,
    closeAdapters: async () => void (await Promise.all([sender.close(), lists.close(), close()])),
  });
  const { app, deps, homeDeps, guards } = environment;
  routesCallbacks(app, homeDeps, { callbacks, guard: guards.open });
  followPayers(resources, homeDeps);
  metrics.watchAlarms(deps.environment, () => countAlarms(deps));
  metrics.watchSignIns(deps.environment, () => shareOfSignInsUsed(deps));
  metrics.watchCertificates(() => certificateFigures(homeDeps));
  metrics.watchBlockedBrands(() => countBlockedBrands(homeDeps));
  for (const one of missing) log.warn("production configuration is incomplete", { missing: one });
  return { ...environment, missing };
}

/** When the newest root certificate of each state expires, and when our reader's does. */
async function certificateFigures({ home, clock, vendors }: HomeDeps) {
  const now = clock.now();
  const newest = new Map((await listAuthorities(home)).map((one) => [one.jurisdiction, one.expiresAt]));
  const [leaf] = (await vendors.stateIds.reader())?.chain ?? [];
  return [
    ...[...newest].map(([of, expiresAt]) => ({ of, expiresInMs: expiresAt - now })),
    ...(leaf === undefined ? [] : [{ of: "reader", expiresInMs: readCertificate(leaf).notAfter - now }]),
  ];
}

/** Reloads the payers after `countersign payers sync`, without a restart. */
function followPayers({ signals, log }: Resources, homeDeps: HomeDeps): void {
  const readAgain = coalesced(async () => {
    homeDeps.vendors.payers = (await readPayers(homeDeps.home, homeDeps.vendors.payers)) ?? homeDeps.vendors.payers;
  });
  signals.onChange(() => {
    readAgain().catch((error: unknown) => log.error("payer list reload failed", { error: String(error) }));
  });
}
