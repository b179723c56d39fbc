/** The state of a text. Reports about it may arrive late, twice and out of order. */
/**
 * `superseded`: a resend replaced the text before the gateway answered. The text may not have reached the gateway at
 * all.
 */
export type TextState = "queued" | "superseded" | "sent" | "delivered" | "failed";

const rank: Record<TextState, number> = { queued: 0, superseded: 0, sent: 1, delivered: 2, failed: 2 };

/** The state after a report. A text never moves back, and a final state never changes. */
export function furtherState(current: TextState, reported: TextState): TextState {
  return rank[reported] > rank[current] ? reported : current;
}
