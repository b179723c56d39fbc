/**
 * Whether details were shared with the brand, as far as this visit knows. Error screens say only what is certain. The
 * state is unknown until the page's first view, and after a lost response to Share.
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

/** Derives the state from a view. The insurance step comes after sharing. */
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
  // The brand's own page shows what it received.
  returned: "unknown",
  verified: "unknown",
};
