/** How far a text has come. Reports about it arrive late, twice and out of order. */
/** `superseded`: a resend replaced it before the gateway had answered, if it was handed over at all. */
export type TextState = "queued" | "superseded" | "sent" | "delivered" | "failed";

const rank: Record<TextState, number> = { queued: 0, superseded: 0, sent: 1, delivered: 2, failed: 2 };

/** The state after a report: a text never goes back, and what ended stays as it ended. */
export function furtherState(current: TextState, reported: TextState): TextState {
  return rank[reported] > rank[current] ? reported : current;
}
