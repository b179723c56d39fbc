import type { Deps } from "../../deps.ts";
import type { TextReport } from "../../ports.ts";
import { lockVerifications, saveTextResults } from "../verification-rows.ts";
import { findText, hasNewerText, lockTexts, saveTexts, type TextState } from "./message-rows.ts";
import { countTextResults } from "./text-result-rows.ts";

/**
 * Applies a gateway's report about a text. Reports may arrive late, twice and out of order: a text only moves forward,
 * and a superseded text does not change the verification. Returns whether anything changed.
 */
export async function takeTextReport(
  deps: Deps,
  { textId, ...report }: Extract<TextReport, { kind: "report" }>,
): Promise<boolean> {
  const found = await findText(deps, textId);
  if (found === null) return false;
  const now = deps.clock.now();
  const result = await deps.db.inTransaction(async (trx): Promise<TextState | null> => {
    // A sign-in's state must not reveal whether a text arrived, so its verification does not change.
    const verificationUuid = found.brand_uuid === null ? null : found.verification_uuid;
    const [, [text]] = await Promise.all([
      lockVerifications(trx, verificationUuid === null ? [] : [verificationUuid]),
      lockTexts(trx, [textId]),
    ]);
    if (text === undefined) return null;
    const status = laterState(text.status, report.state);
    if (status === text.status) return null;
    const wasSent = status !== "failed";
    const sent_at = wasSent ? (text.sent_at ?? now) : text.sent_at;
    await saveTexts(trx, [{ uuid: textId, status, sent_at, is_kept: wasSent && deps.vendors.sms.keepsTexts }]);
    if (verificationUuid === null || (status !== "delivered" && status !== "failed")) return status;
    if (await hasNewerText(trx, { verificationUuid, number: found.number })) return status;
    await saveTextResults(trx, [{ uuid: verificationUuid, status, delivered_at: wasSent ? now : null }]);
    return status;
  });
  const { carrier, reason } = report;
  if (result === "delivered" || result === "failed") countTextResults(deps, [{ outcome: result, carrier, reason }]);
  return result !== null;
}

const rank: Record<TextState, number> = { queued: 0, superseded: 0, sent: 1, delivered: 2, failed: 2 };

/** The state after a report. A text never moves back, and a final state never changes. */
export function laterState(current: TextState, reported: TextState): TextState {
  return rank[reported] > rank[current] ? reported : current;
}
