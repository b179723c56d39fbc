/** Production: real people's phones and data, through the vendors that the operator configured. */
import { composeEnvironment, type Environment } from "./compose-environment.ts";
import type { Ground } from "./compose-ground.ts";
import type { Replaced } from "./compose-sandbox.ts";
import type { AdapterSettings } from "./config-adapters.ts";
import type { Deps } from "./domain/deps.ts";
import type { RiskHistory } from "./domain/ports.ts";
import { routesCarrierReturn } from "./http/carrier.ts";
import { noCarrier } from "./providers/absent/carrier.ts";
import { noClearinghouse } from "./providers/absent/clearinghouse.ts";
import { noIdentity } from "./providers/absent/identity.ts";
import { noSms } from "./providers/absent/sms.ts";
import { camaraCarrier } from "./providers/camara/carrier.ts";
import { productionCaps } from "./providers/caps.ts";
import { randomCodes } from "./providers/codes.ts";
import { httpIdentity } from "./providers/identity-http/identity.ts";
import { numberingPlan } from "./providers/numbering-plan/phone-book.ts";
import { outbound } from "./providers/outbound.ts";
import { bundledPayers } from "./providers/payers/directory.ts";
import { httpRisk } from "./providers/risk-http/risk.ts";
import { ruleRisk } from "./providers/risk-rules/risk.ts";
import { systemClock } from "./providers/sandbox/clock.ts";
import { gatewaySms } from "./providers/sms-gateway/sms.ts";
import { stediClearinghouse } from "./providers/stedi/clearinghouse.ts";
import { systemRandom } from "./providers/system.ts";
import { systemTimer } from "./providers/timer.ts";
import { twilioSms } from "./providers/twilio/sms.ts";
import type { Ground as VendorGround } from "./providers/vendor.ts";

/** Requests a second that one key may make, and one address without a key (specification, "Limits"). */
const quotas = { key: 100, address: 20 };

/** What production lacks, each by the first variable that would give it. */
export function missingOf(adapters: AdapterSettings): string[] {
  const { twilio, smsGateway, camara, stedi, identitySource, smtp } = adapters;
  const lacking = [
    twilio === null && smsGateway === null ? "texts (TWILIO_ACCOUNT_SID or SMS_GATEWAY_URL)" : null,
    camara === null ? "autofill and silent (CAMARA_CLIENT_ID)" : null,
    identitySource === null ? "a source of identity data (IDENTITY_SOURCE_URL)" : null,
    stedi === null ? "1-Click Health (STEDI_API_KEY)" : null,
    smtp === null ? "e-mails to members (SMTP_URL)" : null,
  ];
  return lacking.filter((one) => one !== null);
}

export async function composeProduction(
  ground: Ground,
  { dashboardUrl, replaced = {} }: { dashboardUrl(): string; replaced?: Replaced },
): Promise<Environment> {
  const { config } = ground;
  const addresses = {
    apiUrl: config.production?.publicApiUrl ?? "",
    walletUrl: config.production?.publicWalletUrl ?? "",
  };
  const { adapters, close } = adaptersOf(ground, replaced.clock ?? systemClock);
  return await composeEnvironment(ground, {
    deps: {
      environment: "production",
      db: ground.store.db,
      vault: ground.vault,
      clock: systemClock,
      random: systemRandom,
      codes: randomCodes(systemRandom),
      ...adapters,
      addresses,
      loopbackRedirects: false,
      openFraming: false,
      caps: productionCaps,
      fixedPeopleShow: [],
      ...replaced,
    },
    quotas,
    needs: "production",
    consentDeclared: false,
    dashboardUrl,
    closeAdapters: close,
    async extend({ app, deps }, { open }) {
      const { camara } = config.adapters;
      if (camara === null) return;
      const { pathname } = new URL(camara.redirectUrl);
      routesCarrierReturn(app, { path: pathname, apiUrl: () => deps.addresses.apiUrl, guard: open });
    },
  });
}

type Adapters = Pick<
  Deps,
  "phones" | "identity" | "risk" | "sms" | "outbound" | "carrier" | "clearinghouse" | "payers" | "serves"
>;

/** Each vendor where it is configured, and in its place otherwise what says so. */
function adaptersOf(
  { config, metrics }: Ground,
  clock: VendorGround["clock"],
): { adapters: Adapters; close(): Promise<void> } {
  const settings = config.adapters;
  const ground: VendorGround = { clock, timer: systemTimer, notes: metrics.vendors };
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Adapter extends { close(): Promise<void> }>(adapter: Adapter): Adapter => {
    opened.push(adapter);
    return adapter;
  };
  const sms =
    settings.twilio !== null
      ? keep(twilioSms(settings.twilio, ground))
      : settings.smsGateway !== null
        ? keep(gatewaySms(settings.smsGateway, ground))
        : null;
  const clearinghouse = settings.stedi === null ? null : keep(stediClearinghouse(settings.stedi, ground));
  const adapters: Adapters = {
    phones: numberingPlan({ regions: settings.phoneRegions }),
    identity: settings.identitySource === null ? noIdentity() : keep(httpIdentity(settings.identitySource, ground)),
    risk:
      settings.riskSource === null
        ? ruleRisk({ history: nothingSeen, ground })
        : keep(httpRisk(settings.riskSource, ground)),
    sms: sms ?? noSms(),
    carrier: settings.camara === null ? noCarrier() : keep(camaraCarrier(settings.camara, ground)),
    clearinghouse: clearinghouse ?? noClearinghouse(),
    payers: bundledPayers(),
    outbound: keep(outbound({ loopback: false })),
    serves: { texts: sms !== null, health: clearinghouse !== null },
  };
  return { adapters, close: async () => void (await Promise.all(opened.map((one) => one.close()))) };
}

const nothingSeen: RiskHistory = {
  of: async () => ({
    phone: {
      firstSeenAt: null,
      lastProvenAt: null,
      changedHandsAt: null,
      verifications: 0,
      failedVerifications: 0,
      brands: 0,
      mismatches: 0,
    },
  }),
};
