/** How long a 1-Click can be read after its release or decision, and continued after its last OCE011, milliseconds. */
export const oneClickLifeMs = 60 * 60_000;

/** The stored state of a 1-Click. Expiry is not a state; it is computed from `expires_at`. */
export type OneClickState =
  | "awaitingProof"
  | "awaitingInputs"
  | "awaitingDecision"
  | "released"
  | "declined"
  | "refused";

/** The allowed state changes, enforced by `signup/store.ts`. `docs/journeys.md` has the diagram. */
export const oneClickEdges: Record<OneClickState, readonly OneClickState[]> = {
  awaitingProof: ["awaitingInputs", "awaitingDecision", "released", "refused"],
  awaitingInputs: ["awaitingInputs", "awaitingDecision", "released", "declined", "refused"],
  awaitingDecision: ["released", "declined"],
  released: ["released"],
  declined: [],
  refused: [],
};

const oneClickStates: readonly OneClickState[] = [
  "awaitingProof",
  "awaitingInputs",
  "awaitingDecision",
  "released",
  "declined",
  "refused",
];

/** The states from which this one can be reached. */
export function statesBefore(state: OneClickState): OneClickState[] {
  return oneClickStates.filter((one) => oneClickEdges[one].includes(state));
}

/**
 * The refusals that a read repeats after the phone is proven. OCE011 and OCE012 are stored only in journeys where
 * nobody can be asked for more inputs.
 */
export const repeatedRefusals = ["OCE007", "OCE011", "OCE012", "OCE013", "OCE017", "OCE019"] as const;
export type RepeatedRefusal = (typeof repeatedRefusals)[number];
