import type { RiskSignals } from "@countersign/contract/risk";
import type { Brand } from "../deps.ts";
import type { RiskJudgment } from "../ports.ts";

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
  given: { email?: string; deviceIp?: string },
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
    overall: { ...base, ...(addOns.reasonCodes ? { reasonCodes: judgment.reasonCodes } : {}) },
    ...(Object.keys(phone).length > 0 ? { phone } : {}),
    ...(addOns.email && given.email !== undefined ? { email: judgment.email } : {}),
    ...(addOns.deviceIp && given.deviceIp !== undefined ? { deviceIp: judgment.deviceIp } : {}),
  };
}
