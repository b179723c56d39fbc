/** How long a lookup can be read after its final state. */
export const healthLifeMs = 60 * 60_000;

export type HealthState = "pending" | "processing" | "succeeded" | "partial" | "failed";

/** What may follow what; the final states stay. */
export const healthEdges: Record<HealthState, readonly HealthState[]> = {
  pending: ["processing", "failed"],
  processing: ["succeeded", "partial", "failed"],
  succeeded: [],
  partial: [],
  failed: [],
};

export function isFinal(state: HealthState): boolean {
  return healthEdges[state].length === 0;
}

/** Plans and no trouble; plans and trouble; no plan. */
export function finalState(counts: { results: number; errors: number }): HealthState {
  if (counts.results === 0) return "failed";
  return counts.errors === 0 ? "succeeded" : "partial";
}
