import { sql } from "kysely";
import { batched } from "../../store/batch.ts";
import { type ColumnPlaceholders, type ColumnTypes, columnsOf, recordsOf } from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { Deps } from "../deps.ts";
import type { Phone, SmsOutcome } from "../ports.ts";
import { heldVerifications } from "../verification-rows.ts";
import { statusAt } from "./states.ts";
import { noteStopped } from "./stop.ts";

/** Deadline of a call to the gateway, milliseconds. */
const sendDeadlineMs = 10_000;

/**
 * Job: sends one text through the gateway. It may run more than once; the gateway recognizes a repeated text by its id.
 */
export async function sendText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const queued = await readQueued(deps, messageUuid);
  if (queued === null || queued.sealed === null || queued.wrapped === null) return;
  const { verification } = queued;
  const status = verification === null ? "expired" : statusAt(verification, deps.clock.now());
  const about = { messageUuid, verificationUuid: settledVerification(queued) };
  // Do not send a code that no longer works; it would only confuse the person.
  if (status !== "sending" && status !== "delivered")
    return await settle(deps, { ...about, status: "failed", outcome: null });

  const dataKey = deps.vault.openDataKey(queued.data_key_uuid, queued.wrapped);
  const place = { table: "message", row: messageUuid };
  const text = deps.vault.open<{ to: Phone; body: string }>(dataKey, place, queued.sealed);
  // The phone may have opted out since the text was queued.
  const outcome: SmsOutcome = queued.stopped
    ? { kind: "rejected", reason: "stopped" }
    : await deps.sms.send({ id: messageUuid, ...text, deadlineMs: sendDeadlineMs });
  if (outcome.kind === "rejected" && outcome.optedOut === true) await noteStopped(deps, text.to);
  await settle(deps, { ...about, status: outcome.kind === "rejected" ? "failed" : "sent", outcome });
}

/**
 * The verification that a text's result changes. A sign-in's stays as it is: its state must not tell a stranger whether a
 * text was sent. It is not locked either, because the job that texts a sign-in locks messages first.
 */
const settledVerification = (text: Pick<Queued, "brand_uuid" | "verification_uuid">): string | null =>
  text.brand_uuid === null ? null : text.verification_uuid;

type Queued = {
  /** Null: a text to sign in. */
  brand_uuid: string | null;
  verification_uuid: string | null;
  data_key_uuid: string;
  sealed: Buffer | null;
  wrapped: Buffer | null;
  /** Whether the phone has opted out of texts. */
  stopped: boolean | null;
  verification: Parameters<typeof statusAt>[0] | null;
};

/** Reads queued texts with their verifications. Null for a text that is no longer queued. */
const readQueued = batched(async (deps: Deps, uuids: readonly string[]): Promise<(Queued | null)[]> => {
  const { rows } = await queuedStatement(deps.db, { uuids });
  return uuids.map((uuid) => {
    const row = rows.find((one) => one.uuid === uuid);
    if (row === undefined) return null;
    const { status, attempts_used, expires_at, ...message } = row;
    const isGone = status === null || attempts_used === null || expires_at === null;
    return { ...message, verification: isGone ? null : { status, attempts_used, expires_at } };
  });
});

const queuedStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("message")
    .innerJoin("data_key", "data_key.uuid", "message.data_key_uuid")
    .leftJoin("verification", "verification.uuid", "message.verification_uuid")
    .leftJoin("text_stop", (join) =>
      join
        .onRef("text_stop.environment", "=", "message.environment")
        .onRef("text_stop.phone_index", "=", "message.to_index"),
    )
    .select(["message.uuid", "message.brand_uuid", "message.data_key_uuid", "message.sealed", "data_key.wrapped"])
    .select("text_stop.stopped")
    .select(["verification.uuid as verification_uuid", "verification.status", "attempts_used", "expires_at"])
    .where(({ eb, fn }) => eb("message.uuid", "=", fn.any(uuids)))
    .where("message.status", "=", "queued"),
);

