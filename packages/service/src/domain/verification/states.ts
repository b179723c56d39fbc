import type { VerificationStatus } from "@countersign/contract/verification";
import { codeAttemptsMax } from "../one-time-code.ts";

/** Maximum number of texts for one verification. */
export const deliveriesMax = 3;
/** How long a verification is kept, milliseconds. After that, it is unknown. */
export const verificationKeptMs = 24 * 60 * 60_000;

/**
 * The stored states, and the states that may follow each. Every update names the states that it accepts;
 * `docs/journeys.md` has the diagram.
 */
export const verificationEdges = {
  pending: ["sending", "verified", "failed"],
  sending: ["sending", "delivered", "verified", "failed"],
  delivered: ["sending", "verified", "failed"],
  verified: [],
  failed: [],
} as const satisfies Record<VerificationRow["status"], readonly VerificationRow["status"][]>;

/** The columns of a verification. `expired`, and `failed` after too many attempts, are not stored but computed. */
export type VerificationRow = {
  uuid: string;
  channel: "autofill" | "silent" | "sms" | "textToSignup";
  format: "code" | "link" | "codeAndLink" | "linkAndCode" | null;
  status: "pending" | "sending" | "delivered" | "verified" | "failed";
  attempts_used: number;
  deliveries: number;
  created_at: number;
  expires_at: number;
  delivered_at: number | null;
  verified_at: number | null;
};

/** The status of a verification at a given time. */
export function statusAt(
  row: Pick<VerificationRow, "status" | "attempts_used" | "expires_at">,
  now: number,
): VerificationStatus {
  if (row.status === "verified" || row.status === "failed") return row.status;
  if (row.attempts_used >= codeAttemptsMax) return "failed";
  return now >= row.expires_at ? "expired" : row.status;
}

export function attemptsRemaining(row: VerificationRow): number {
  return Math.max(0, codeAttemptsMax - row.attempts_used);
}

/** The data that OCV errors include. */
export function attemptsData(row: VerificationRow): { attemptsRemaining: number; expiresAt: number } {
  return { attemptsRemaining: attemptsRemaining(row), expiresAt: row.expires_at };
}
