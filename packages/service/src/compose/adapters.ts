/** Creates the adapters that the configuration names, and placeholders that report what is missing. */

import { join } from "node:path";
import type { VendorPurpose } from "@countersign/contract/console-vendors";
import { textsPath } from "../config/adapters.ts";
import { type Config, ConfigProblems } from "../config/config.ts";
import type { Carrier, Clearinghouse, IdentitySource, MailSender, RiskHistory, SmsSender } from "../domain/ports.ts";
import type { Callbacks } from "../http/callbacks/routes.ts";
import type { Log } from "../log.ts";
import { camaraCarrier } from "../providers/camara/carrier.ts";
import { httpIdentity } from "../providers/identity-http/identity.ts";
import { noCarrier, noClearinghouse, noIdentity, noTexts } from "../providers/none.ts";
import { httpRisk } from "../providers/risk-http/risk.ts";
import { ruleRisk } from "../providers/risk-rules/risk.ts";
import { gatewayIncoming, gatewayReports } from "../providers/sms-gateway/reports.ts";
import { gatewaySms } from "../providers/sms-gateway/sms.ts";
import { smtpMail } from "../providers/smtp/mail.ts";
import { stediClearinghouse } from "../providers/stedi/clearinghouse.ts";
import { systemClock } from "../providers/system.ts";
import { systemTimer } from "../providers/timer.ts";
import { twilioIncoming, twilioReports } from "../providers/twilio/reports.ts";
import { twilioSms } from "../providers/twilio/sms.ts";
import type { CallNotes, VendorTools } from "../providers/vendor.ts";
import type { Home } from "../store/database.ts";
import { developmentMasterKey } from "../store/master-key.ts";
import { OtherMasterKey } from "../store/master-key-rows.ts";
import { type MasterKeys, masterKeyOf, openVault, type Vault } from "../store/vault.ts";
import type { Resources } from "./resources.ts";

/** The master keys of this process. Without a configured one, it uses a generated development key. */
export async function masterKeysOf({ masterKey, otherMasterKey, dataDir }: Config): Promise<MasterKeys> {
  const master = masterKeyOf(masterKey ?? (await developmentMasterKey(dataDir)));
  return { master, others: otherMasterKey === null ? [] : [masterKeyOf(otherMasterKey)] };
}

/** Opens the vault of this process. */
export async function composeVault({ config, home }: { config: Config; home: Home }): Promise<Vault> {
  return await openVault(home, await masterKeysOf(config), systemClock.now()).catch((error: unknown) => {
    if (!(error instanceof OtherMasterKey)) throw error;
    const variable =
      config.masterKey === null
        ? `MASTER_KEY: is not set, and ${join(config.dataDir, "master.key")} is wrong`
        : "MASTER_KEY: is wrong";
    throw new ConfigProblems([
      `${variable}: ${error.message}. Use the key that the database was made with, or the newer one after a rotation`,
    ]);
  });
}

/** The shared resources of all adapters: the machine's clock and timer, metrics, and the log of failures. */
export function vendorTools({ metrics, log }: Pick<Resources, "metrics" | "log">): VendorTools {
  return { clock: systemClock, timer: systemTimer, notes: loggedNotes(metrics.vendors, log) };
}

/**
 * Outcomes that are not logged: success, a refusal by the vendor, and calls that were not sent because the breaker was
 * open.
 */
const uneventful = /^([1-4]xx|sent|breaker open)$/;

/** Also logs failed calls with the kind of failure, such as an invalid certificate or a timeout. */
export function loggedNotes(notes: CallNotes, log: Pick<Log, "warn">): CallNotes {
  return {
    called(note) {
      notes.called(note);
      const { at: _, ...logged } = note;
      if (!uneventful.test(note.outcome)) log.warn("vendor call failed", logged);
    },
    answered: notes.answered,
    breakerTurned(note) {
      notes.breakerTurned(note);
      if (note.state === "open") log.warn("circuit open: vendor calls paused", note);
    },
  };
}

type Closing = { close(): Promise<void> };

/** Null if no SMTP server is configured. Emails then stay in the sandbox's outbox. */
export function composeMail(resources: Pick<Resources, "config" | "metrics" | "log">): (MailSender & Closing) | null {
  const { smtp } = resources.config.adapters;
  if (smtp === null) return null;
  resources.metrics.vendors.breakerTurned({ vendor: "smtp", state: "closed" });
  return smtpMail(smtp, vendorTools(resources));
}

export type Adapters = {
  sms: SmsSender;
  carrier: Carrier;
  clearinghouse: Clearinghouse;
  identity: IdentitySource;
  risk: { score: ReturnType<typeof ruleRisk>["score"] };
  callbacks: Callbacks;
  /** The missing configuration, as text for the operator. */
  missing: string[];
  close(): Promise<void>;
};

