import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Phone, RiskFacts, RiskHistory, RiskScorer } from "../../domain/ports.ts";
import { VendorFailure, type VendorTools } from "../vendor.ts";
import { type Weight, weights } from "./weights.ts";

/** Overall reason codes: no finding, or at least one. */
const nothingFound = "OCR19000";
const somethingFound = "OCR19001";
const scoreMax = 1_000;
const mobileTypes = ["MOBILE", "FIXED_LINE_OR_MOBILE"];

/**
 * Scores by our own rules over this service's history (docs/guides/vendors.md). Throws if the history takes too long.
 */
export function ruleRisk(options: { history: RiskHistory; tools: VendorTools }): RiskScorer {
  return {
    async score({ deadlineMs, ...question }) {
      const facts = await inTime(options, question, deadlineMs);
      const seen = { facts, now: options.tools.clock.now(), isMobile: isMobile(question.phone) };
      const found = weights
        .map((weight) => ({ weight, points: weight.points(seen) }))
        .filter(({ points }) => points > 0);
      const sum = found.reduce((total, { points }) => total + points, 0);
      const codes = (of: Weight["of"]) => found.flatMap(({ weight }) => (weight.of === of ? [weight.code] : []));
      return {
        score: Math.min(scoreMax, sum),
        reasonCodes: [found.length === 0 ? nothingFound : somethingFound],
        // The numbering plan does not contain a number's carrier.
        phone: { carrier: { id: 0, name: "Unknown" }, reasonCodes: codes("phone") },
        email: { reasonCodes: codes("email") },
        deviceIp: { reasonCodes: codes("deviceIp") },
      };
    },
  };
}

async function inTime(
  { history, tools }: { history: RiskHistory; tools: VendorTools },
  question: { phone: Phone; email?: string; deviceIp?: string },
  deadlineMs: number,
): Promise<RiskFacts> {
  const timeout = Promise.withResolvers<never>();
  const cancelTimeout = tools.timer.after(deadlineMs, () => timeout.reject(new VendorFailure("risk rules: timeout")));
  return await Promise.race([history.of(question), timeout.promise]).finally(cancelTimeout);
}

function isMobile(phone: Phone): boolean {
  const number = parsePhoneNumberFromString(phone);
  return number?.isValid() === true && mobileTypes.includes(number.getType() ?? "");
}
