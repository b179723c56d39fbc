/** How long a lookup can be read after its final state, in milliseconds. */
export const healthLifeMs = 60 * 60_000;

/** `offered`: the result waits for the person who started the lookup to decide what the brand gets. */
export type HealthState = "pending" | "processing" | "offered" | "succeeded" | "partial" | "failed";

/** The allowed transitions. Final states have none. */
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

/** Whether a worker still has work to do. */
export function isAtWork(state: HealthState): boolean {
  return state === "pending" || state === "processing";
}

/** `succeeded`: plans without errors; `partial`: plans with errors; `failed`: no plan. */
export function finalState(counts: { results: number; errors: number }): HealthState {
  if (counts.results === 0) return "failed";
  return counts.errors === 0 ? "succeeded" : "partial";
}