/** Marks a text as failed after every attempt to send it has failed. */
export async function giveUpText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const row = await deps.db
    .selectFrom("message")
    .select(["brand_uuid", "verification_uuid"])
    .where("uuid", "=", messageUuid)
    .executeTakeFirst();
  const verificationUuid = row === undefined ? null : settledVerification(row);
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
  /** Null: no attempt was made. */
  outcome: SmsOutcome | null;
};

/** Records the results of texts and updates their verifications, in one statement. */
const settle = batched(
  async (deps: Deps, all: readonly Settled[]): Promise<undefined[]> => {
    await settleStatement(
      deps.db,
      columnsOf(
        "text",
        settledTypes,
        all.map((one) => settledRow(deps, one)),
      ),
    );
    return all.map(() => undefined);
  },
  ({ messageUuid }) => messageUuid,
);

type SettledRow = ReturnType<typeof settledRow>;

function settledRow(deps: Deps, { messageUuid, verificationUuid, status, outcome }: Settled) {
  const [wasSent, now] = [status === "sent", deps.clock.now()];
  const reached = outcome?.kind === "delivered";
  return {
    uuid: messageUuid,
    verification_uuid: verificationUuid,
    status,
    sent_at: wasSent ? now : null,
    is_kept: wasSent && deps.sms.keepsTexts,
    was_tried: outcome !== null,
    // Null: the result does not change the verification.
    verification_status: reached ? "delivered" : outcome?.kind === "rejected" ? "failed" : null,
    delivered_at: reached ? now : null,
  };
}

const settledTypes: ColumnTypes<SettledRow> = {
  uuid: "uuid",
  verification_uuid: "uuid",
  status: "text",
  sent_at: "bigint",
  is_kept: "boolean",
  was_tried: "boolean",
  verification_status: "text",
  delivered_at: "bigint",
};

/**
 * Locks verifications before messages, the same order as a resend. A text that a resend superseded during the gateway
 * call keeps the gateway's result. That result does not change the verification, which depends on the newer text.
 */
const settleStatement = statement((db, columns: ColumnPlaceholders) => {
  const texts = sql<SettledRow>`(${recordsOf("text", settledTypes, columns)})`.as("text");
  return heldVerifications(db, columns["text.verification_uuid"])
    .with("before", (cte) =>
      cte
        .selectFrom("message")
        .select(["uuid", "status"])
        .where(sql<boolean>`uuid = any(${columns["text.uuid"]}::uuid[]) and (select count(uuid) from held) >= 0`)
        // The lock waits for a resend in progress, then reads the status that the resend left.
        .forNoKeyUpdate(),
    )
    .with("saved", (cte) =>
      cte
        .updateTable("message")
        .from(texts)
        .from("before")
        .set((eb) => ({
          status: eb.ref("text.status"),
          sent_at: eb.ref("text.sent_at"),
          sealed: sql<Buffer | null>`case when "text".is_kept then message.sealed end`,
        }))
        .whereRef("message.uuid", "=", "text.uuid")
        .whereRef("message.uuid", "=", "before.uuid")
        .where(sql<boolean>`("before".status = 'queued' or "before".status = 'superseded' and "text".was_tried)`)
        .returning(["message.uuid", "before.status"]),
    )
    .updateTable("verification")
    .from(texts)
    .set((eb) => ({
      status: sql<"delivered" | "failed">`"text".verification_status`,
      delivered_at: eb.fn.coalesce("text.delivered_at", "verification.delivered_at"),
    }))
    .whereRef("verification.uuid", "=", "text.verification_uuid")
    .where("verification.status", "=", "sending")
    .where("text.verification_status", "is not", null)
    .where("text.uuid", "in", (eb) => eb.selectFrom("saved").select("saved.uuid").where("saved.status", "=", "queued"));
});
