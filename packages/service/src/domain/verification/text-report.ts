import type { Deps } from "../deps.ts";
import type { TextReport } from "../ports.ts";
import { furtherState } from "./text-state.ts";

/**
 * Applies a gateway's report about a text of this environment. Reports may arrive late, twice and out of order: a text
 * only moves forward, and a text that a newer one replaced does not change the verification. Returns whether anything
 * changed.
 */
export async function takeTextReport(deps: Deps, report: Extract<TextReport, { kind: "report" }>): Promise<boolean> {
  const named = await deps.db
    .selectFrom("message")
    .select(["brand_uuid", "verification_uuid", "number"])
    .where("uuid", "=", report.textId)
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  if (named === undefined) return false;
  const now = deps.clock.now();
  return await deps.db.inTransaction(async (trx) => {
    // A sign-in's state must not tell a stranger whether a text arrived, so its verification stays as it is.
    const uuid = named.brand_uuid === null ? null : named.verification_uuid;
    // Lock in the same order as a resend.
    if (uuid !== null)
      await trx.selectFrom("verification").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
    const text = await trx
      .selectFrom("message")
      .select(["status", "sent_at"])
      .where("uuid", "=", report.textId)
      .forUpdate()
      .executeTakeFirst();
    if (text === undefined) return false;
    const state = furtherState(text.status, report.state);
    if (state === text.status) return false;
    await trx
      .updateTable("message")
      .set({
        status: state,
        sent_at: state === "failed" ? text.sent_at : (text.sent_at ?? now),
        ...(deps.sms.keepsTexts && state !== "failed" ? {} : { sealed: null }),
      })
      .where("uuid", "=", report.textId)
      .execute();
    if (uuid === null || state === "sent") return true;
    const newer = await trx
      .selectFrom("message")
      .select("uuid")
      .where("verification_uuid", "=", uuid)
      .where("number", ">", named.number)
      .limit(1)
      .executeTakeFirst();
    if (newer !== undefined) return true;
    await trx
      .updateTable("verification")
      .set(state === "delivered" ? { status: "delivered", delivered_at: now } : { status: "failed" })
      .where("uuid", "=", uuid)
      .where("status", "=", "sending")
      .execute();
    return true;
  });
}
