import type { VerificationStatus } from "@countersign/contract/verification";
import { codeAttemptsMax } from "../one-time-code.ts";

/** Texts that may be sent for one verification. */
export const deliveriesMax = 3;
/** How long a verification is kept; after that it is as unknown as if it had never been. */
export const verificationKeptMs = 24 * 60 * 60_000;

/** The stored states and what may follow each: every update names those it may come from, and `docs/journeys.md` draws them. */
export const verificationEdges = {
  pending: ["sending", "verified", "failed"],
  sending: ["sending", "delivered", "verified", "failed"],
  delivered: ["sending", "verified", "failed"],
  verified: [],
  failed: [],
} as const satisfies Record<VerificationRow["status"], readonly VerificationRow["status"][]>;

/** What the row says. `expired`, and `failed` for want of attempts, are not stored but follow from it. */
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

/** Where a verification stands at an instant. */
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

/** What the OCV errors carry. */
export function attemptsData(row: VerificationRow): { attemptsRemaining: number; expiresAt: number } {
  return { attemptsRemaining: attemptsRemaining(row), expiresAt: row.expires_at };
}
