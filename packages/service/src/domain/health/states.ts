/** How long a lookup can be read after its final state. */
export const healthLifeMs = 60 * 60_000;

/** `offered`: found for a person who began it themselves, and who has not said yet what the brand gets of it. */
export type HealthState = "pending" | "processing" | "offered" | "succeeded" | "partial" | "failed";

/** What may follow what; the final states stay. */
export const healthEdges: Record<HealthState, readonly HealthState[]> = {
  pending: ["processing", "offered", "failed"],
  processing: ["offered", "succeeded", "partial", "failed"],
  offered: ["succeeded", "partial", "failed"],
  succeeded: [],
  partial: [],
  failed: [],
};

export function isFinal(state: HealthState): boolean {
  return healthEdges[state].length === 0;
}

/** Whether there is still something to do for a worker. */
export function isAtWork(state: HealthState): boolean {
  return state === "pending" || state === "processing";
}

/** Plans and no trouble; plans and trouble; no plan. */
export function finalState(counts: { results: number; errors: number }): HealthState {
  if (counts.results === 0) return "failed";
  return counts.errors === 0 ? "succeeded" : "partial";
}
