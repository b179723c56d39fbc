import { gathered } from "../../store/gather.ts";
import type { Deps } from "../deps.ts";
import type { Phone, SmsOutcome } from "../ports.ts";
import { statusAt, type VerificationRow } from "./states.ts";
import { isStopped, noteStopped } from "./stop.ts";
import { findVerificationRows } from "./store.ts";

/** How long the gateway may take, milliseconds. */
const sendDeadlineMs = 10_000;

/** Job: hands one text to the sender. Runs at least once; the text's id lets the gateway recognise a repetition. */
export async function sendText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const queued = await readQueued(deps, messageUuid);
  if (queued === null || queued.sealed === null || queued.wrapped === null) return;
  const { verification } = queued;
  const status = verification === null ? "expired" : statusAt(verification, deps.clock.now());
  const about = { messageUuid, verificationUuid: verification?.uuid ?? null };
  // A code that can no longer be used would only puzzle the person.
  if (status !== "sending" && status !== "delivered")
    return await settle(deps, { ...about, status: "failed", outcome: null });

  const dataKey = deps.vault.openDataKey(queued.data_key_uuid, queued.wrapped);
  const place = { table: "message", row: messageUuid };
  const text = deps.vault.open<{ to: Phone; body: string }>(dataKey, place, queued.sealed);
  // The wish may have come since the text was queued.
  const stopped = await isStopped(deps, deps.db, text.to);
  const outcome: SmsOutcome = stopped
    ? { kind: "rejected", reason: "stopped" }
    : await deps.sms.send({ id: messageUuid, ...text, deadlineMs: sendDeadlineMs });
  if (outcome.kind === "rejected" && outcome.optedOut === true) await noteStopped(deps, text.to);
  await settle(deps, { ...about, status: outcome.kind === "rejected" ? "failed" : "sent", outcome });
}

type Queued = {
  uuid: string;
  data_key_uuid: string;
  sealed: Buffer | null;
  wrapped: Buffer | null;
  verification: VerificationRow | null;
};

/** Texts that wait for the sender, with what each belongs to; null for one that does not wait any more. */
const readQueued = gathered(async (deps: Deps, uuids: readonly string[]): Promise<(Queued | null)[]> => {
  const rows = await deps.db
    .selectFrom("message")
    .innerJoin("data_key", "data_key.uuid", "message.data_key_uuid")
    .select(["message.uuid", "data_key_uuid", "sealed", "verification_uuid", "data_key.wrapped"])
    .where("message.uuid", "in", uuids)
    .where("message.status", "=", "queued")
    .execute();
  const verifications = await findVerificationRows(
    deps.db,
    rows.flatMap(({ verification_uuid }) => (verification_uuid === null ? [] : [verification_uuid])),
  );
  return uuids.map((uuid) => {
    const row = rows.find((one) => one.uuid === uuid);
    return row === undefined ? null : { ...row, verification: verifications.get(row.verification_uuid ?? "") ?? null };
  });
});

/** When every attempt to send has failed. */
export async function giveUpText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const row = await deps.db
    .selectFrom("message")
    .select("verification_uuid")
    .where("uuid", "=", messageUuid)
    .executeTakeFirst();
  const verificationUuid = row?.verification_uuid ?? null;
  await settle(deps, {
    messageUuid,
    verificationUuid,
    status: "failed",
    outcome: { kind: "rejected", reason: "no answer" },
  });
}

type Settled = {
  messageUuid: string;
  verificationUuid: string | null;
  status: "sent" | "failed";
  /** Null: nothing was tried. */
  outcome: SmsOutcome | null;
};

/** Notes what became of texts, and of the verifications they belong to. */
const settle = gathered(async (deps: Deps, all: readonly Settled[]): Promise<undefined[]> => {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const verifications = all.flatMap(({ verificationUuid }) => (verificationUuid === null ? [] : [verificationUuid]));
    // In the order in which a resend takes its locks, and everybody in the same.
    if (verifications.length > 0)
      await trx
        .selectFrom("verification")
        .select("uuid")
        .where("uuid", "in", verifications)
        .orderBy("uuid")
        .forUpdate()
        .execute();
    const saved = new Set<string>();
    for (const status of ["sent", "failed"] as const) {
      const uuids = all.filter((one) => one.status === status).map(({ messageUuid }) => messageUuid);
      if (uuids.length === 0) continue;
      const rows = await trx
        .updateTable("message")
        .set({
          status,
          sent_at: status === "sent" ? now : null,
          ...(deps.sms.keepsTexts && status === "sent" ? {} : { sealed: null }),
        })
        .where("uuid", "in", uuids)
        .where("status", "=", "queued")
        .returning("uuid")
        .execute();
      for (const { uuid } of rows) saved.add(uuid);
    }
    // Where a resend has overtaken a text, what became of that says nothing about the newer one.
    const told = all.filter(({ messageUuid }) => saved.has(messageUuid));
    for (const kind of ["delivered", "rejected"] as const) {
      const uuids = told.flatMap(({ verificationUuid, outcome }) =>
        verificationUuid !== null && outcome?.kind === kind ? [verificationUuid] : [],
      );
      if (uuids.length === 0) continue;
      await trx
        .updateTable("verification")
        .set(kind === "delivered" ? { status: "delivered", delivered_at: now } : { status: "failed" })
        .where("uuid", "in", uuids)
        .where("status", "=", "sending")
        .execute();
    }
  });
  return all.map(() => undefined);
});
