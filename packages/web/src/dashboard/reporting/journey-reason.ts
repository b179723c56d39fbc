import type { JourneyLine } from "@countersign/contract/dashboard-journeys";
import { journeyWords } from "./words-journey.ts";
import { reportingWords } from "./words-reporting.ts";

const refusals: Readonly<Record<string, string>> = reportingWords.funnel.reasons;

/** Why a journey did not succeed, in words. Null if it did, is open, or no reason is known. */
export function reasonOf({ errorCode, reason }: Pick<JourneyLine, "errorCode" | "reason">): string | null {
  if (errorCode !== null) return refusals[errorCode] ?? null;
  return reason === null ? null : journeyWords.reasons[reason];
}
