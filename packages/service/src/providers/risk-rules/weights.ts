import type { RiskFacts } from "../../domain/ports.ts";

/** The input of the rules: the history, the current time, and whether the number can be a mobile. */
type Seen = { facts: RiskFacts; now: number; isMobile: boolean };
/** A finding and its points. `code` is our own: its fourth digit from the right is 9, unlike any published code. */
export type Weight = { of: "phone" | "email" | "deviceIp"; code: string; points(seen: Seen): number };

const day = 24 * 60 * 60 * 1000;

/** The points of the highest step that a count reaches. */
const step = (count: number, ...steps: [from: number, points: number][]) =>
  steps.reduce((points, [from, more]) => (count >= from ? more : points), 0);
const isWithin = (at: number | null, days: number, now: number) => at !== null && now - at < days * day;

/**
 * The points of each finding. The score is their sum, at most 1000, and a score above 600 is refused. Only ten wrong
 * challenge inputs exceed 600 alone, because honest people can cause every other finding.
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
  {
    of: "phone",
    code: "OCR29007",
    points: ({ facts, now }) =>
      facts.phone.firstSeenAt === null || isWithin(facts.phone.firstSeenAt, 1, now) ? 50 : 0,
  },
  { of: "email", code: "OCR69001", points: ({ facts }) => step(facts.email?.phones ?? 0, [3, 150], [10, 400]) },
  { of: "deviceIp", code: "OCR59001", points: ({ facts }) => step(facts.deviceIp?.phones ?? 0, [5, 150], [20, 400]) },
];
