import type { OneClickEntity, VerificationMethod } from "@countersign/contract/entity";
import type { RiskSignals } from "@countersign/contract/risk";
import { assemble } from "../credential/assemble.ts";
import type { Brand } from "../deps.ts";
import type { RiskJudgment } from "../ports.ts";
import type { OneClick, OneClickFacts, PhoneMethod } from "./one-click.ts";

/** The identifiers of a 1-Click and how each was verified. An email is never verified here, so its method is null. */
export function identifiersOf(facts: Pick<OneClickFacts, "phone" | "email">, phoneMethod: PhoneMethod) {
  const identifiers: Record<string, string> = { phone: facts.phone };
  const verificationMethod: Record<string, VerificationMethod> = { phone: phoneMethod };
  if (facts.email !== undefined) {
    identifiers.email = facts.email;
    verificationMethod.email = null;
  }
  return { identifiers, verificationMethod };
}

/** Builds a 1ClickEntity in the brand's formats. A declined 1-Click has only identifiers and their metadata. */
export function entityOf(
  brand: Brand,
  { facts, phoneMethod, state }: Pick<OneClick, "facts" | "phoneMethod" | "state">,
): OneClickEntity {
  const { identifiers, verificationMethod } = identifiersOf(facts, phoneMethod);
  const identifierFacts = {
    verificationMethod,
    ...(facts.risk === null ? {} : { riskSignals: riskSignals(facts.risk, brand, facts) }),
  };
  if (state === "declined") return { identifiers, metadata: { identifiers: identifierFacts } };
  const { credentialFormats, governmentId } = brand.settings;
  const { credentials, metadata } = assemble(facts.credentials, credentialFormats, {
    reportsIds: governmentId.reported,
  });
  return { identifiers, credentials, metadata: { identifiers: identifierFacts, credentials: metadata } };
}

/** The highest overall score that is accepted. A higher score ends in OCE017. */
export const riskScoreMax = 600;

type Overall = Pick<RiskSignals["overall"], "level" | "recommendation">;
/** Risk bands by their highest score. */
const bands: readonly (Overall & { max: number })[] = [
  { max: 200, level: "low", recommendation: "allow" },
  { max: 400, level: "medium-low", recommendation: "allow" },
  { max: riskScoreMax, level: "medium", recommendation: "flag" },
  { max: 800, level: "medium-high", recommendation: "block" },
];
const highest: Overall = { level: "high", recommendation: "block" };

/**
 * The risk signals that a brand sees. Add-ons need the operator's approval, email signals an email in the request, and
 * device signals a device IP.
 */
export function riskSignals(
  judgment: RiskJudgment,
  { settings, approvals }: Brand,
  given: Pick<OneClickFacts, "email" | "deviceIp" | "stateId">,
): RiskSignals {
  const { score } = judgment;
  const { level, recommendation } = bands.find((band) => score <= band.max) ?? highest;
  const base = { score, level, recommendation };
  if (!approvals.has("addOns")) return { overall: base };
  const addOns = settings.riskSignalAddOns;
  const phone = {
    ...(addOns.carrier ? { carrier: judgment.phone.carrier } : {}),
    ...(addOns.reasonCodes ? { reasonCodes: judgment.phone.reasonCodes } : {}),
  };
  return {
    overall: { ...base, ...(addOns.reasonCodes ? { reasonCodes: overallCodes(judgment, given) } : {}) },
    ...(Object.keys(phone).length > 0 ? { phone } : {}),
    ...(addOns.email && given.email !== undefined ? { email: judgment.email } : {}),
    ...(addOns.deviceIp && given.deviceIp !== undefined ? { deviceIp: judgment.deviceIp } : {}),
  };
}

/** A state ID contradicts a source. */
const contradictionCode = "OCR19002";

function overallCodes({ reasonCodes }: RiskJudgment, { stateId }: Pick<OneClickFacts, "stateId">): string[] {
  return (stateId?.conflicts ?? []).length === 0 ? reasonCodes : [...reasonCodes, contradictionCode];
}
