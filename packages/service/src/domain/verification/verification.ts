/** A verification: its columns, its states and its limits. */
import { dayMs } from "@countersign/contract/time";
import type { VerificationStatus } from "@countersign/contract/verification";
import type { StoredRow } from "../../store/statements/rows.ts";
import type { DataKey } from "../../store/vault.ts";
import type { ConsentGiven } from "../audit/consent.ts";
import { codeAttemptsMax, openVerificationStates } from "../one-time-code.ts";
import type { Phone } from "../ports.ts";

/** Maximum number of texts for one verification. */
export const deliveriesMax = 3;
/** How long a verification is kept, in milliseconds. After that, it counts as unknown. */
export const verificationKeptMs = dayMs;

/**
 * The stored states, and the states that may follow each. The updates in `verification-rows.ts` and `one-time-code.ts`
 * follow this table. `docs/how/states.md` has the diagram.
 */
export const verificationEdges: Record<State, readonly State[]> = {
  pending: ["sending", "verified", "failed"],
  sending: ["sending", "delivered", "verified", "failed"],
  delivered: ["sending", "verified", "failed"],
  verified: [],
  failed: [],
};
type State = VerificationRow["status"];
const states: readonly State[] = [...openVerificationStates, "verified", "failed"];

/** The states from which this one can be reached. */
export function verificationStatesBefore(state: State): State[] {
  return states.filter((one) => verificationEdges[one].includes(state));
}

type Hash = "code_hmac" | "link_hash" | "device_token_hash" | "carrier_state_hash";
/**
 * The columns of a verification, except hashes and their expiry. The status `expired`, and `failed` after too many
 * attempts, is computed and never stored. `brand_uuid`: null for the service's own sign-ins. `person_uuid`: null while
 * the holder is unknown.
 */
export type VerificationRow = Omit<StoredRow<"verification">, Hash | "device_token_until" | "carrier_state_until">;

/** The encrypted part of a verification. `consent`: to a sign-in text, until it is recorded with that text. */
export type VerificationSecrets = {
  phone?: Phone;
  deviceIp?: string;
  redirectUrl?: string;
  consent?: ConsentGiven;
  /** It began on our page. Only that page may finish it, and the brand cannot read it before. */
  inWallet?: true;
  /** It is of a sign-in by OpenID, which the brand reads with tokens only. */
  forTokens?: true;
};
export type Verification = { row: VerificationRow; secrets: VerificationSecrets; dataKey: DataKey };

type Counted = Pick<VerificationRow, "attempts_used" | "expires_at">;

/** The status of a verification at a given time. */
export function statusAt(row: Counted & Pick<VerificationRow, "status">, now: number): VerificationStatus {
  if (row.status === "verified" || row.status === "failed") return row.status;
  if (row.attempts_used >= codeAttemptsMax) return "failed";
  return now >= row.expires_at ? "expired" : row.status;
}

/** Whether a verification with this status can still succeed. */
export const isOpen = (status: VerificationStatus) => openVerificationStates.some((open) => open === status);

export function attemptsRemaining(row: Counted): number {
  return Math.max(0, codeAttemptsMax - row.attempts_used);
}

/** The data that OCV errors include. */
export function attemptsData(row: Counted): { attemptsRemaining: number; expiresAt: number } {
  return { attemptsRemaining: attemptsRemaining(row), expiresAt: row.expires_at };
}
