/**
 * What this visit knows of whether the person's details went to the brand, so that a failure says only what is so.
 * A page that is opened late knows nothing of it, and so does one that lost the answer to Share.
 */
import type { PageView } from "@countersign/contract/wallet";

export type SharedSoFar = "nothing" | "something" | "unknown";
let known: SharedSoFar = "unknown";

export function sharedSoFar(): SharedSoFar {
  return known;
}

export function noteShared(next: SharedSoFar): void {
  known = next;
}

/** What a view shows of it: the insurance is asked for once the details were shared. */
export function noteView({ step, outcome }: PageView): void {
  if (step === "inputs" || step === "review") known = "nothing";
  if (step === "health") known = "something";
  if (step === "done") known = outcome === undefined ? "unknown" : ofOutcome[outcome];
}

const ofOutcome: Readonly<Record<NonNullable<PageView["outcome"]>, SharedSoFar>> = {
  shared: "something",
  insured: "something",
  uninsured: "something",
  declined: "nothing",
  // The brand itself shows what it gets.
  returned: "unknown",
  verified: "unknown",
};
