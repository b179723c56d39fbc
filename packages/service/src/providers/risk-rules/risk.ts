import { dayMs } from "@countersign/contract/time";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Phone, RiskFacts, RiskHistory, RiskQuestion, RiskScorer } from "../../domain/ports.ts";
import { VendorFailure, type VendorTools } from "../vendor.ts";

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
  question: RiskQuestion,
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

/** The input of the rules: the history, the current time, and whether the number can be a mobile. */
type Seen = { facts: RiskFacts; now: number; isMobile: boolean };
/** A finding and its points. `code` is our own: its fourth digit from the right is 9, unlike any published code. */
export type Weight = { of: "phone" | "email" | "deviceIp"; code: string; points(seen: Seen): number };

/** The points of the highest step that a count reaches. */
const step = (count: number, ...steps: [from: number, points: number][]) =>
  steps.reduce((points, [from, more]) => (count >= from ? more : points), 0);
const isWithin = (at: number | null, days: number, now: number) => at !== null && now - at < days * dayMs;

/**
 * The points of each finding. The score is their sum, at most 1000, and a score above 600 is refused. Only ten wrong
 * challenge inputs exceed 600 alone, because honest people can cause every other finding. One other
 * brand alone adds the points of one mismatch at most, because the history counts few rows of each brand. A known phone
 * without a finding scores like an unknown one.
 */
export const weights: readonly Weight[] = [
  { of: "phone", code: "OCR29001", points: ({ isMobile }) => (isMobile ? 0 : 500) },
  {
    of: "phone",
    code: "OCR29002",
    points: ({ facts }) => step(facts.phone.verifications, [6, 100], [11, 250], [31, 450]),
  },
  { of: "phone", code: "OCR29003", points: ({ facts }) => step(facts.phone.failedVerifications, [3, 150], [10, 350]) },
  { of: "phone", code: "OCR29004", points: ({ facts }) => step(facts.phone.brands, [5, 150], [15, 350]) },
  { of: "phone", code: "OCR29005", points: ({ facts }) => step(facts.phone.mismatches, [1, 100], [3, 300], [10, 650]) },
  {
    of: "phone",
    code: "OCR29006",
    points: ({ facts, now }) =>
      isWithin(facts.phone.changedHandsAt, 7, now) ? 400 : isWithin(facts.phone.changedHandsAt, 90, now) ? 200 : 0,
  },
  { of: "email", code: "OCR69001", points: ({ facts }) => step(facts.email?.phones ?? 0, [3, 150], [10, 400]) },
  { of: "deviceIp", code: "OCR59001", points: ({ facts }) => step(facts.deviceIp?.phones ?? 0, [5, 150], [20, 400]) },
];
