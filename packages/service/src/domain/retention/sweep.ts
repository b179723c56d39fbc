/** Deletes expired rows that have no erasure job of their own. Runs nightly, in bounded batches. */
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import { unlinkLate } from "../account/unlink.ts";
import { endConsents } from "../audit/consent-rows.ts";
import type { Deps } from "../deps.ts";
import { mailKeptMs } from "../member/mail.ts";
import { sweepMails } from "../member/mail-rows.ts";
import { sweepSessions } from "../member/member-session-rows.ts";
import { sweepChallenges } from "../member/passkey-rows.ts";
import { idleMs } from "../member/session.ts";
import { signInKeptMs } from "../member/sign-in.ts";
import { sweepSignIns } from "../member/sign-in-rows.ts";
import { deleteOldStarts } from "../verification/texts/text-stop-rows.ts";
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
  await deleteOldStarts(db, environment, startsBefore);
  await endConsents(deps, deps.clock.now() - consentKeptMs);
  await unlinkLate(deps);
  await sweepListeners(deps);
  // Use `enqueue`, not `enqueueOnce`: it resets the lease, so finishing the running job does not delete the new one.
  await deps.db.inTransaction((trx) => enqueue(trx, nextSweep(deps)));
}

function nextSweep(deps: Deps): NewJob {
  const dueAt = (Math.floor(deps.clock.now() / dayMs) + 1) * dayMs;
  return { environment: deps.environment, name: "retention.sweep", subject: "nightly", dueAt, payload: {} };
}
