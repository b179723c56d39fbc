/** Deletes expired rows that have no erasure job of their own. Runs nightly, in bounded batches. */
import { sql } from "kysely";
import { deleteInBatches } from "../../store/delete-in-batches.ts";
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import { unlinkLate } from "../account/unlink.ts";
import type { Deps } from "../deps.ts";
import { mailKeptMs } from "../member/mail.ts";
import { sweepMails } from "../member/mail-rows.ts";
import { sweepSessions } from "../member/member-session-rows.ts";
import { sweepChallenges } from "../member/passkey-rows.ts";
import { idleMs } from "../member/session.ts";
import { signInKeptMs } from "../member/sign-in.ts";
import { sweepSignIns } from "../member/sign-in-rows.ts";
import { sweepListeners } from "../webhook/listener.ts";

const dayMs = 24 * 60 * 60_000;
/** How long an opt-in (START) is remembered. A gateway may repeat its messages for that long. */
export const startKeptMs = 30 * dayMs;
/** How long the evidence of a consent is kept: five years, including leap days. */
export const consentKeptMs = 1_827 * dayMs;

/** Schedules the next sweep. A missed sweep stays due. */
export async function scheduleSweep(deps: Deps): Promise<void> {
  await deps.db.inTransaction((trx) => enqueueOnce(trx, nextSweep(deps)));
}

/** Job: deletes expired rows. Account tables use the real clock, the environment's tables its own clock. */
export async function sweep(deps: Deps): Promise<void> {
  const { environment, db } = deps;
  const now = deps.realClock.now();
  await sweepSignIns(db, now - signInKeptMs);
  await sweepChallenges(db, now);
  await sweepSessions(db, { now, idleSince: now - idleMs });
  await sweepMails(db, now - mailKeptMs);
  const startsBefore = deps.clock.now() - startKeptMs;
  await deleteInBatches(db, "text_stop", sql`environment = ${environment} and not stopped and at < ${startsBefore}`);
  await endConsents(deps);
  await unlinkLate(deps);
  await sweepListeners(deps);
  // Use `enqueue`, not `enqueueOnce`: it resets the lease, so finishing the running job does not delete the new one.
  await deps.db.inTransaction((trx) => enqueue(trx, nextSweep(deps)));
}

/** Consents behind a billed issuance stay, without the person. */
async function endConsents(deps: Deps): Promise<void> {
  const isOver = sql`consent.environment = ${deps.environment} and consent.at < ${deps.clock.now() - consentKeptMs}`;
  const unbilled = sql`not exists (select from issuance where consent_uuid = consent.uuid)`;
  await deleteInBatches(deps.db, "consent", sql`${isOver} and ${unbilled}`);
  await sql`
    update consent set person_uuid = null, phone_index = null, email_index = null, evidence_hash = null
    where ${isOver} and num_nonnulls(person_uuid, phone_index, email_index, evidence_hash) > 0`.execute(deps.db);
}

function nextSweep(deps: Deps): NewJob {
  const dueAt = (Math.floor(deps.clock.now() / dayMs) + 1) * dayMs;
  return { environment: deps.environment, name: "retention.sweep", subject: "nightly", dueAt, payload: {} };
}
