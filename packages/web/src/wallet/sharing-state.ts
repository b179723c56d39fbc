/**
 * Whether the person's details were shared with the brand, as far as this visit knows. An error screen says only what
 * is certain. The state is unknown until the first view of the page arrives, and after the answer to Share was lost.
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

/** Derives the state from a view. The insurance step follows after the details were shared. */
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
