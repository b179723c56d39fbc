import type { Journey, JourneyStep } from "@countersign/contract/dashboard-journeys";
import { journeyWords } from "./words-journey.ts";
import { reportingWords } from "./words-reporting.ts";

const say = journeyWords.reasons;
const refusals: Readonly<Record<string, string>> = reportingWords.funnel.reasons;

/** Why a journey did not succeed, from its steps. Null if it did, is open, or its steps were erased. */
export function reasonOf({ kind, outcome, errorCode, steps }: Journey): string | null {
  const has = (name: JourneyStep["name"]) => steps.some((step) => step.name === name);
  if (errorCode !== null) return refusals[errorCode] ?? null;
  if (outcome === "declined") return say.declined;
  if (kind === "verification") {
    if (outcome === "failed") return has("denied") ? say.denied : say.codes;
    return outcome === "expired" ? say.noCode : null;
  }
  if (kind === "signup" && outcome === "expired")
    return has("review") ? say.left : has("inputs") ? say.noInputs : has("verified") ? null : say.notProven;
  // Erasing a lookup deletes what its payers answered.
  if (kind !== "health" || has("erased") || (outcome !== "failed" && outcome !== "partial")) return null;
  const payers = steps.filter(({ name }) => name === "payer");
  if (payers.length === 0) return say.noPayer;
  return payers.some(({ tone }) => tone !== "good") ? say.noAnswer : say.noPlan;
}
