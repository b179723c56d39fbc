/**
 * Sweeps erase what has expired. Data is unreadable from the moment it expires, because every read checks the time;
 * sweeps only remove what remains in the database.
 */
import { dayMs } from "@countersign/contract/time";
import type { Keyed } from "../../store/database.ts";
import { deleteExpiredAccountSessions } from "../account/account-session-rows.ts";
import { unlinkLate } from "../account/unlink.ts";
import { endConsents } from "../audit/consent-rows.ts";
import type { Deps } from "../deps.ts";
import { destroyLookupKeys, eraseExpiredLookups } from "../health/outcome.ts";
import { eraseOldAnswers } from "../idempotency/answer.ts";
import { mailKeptMs } from "../member/mail.ts";
import { sweepMails } from "../member/mail-rows.ts";
import { sweepSessions } from "../member/member-session-rows.ts";
import { sweepChallenges } from "../member/passkey-rows.ts";
import { idleMs } from "../member/session.ts";
import { signInKeptMs } from "../member/sign-in.ts";
import { sweepSignIns } from "../member/sign-in-rows.ts";
import { deleteExpiredArtifacts } from "../openid/openid-artifact-rows.ts";
import { sweepOperatorSessions } from "../operator/operator-rows.ts";
import { operatorIdleMs } from "../operator/operator-sign-in.ts";
import { purgeLog } from "../reporting/log.ts";
import { deleteExpiredSessions } from "../session/session-rows.ts";
import { purgeAttempts } from "../signup/challenges.ts";
import { deleteExpiredPresentations } from "../signup/page/presentation-rows.ts";
import { deleteExpiredStateIdRequests } from "../state-id/request-rows.ts";
import { deleteExpiredNonces } from "../takeout/nonce-rows.ts";
import { endUnapproved } from "../takeout/status.ts";
import { deleteExpiredTakeouts } from "../takeout/takeout-rows.ts";
import { eraseExpiredVerifications } from "../verification/erase.ts";
import { purgeCounts, purgeHomeCounts } from "../verification/limits/caps.ts";
import { deleteTextResults, textResultsKeptMs } from "../verification/texts/text-result-rows.ts";
import { deleteOldStarts } from "../verification/texts/text-stop-rows.ts";
import { sweepDeliveries } from "../webhook/deliver.ts";
import { sweepListeners } from "../webhook/listener.ts";
import { eraseExpiredOneClicks } from "./erase-one-clicks.ts";
import { deleteSweepResults, sweepResultsKeptMs } from "./sweep-result-rows.ts";

/** How long an opt-in (START) is remembered. A gateway may repeat its messages for that long. */
export const startKeptMs = 30 * dayMs;
/** How long the evidence of a consent is kept: five years, including leap days. */
export const consentKeptMs = 1_827 * dayMs;

/** Erases what has expired. Returns how many rows there were, if it counts them. */
export type Sweep = (deps: Deps) => Promise<unknown>;

/** Rows per transaction, and transactions per run. The next run erases the rest. */
const batchMax = 500;
const batchesMax = 100;

/** `erase` erases at most `max` rows, and returns how many there were. */
function inBatches(erase: (deps: Deps, max: number) => Promise<number>): Sweep {
  return async (deps) => {
    let erased = 0;
    for (let batches = 0; batches < batchesMax; batches += 1) {
      const count = await erase(deps, batchMax);
      erased += count;
      if (count < batchMax) break;
    }
    return erased;
  };
}

/** The same for the keyed rows of the cell. */
function inKeyed(erase: (deps: Deps, keyed: Keyed, max: number) => Promise<number>): Sweep {
  return inBatches((deps, max) => erase(deps, deps.ownKeyed, max));
}

/**
 * `expiry`: personal data. Each table has an index on its time of expiry, so these sweeps can run every few seconds.
 * `hourly`: rows that are kept for a day or longer. These sweeps may read whole tables.
 */
export type Sweeps = { expiry: Record<string, Sweep>; hourly: Record<string, Sweep> };

const expirySweeps: Record<string, Sweep> = {
  verifications: inBatches(eraseExpiredVerifications),
  oneClicks: inBatches(eraseExpiredOneClicks),
  lookups: inBatches(eraseExpiredLookups),
  sessions: inKeyed(({ environment, clock }, keyed, max) =>
    keyed.inTransaction((trx) => deleteExpiredSessions(trx, { environment, now: clock.now(), max })),
  ),
  takeouts: inBatches(({ db, environment, clock }, max) =>
    db.inTransaction((trx) => deleteExpiredTakeouts(trx, { environment, now: clock.now(), max })),
  ),
  presentations: inBatches(({ db, environment, clock }, max) =>
    db.inTransaction((trx) => deleteExpiredPresentations(trx, { environment, now: clock.now(), max })),
  ),
  stateIdRequests: inBatches(({ db, environment, clock }, max) =>
    db.inTransaction((trx) => deleteExpiredStateIdRequests(trx, { environment, now: clock.now(), max })),
  ),
  accountSessions: inBatches(({ db, environment, clock }, max) =>
    db.inTransaction((trx) => deleteExpiredAccountSessions(trx, { environment, now: clock.now(), max })),
  ),
  answers: inKeyed(eraseOldAnswers),
  deliveries: inBatches(sweepDeliveries),
};

const hourlySweeps: Record<string, Sweep> = {
  counts: purgeCounts,
  attempts: purgeAttempts,
  log: purgeLog,
  lookupKeys: destroyLookupKeys,
  starts: ({ db, environment, clock }) => deleteOldStarts(db, environment, clock.now() - startKeptMs),
  consents: (deps) => endConsents(deps, deps.clock.now() - consentKeptMs),
  lateRows: unlinkLate,
  unapproved: endUnapproved,
  listeners: sweepListeners,
  textResults: ({ db, environment, clock }) => deleteTextResults(db, environment, clock.now() - textResultsKeptMs),
};

/** The sweeps that each cell needs. */
export const cellSweeps: Sweeps = { expiry: expirySweeps, hourly: hourlySweeps };

/** The sweeps of home, which all cells share. */
export const homeSweeps: Sweeps = {
  expiry: {
    openid: inBatches(({ home, environment, clock }, max) =>
      home.inTransaction((trx) => deleteExpiredArtifacts(trx, { environment, now: clock.now(), max })),
    ),
    takeoutNonces: inBatches(({ home, environment, clock }, max) =>
      home.inTransaction((trx) => deleteExpiredNonces(trx, { environment, now: clock.now(), max })),
    ),
  },
  hourly: { homeCounts: purgeHomeCounts, members: sweepMembers, sweepResults: sweepOldResults },
};

/** Account tables use the real clock. */
async function sweepMembers({ home, realClock }: Deps): Promise<number> {
  const now = realClock.now();
  const counts = [
    await sweepSignIns(home, now - signInKeptMs),
    await sweepChallenges(home, now),
    await sweepSessions(home, { now, idleSince: now - idleMs }),
    await sweepMails(home, now - mailKeptMs),
    await sweepOperatorSessions(home, { now, idleSince: now - operatorIdleMs }),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

async function sweepOldResults({ home, environment, realClock }: Deps): Promise<void> {
  await deleteSweepResults(home, environment, realClock.now() - sweepResultsKeptMs);
}
