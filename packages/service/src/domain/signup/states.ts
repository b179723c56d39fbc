/** How long a 1-Click can be read after it was answered or decided, and continued after its last OCE011. */
export const oneClickLifeMs = 60 * 60_000;

/**
 * Where a 1-Click stands. Whether its time is over is computed from `expires_at`.
 */
export type OneClickState =
  | "awaitingProof"
  | "awaitingInputs"
  | "awaitingDecision"
  | "released"
  | "declined"
  | "refused";

/** What may follow what; a change that is not here does not happen (`signup/store.ts`), and `docs/journeys.md` draws it. */
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

/** The refusals that a read repeats once the phone was proven. OCE011 and OCE012 end a journey in which nobody is there to be asked. */
export const repeatedRefusals = ["OCE007", "OCE011", "OCE012", "OCE013", "OCE017", "OCE019"] as const;
export type RepeatedRefusal = (typeof repeatedRefusals)[number];
