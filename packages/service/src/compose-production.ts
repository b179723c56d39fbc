/** Production: real people's phones and data, through the vendors that the operator configured. */
import { composeEnvironment, type Environment } from "./compose-environment.ts";
import type { Ground } from "./compose-ground.ts";
import type { Replaced } from "./compose-sandbox.ts";
import type { Config } from "./config.ts";
import { type AdapterSettings, textsPath } from "./config-adapters.ts";
import type { Deps } from "./domain/deps.ts";
import { readPayers } from "./domain/health/payer-table.ts";
import { riskHistory } from "./domain/signup/risk-history.ts";
import { type Callbacks, routesCallbacks } from "./http/callbacks/routes.ts";
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
import { gatewayIncoming, gatewayReports } from "./providers/sms-gateway/reports.ts";
import { gatewaySms } from "./providers/sms-gateway/sms.ts";
import { stediClearinghouse } from "./providers/stedi/clearinghouse.ts";
import { systemRandom } from "./providers/system.ts";
import { systemTimer } from "./providers/timer.ts";
import { twilioIncoming, twilioReports } from "./providers/twilio/reports.ts";
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
  const clock = replaced.clock ?? systemClock;
  const { adapters, close } = adaptersOf(ground, clock);
  return await composeEnvironment(ground, {
    deps: {
      environment: "production",
      db: ground.store.db,
      vault: ground.vault,
      clock: systemClock,
      random: systemRandom,
      codes: randomCodes(systemRandom),
      ...adapters,
      payers: (await readPayers(ground.store.db)) ?? bundledPayers(),
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
      routesCallbacks(app, deps, { callbacks: callbacksOf(config, clock), guard: open });
      followPayers(ground, deps);
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
  { config, metrics, store, vault }: Ground,
  clock: VendorGround["clock"],
): { adapters: Adapters; close(): Promise<void> } {
  const settings = config.adapters;
  const ground: VendorGround = { clock, timer: systemTimer, notes: metrics.vendors };
  const history = riskHistory({ environment: "production", db: store.db, vault, clock });
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
  showBreakers(ground, settings);
  const adapters: Adapters = {
    phones: numberingPlan({ regions: settings.phoneRegions }),
    identity: settings.identitySource === null ? noIdentity() : keep(httpIdentity(settings.identitySource, ground)),
    risk: settings.riskSource === null ? ruleRisk({ history, ground }) : keep(httpRisk(settings.riskSource, ground)),
    sms: sms ?? noSms(),
    carrier: settings.camara === null ? noCarrier() : keep(camaraCarrier(settings.camara, ground)),
    clearinghouse: clearinghouse ?? noClearinghouse(),
    payers: bundledPayers(),
    outbound: keep(outbound({ loopback: false })),
    serves: { texts: sms !== null, health: clearinghouse !== null },
  };
  return { adapters, close: async () => void (await Promise.all(opened.map((one) => one.close()))) };
}

/** Each vendor that is connected shows its breaker from the start, and not only after its first call. */
function showBreakers({ notes }: VendorGround, settings: AdapterSettings): void {
  const vendors = {
    twilio: settings.twilio,
    sms_gateway: settings.smsGateway,
    camara: settings.camara,
    stedi: settings.stedi,
    identity_source: settings.identitySource,
    risk_source: settings.riskSource,
  };
  for (const [vendor, configured] of Object.entries(vendors))
    if (configured !== null) notes.breakerTurned({ vendor, state: "closed" });
}

/** What the sender of texts calls, judged by its own signature. */
function callbacksOf({ adapters, production }: Config, clock: VendorGround["clock"]): Callbacks {
  const { twilio, smsGateway } = adapters;
  if (twilio !== null) {
    const { callbackUrl } = twilio;
    const incomingUrl = `${production?.publicApiUrl ?? ""}${textsPath}`;
    return {
      reports: callbackUrl === null ? null : twilioReports({ ...twilio, callbackUrl }),
      incoming: twilioIncoming({ ...twilio, incomingUrl }),
    };
  }
  if (smsGateway === null) return { reports: null, incoming: null };
  const about = { secret: smsGateway.secret, clock };
  return { reports: gatewayReports(about), incoming: gatewayIncoming(about) };
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
