import type { Deps } from "../deps.ts";
import type { Phone, SmsOutcome } from "../ports.ts";
import { statusAt } from "./states.ts";
import { isStopped, noteStopped } from "./stop.ts";
import { findVerificationRow } from "./store.ts";

/** How long the gateway may take, milliseconds. */
const sendDeadlineMs = 10_000;

/** Job: hands one text to the sender. Runs at least once; the text's id lets the gateway recognise a repetition. */
export async function sendText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const row = await deps.db
    .selectFrom("message")
    .innerJoin("data_key", "data_key.uuid", "message.data_key_uuid")
    .selectAll("message")
    .select("data_key.wrapped")
    .where("message.uuid", "=", messageUuid)
    .where("message.status", "=", "queued")
    .executeTakeFirst();
  if (row === undefined || row.sealed === null || row.wrapped === null) return;
  const verification =
    row.verification_uuid === null ? undefined : await findVerificationRow(deps.db, row.verification_uuid);
  const status = verification === undefined ? "expired" : statusAt(verification, deps.clock.now());
  // A code that can no longer be used would only puzzle the person.
  if (status !== "sending" && status !== "delivered") return await settle(deps, messageUuid, "failed", null);

  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const text = deps.vault.open<{ to: Phone; body: string }>(
    dataKey,
    { table: "message", row: messageUuid },
    row.sealed,
  );
  // The wish may have come since the text was queued.
  const stopped = await isStopped(deps, deps.db, text.to);
  const outcome: SmsOutcome = stopped
    ? { kind: "rejected", reason: "stopped" }
    : await deps.sms.send({ id: messageUuid, ...text, deadlineMs: sendDeadlineMs });
  if (outcome.kind === "rejected" && outcome.optedOut === true) await noteStopped(deps, text.to);
  await settle(deps, messageUuid, outcome.kind === "rejected" ? "failed" : "sent", row.verification_uuid, outcome);
}

/** When every attempt to send has failed. */
export async function giveUpText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const row = await deps.db
    .selectFrom("message")
    .select("verification_uuid")
    .where("uuid", "=", messageUuid)
    .executeTakeFirst();
  await settle(deps, messageUuid, "failed", row?.verification_uuid ?? null, { kind: "rejected", reason: "no answer" });
}

async function settle(
  deps: Deps,
  messageUuid: string,
  status: "sent" | "failed",
  verificationUuid: string | null,
  outcome?: SmsOutcome,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    // In the order in which a resend takes its locks.
    if (verificationUuid !== null)
      await trx.selectFrom("verification").select("uuid").where("uuid", "=", verificationUuid).forUpdate().execute();
    const settled = await trx
      .updateTable("message")
      .set({
        status,
        sent_at: status === "sent" ? now : null,
        ...(deps.sms.keepsTexts && status === "sent" ? {} : { sealed: null }),
      })
      .where("uuid", "=", messageUuid)
      .where("status", "=", "queued")
      .executeTakeFirst();
    // A resend has overtaken this text: what became of it says nothing about the newer one.
    if (settled.numUpdatedRows === 0n) return;
    if (verificationUuid === null || outcome === undefined || outcome.kind === "accepted") return;
    await trx
      .updateTable("verification")
      .set(outcome.kind === "delivered" ? { status: "delivered", delivered_at: now } : { status: "failed" })
      .where("uuid", "=", verificationUuid)
      .where("status", "=", "sending")
      .execute();
  });
}
