import { type ClaimedJob, endJobs } from "../../../store/queue.ts";
import { batched } from "../../../store/statements/batch.ts";
import { may } from "../../brand/permission.ts";
import { findPermissions } from "../../brand/permission-rows.ts";
import type { Deps } from "../../deps.ts";
import type { SmsOutcome } from "../../ports.ts";
import { statusAt } from "../verification.ts";
import { lockVerifications, saveTextResults, type TextResult } from "../verification-rows.ts";
import { findText, lockTexts, openText, readQueuedTexts, saveTexts } from "./message-rows.ts";
import { noteStopped } from "./stop.ts";
import { countTextResults, type TextOutcome } from "./text-result-rows.ts";
import { hasOptOutTogether, stopScope } from "./text-stop-rows.ts";

/** Deadline of a call to the gateway, milliseconds. */
const sendDeadlineMs = 10_000;

/**
 * Job: sends one text through the gateway. It may run more than once. The job's row counts the runs, so every process
 * knows whether an earlier run may have sent the text.
 */
export async function sendText(
  deps: Deps,
  { messageUuid }: { messageUuid: string },
  job: ClaimedJob,
): Promise<"ended" | undefined> {
  const queued = await readTogether(deps, messageUuid);
  if (queued === undefined || queued.sealed === null || queued.wrapped === null) return;
  const { status, attempts_used, expires_at } = queued;
  const isGone = status === null || attempts_used === null || expires_at === null;
  const now = isGone ? "expired" : statusAt({ status, attempts_used, expires_at }, deps.clock.now());
  const about = { job, messageUuid, verificationUuid: changedVerification(queued) };
  // Do not send a code that no longer works; it would only confuse the person.
  if (now !== "sending" && now !== "delivered")
    return await saveTogether(deps, { ...about, status: "failed", outcome: null });

  const text = openText(deps, queued);
  if (text === null) return;
  const askedAt = deps.clock.now();
  // Since the text was queued, the phone may have opted out, or the operator may have stopped the brand.
  const { customerUuid } = queued;
  const stopped =
    customerUuid !== null && deps.phones.sharesNumbers
      ? await hasOptOutTogether(deps, stopScope(deps, text.to, customerUuid))
      : queued.stopped;
  const outcome: SmsOutcome =
    stopped || !queued.mayBeSent
      ? { kind: "rejected", reason: "stopped" }
      : await deps.vendors.sms.send({
          id: messageUuid,
          ...text,
          mayBeSent: job.attempts > 1,
          deadlineMs: sendDeadlineMs,
        });
  if (outcome.kind === "rejected" && outcome.optedOut === true) await noteStopped(deps, text.to, askedAt);
  return await saveTogether(deps, { ...about, status: outcome.kind === "rejected" ? "failed" : "sent", outcome });
}

/**
 * The verification that a text's result changes. Null for sign-ins, whose state must not reveal whether a text was
 * sent. Locking them could also deadlock, because the job that texts sign-ins locks messages first.
 */
const changedVerification = (text: { brand_uuid: string | null; verification_uuid: string | null }): string | null =>
  text.brand_uuid === null ? null : text.verification_uuid;

/** Reads queued texts, and whether their brands may act. Undefined for a text that is no longer queued. */
const readTogether = batched(async (deps: Deps, uuids: readonly string[]) => {
  const rows = await readQueuedTexts(deps.db, uuids);
  const named = new Set(rows.flatMap(({ brand_uuid }) => brand_uuid ?? []));
  const brands = await findPermissions(deps.home, deps.environment, [...named]);
  return uuids.map((uuid) => {
    const row = rows.find((one) => one.uuid === uuid);
    const brand = brands.get(row?.brand_uuid ?? "");
    // Texts of the person's own page have no brand.
    const mayBeSent = row?.brand_uuid === null || (brand !== undefined && may(brand, "act"));
    return row === undefined ? undefined : { ...row, mayBeSent, customerUuid: brand?.customerUuid ?? null };
  });
});

/** Marks a text as failed after every attempt to send it has failed. */
export async function giveUpText(deps: Deps, { messageUuid }: { messageUuid: string }): Promise<void> {
  const text = await findText(deps, messageUuid);
  const verificationUuid = text === null ? null : changedVerification(text);
  const outcome = { kind: "rejected" as const, reason: "no answer" };
  await saveTogether(deps, { job: null, messageUuid, verificationUuid, status: "failed", outcome });
}

type Result = {
  /** The job to end. Null if the queue keeps it as failed. */
  job: ClaimedJob | null;
  messageUuid: string;
  verificationUuid: string | null;
  status: "sent" | "failed";
  /** Null: no attempt was made. */
  outcome: SmsOutcome | null;
};

/**
 * Saves the results of texts and of their verifications, and ends the jobs. Locks verifications before texts, as a
 * resend does, to avoid deadlocks.
 */
const saveTogether = batched(
  async (deps: Deps, all: readonly Result[]): Promise<"ended"[]> => {
    const now = deps.clock.now();
    const saved = await deps.db.inTransaction(async (trx) => {
      // The locks wait for a resend in progress. The states are read after it.
      const [, locked] = await Promise.all([
        // Lock only the verifications that change. Other locks would delay the person's code for no reason.
        lockVerifications(
          trx,
          all.flatMap((one) => verificationResult(one, now).map(({ uuid }) => uuid)),
        ),
        lockTexts(
          trx,
          all.map(({ messageUuid }) => messageUuid),
        ),
      ]);
      const stateOf = new Map(locked.map(({ uuid, status }) => [uuid, status]));
      const isQueued = ({ messageUuid }: Result) => stateOf.get(messageUuid) === "queued";
      // A text that a resend superseded during the call still gets the gateway's result.
      const saved = all.filter(
        (one) => isQueued(one) || (stateOf.get(one.messageUuid) === "superseded" && one.outcome !== null),
      );
      await trx.last(() =>
        Promise.all([
          saveTexts(
            trx,
            saved.map(({ messageUuid, status }) => {
              const wasSent = status === "sent";
              return {
                uuid: messageUuid,
                status,
                sent_at: wasSent ? now : null,
                is_kept: wasSent && deps.vendors.sms.keepsTexts,
              };
            }),
          ),
          // A superseded text does not change the verification, because a newer text does.
          saveTextResults(
            trx,
            saved.filter(isQueued).flatMap((one) => verificationResult(one, now)),
          ),
          endJobs(
            trx,
            all.flatMap(({ job }) => job ?? []),
          ),
        ]),
      );
      return saved;
    });
    countTextResults(
      deps,
      saved.flatMap(({ outcome }) => outcomeOf(outcome) ?? []),
    );
    return all.map(() => "ended");
  },
  ({ messageUuid }) => messageUuid,
);

/** Null if no attempt was made. */
function outcomeOf(outcome: SmsOutcome | null): TextOutcome | null {
  if (outcome === null) return null;
  const { kind, carrier } = outcome;
  return kind === "rejected" ? { outcome: "failed", carrier, reason: outcome.reason } : { outcome: kind, carrier };
}

/** Empty if the result does not change the verification. */
function verificationResult({ verificationUuid: uuid, outcome }: Result, now: number): TextResult[] {
  if (uuid === null) return [];
  if (outcome?.kind === "delivered") return [{ uuid, status: "delivered", delivered_at: now }];
  return outcome?.kind === "rejected" ? [{ uuid, status: "failed", delivered_at: null }] : [];
}
