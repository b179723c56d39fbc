/** How long a 1-Click can be read after it was answered or decided, and continued after its last OCE011. */
export const oneClickLifeMs = 60 * 60_000;

/**
 * Where a 1-Click stands. Whether its time is over is computed from `expires_at`.
 *
 * awaitingProof → awaitingInputs → awaitingDecision → released | declined; any of them → refused
 */
export type OneClickState =
  | "awaitingProof"
  | "awaitingInputs"
  | "awaitingDecision"
  | "released"
  | "declined"
  | "refused";

/** The refusals that a read repeats once the phone was proven. */
export const repeatedRefusals = ["OCE013", "OCE017", "OCE018", "OCE019"] as const;
export type RepeatedRefusal = (typeof repeatedRefusals)[number];