/** Production's adapters. Each configured adapter reports its breaker's state from the start. */
export function composeAdapters({ config, metrics }: Resources, tools: VendorTools, history: RiskHistory): Adapters {
  const { adapters } = config;
  const { sender, callbacks, name } = composeTexts({ config }, tools);
  const carrier = adapters.camara === null ? null : camaraCarrier(adapters.camara, tools);
  const clearinghouse = adapters.stedi === null ? null : stediClearinghouse(adapters.stedi, tools);
  const identity = adapters.identitySource === null ? null : httpIdentity(adapters.identitySource, tools);
  const risk = adapters.riskSource === null ? null : httpRisk(adapters.riskSource, tools);
  const byVendor: Record<string, unknown> = {
    [name]: sender,
    camara: carrier,
    stedi: clearinghouse,
    identity_source: identity,
    risk_source: risk,
  };
  for (const [vendor, adapter] of Object.entries(byVendor))
    if (adapter !== null) metrics.vendors.breakerTurned({ vendor, state: "closed" });
  /** Notes whether an answer has what was asked for. */
  const noted = async <Answer>(vendor: string, asked: Promise<Answer>, isHit: (answer: Answer) => boolean) => {
    const answer = await asked;
    tools.notes.answered({ vendor, isHit: isHit(answer) });
    return answer;
  };
  return {
    sms:
      sender === null
        ? noTexts()
        : { ...sender, send: (text) => noted(name, sender.send(text), ({ kind }) => kind !== "rejected") },
    carrier:
      carrier === null
        ? noCarrier()
        : {
            ...carrier,
            finish: (question) => noted("camara", carrier.finish(question), ({ kind }) => kind === "phone"),
          },
    clearinghouse:
      clearinghouse === null
        ? noClearinghouse()
        : {
            ...clearinghouse,
            discover: (question) => noted("stedi", clearinghouse.discover(question), ({ kind }) => kind === "found"),
            check: (question) => noted("stedi", clearinghouse.check(question), ({ kind }) => kind === "answered"),
          },
    identity:
      identity === null
        ? noIdentity()
        : {
            ...identity,
            lookUp: (question) => noted("identity_source", identity.lookUp(question), ({ kind }) => kind !== "unknown"),
          },
    risk: risk ?? ruleRisk({ history, tools }),
    callbacks,
    missing: [
      ...(sender === null ? ["no SMS gateway (TWILIO_ACCOUNT_SID or SMS_GATEWAY_URL): the sms channel is off"] : []),
      ...(carrier === null ? ["no carrier (CAMARA_CLIENT_ID): the silent and autofill channels are off"] : []),
      ...(identity === null
        ? ["no identity source (IDENTITY_SOURCE_URL): only issued and self-entered data is available"]
        : []),
      ...(clearinghouse === null ? ["no clearinghouse (STEDI_API_KEY): 1-Click Health is not available"] : []),
      ...(risk === null ? ["no risk source (RISK_SOURCE_URL): built-in rules compute the risk score"] : []),
    ],
    async close() {
      await Promise.all([sender, carrier, clearinghouse, identity, risk].map((adapter) => adapter?.close()));
    },
  };
}

/** The adapter of each purpose, by its name in the metrics. Null: none is configured. */
export function configuredVendors({
  adapters,
}: Pick<Config, "adapters">): { purpose: VendorPurpose; vendor: string | null }[] {
  const named = (vendor: string, settings: unknown) => (settings === null ? null : vendor);
  return [
    { purpose: "texts", vendor: named("twilio", adapters.twilio) ?? named("sms_gateway", adapters.smsGateway) },
    { purpose: "device", vendor: named("camara", adapters.camara) },
    { purpose: "identity", vendor: named("identity_source", adapters.identitySource) },
    { purpose: "risk", vendor: named("risk_source", adapters.riskSource) },
    { purpose: "insurance", vendor: named("stedi", adapters.stedi) },
    { purpose: "mail", vendor: named("smtp", adapters.smtp) },
    { purpose: "signIn", vendor: named("openid", adapters.openId) },
    { purpose: "audit", vendor: adapters.auditStream?.kind === "webhook" ? "audit_stream" : null },
  ];
}

function composeTexts({ config }: Pick<Resources, "config">, tools: VendorTools) {
  const { twilio, smsGateway } = config.adapters;
  const incomingUrl = `${config.production?.publicApiUrl ?? ""}${textsPath}`;
  if (twilio !== null) {
    const { callbackUrl } = twilio;
    return {
      name: "twilio",
      sender: twilioSms(twilio, tools),
      callbacks: {
        reports: callbackUrl === null ? null : twilioReports({ ...twilio, callbackUrl }),
        incoming: twilioIncoming({ ...twilio, incomingUrl }),
      },
    };
  }
  if (smsGateway !== null) {
    const options = { secret: smsGateway.secret, clock: tools.clock };
    return {
      name: "sms_gateway",
      sender: gatewaySms(smsGateway, tools),
      callbacks: { reports: gatewayReports(options), incoming: gatewayIncoming(options) },
    };
  }
  return { name: "none", sender: null, callbacks: { reports: null, incoming: null } };
}
