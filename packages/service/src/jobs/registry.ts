import { eraseAccountSession } from "../domain/account/session.ts";
import { textSignIn } from "../domain/account/text-sign-in.ts";
import type { Deps } from "../domain/deps.ts";
import { eraseLookup } from "../domain/health/erase.ts";
import { giveUpLookup, runLookup } from "../domain/health/run.ts";
import { destroyAnswersOf, eraseAnswer } from "../domain/idempotency/answer.ts";
import { giveUpWipe, wipeFixedPeople } from "../domain/issuance/wipe.ts";
import { purgeLog } from "../domain/reporting/purge.ts";
import { sweep } from "../domain/retention/sweep.ts";
import { eraseSession } from "../domain/session/open.ts";
import { purgeAttempts } from "../domain/signup/challenges.ts";
import { eraseOneClick } from "../domain/signup/erase.ts";
import { eraseVerification } from "../domain/verification/erase.ts";
import { purgeCounts } from "../domain/verification/purge.ts";
import { giveUpText, sendText } from "../domain/verification/send-text.ts";
import { attemptDelivery, purgeDelivery } from "../domain/webhook/deliver.ts";

type Payload = Record<string, string>;
export type JobKind = {
  run(deps: Deps, payload: Payload): Promise<void>;
  /** Waits between attempts, in milliseconds of the environment's clock. After the last one, the job has failed. */
  retryDelaysMs: readonly number[];
  /** Runs once when the job has finally failed. */
  giveUp?(deps: Deps, payload: Payload): Promise<void>;
};

const second = 1_000;
const minute = 60 * second;
/** For jobs that must succeed at some point. Database problems end within a day, or an operator handles them. */
const persistent = [second, 10 * second, minute, 10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute];

/** A member of a payload. The code that enqueues the job always writes it. */
function member(payload: Payload, name: string): string {
  const value = payload[name];
  if (value === undefined) throw new Error(`a job without ${name}`);
  return value;
}

/** Every kind of job, by its name in the queue. */
export const registry: Record<string, JobKind> = {
  "verification.sendText": {
    run: (deps, payload) => sendText(deps, { messageUuid: member(payload, "messageUuid") }),
    // A code is valid for five minutes, so a later text is useless.
    retryDelaysMs: [second, 5 * second, 20 * second, minute, 2 * minute],
    giveUp: (deps, payload) => giveUpText(deps, { messageUuid: member(payload, "messageUuid") }),
  },
  "verification.erase": {
    run: (deps, payload) => eraseVerification(deps, { verificationUuid: member(payload, "verificationUuid") }),
    retryDelaysMs: persistent,
  },
  "webhook.deliver": {
    // A delivery has its own retry schedule (domain/webhook). These delays are for failures of the service itself.
    run: (deps, payload) => attemptDelivery(deps, { deliveryUuid: member(payload, "deliveryUuid") }),
    retryDelaysMs: persistent,
  },
  "webhook.purge": {
    run: (deps, payload) => purgeDelivery(deps, { deliveryUuid: member(payload, "deliveryUuid") }),
    retryDelaysMs: persistent,
  },
  "health.run": {
    // Steps that were answered are not repeated. These delays are for failures of the service itself.
    run: (deps, payload) => runLookup(deps, { healthDataUuid: member(payload, "healthDataUuid") }),
    retryDelaysMs: [second, 5 * second, 20 * second, minute, 2 * minute],
    giveUp: (deps, payload) => giveUpLookup(deps, { healthDataUuid: member(payload, "healthDataUuid") }),
  },
  "health.erase": {
    run: (deps, payload) => eraseLookup(deps, { healthDataUuid: member(payload, "healthDataUuid") }),
    retryDelaysMs: persistent,
  },
  "idempotency.erase": {
    run: (deps, payload) => eraseAnswer(deps, { answerUuid: member(payload, "answerUuid") }),
    retryDelaysMs: persistent,
  },
  "session.erase": {
    run: (deps, payload) => eraseSession(deps, { sessionUuid: member(payload, "sessionUuid") }),
    retryDelaysMs: persistent,
  },
  "account.textSignIn": {
    run: (deps, payload) =>
      textSignIn(deps, {
        verificationUuid: member(payload, "verificationUuid"),
        messageUuid: member(payload, "messageUuid"),
      }),
    // A code is valid for five minutes, so a later text is useless.
    retryDelaysMs: [second, 5 * second, 20 * second, minute, 2 * minute],
  },
  "account.eraseSession": {
    run: (deps, payload) => eraseAccountSession(deps, { sessionUuid: member(payload, "sessionUuid") }),
    retryDelaysMs: persistent,
  },
  "issuance.wipe": {
    run: (deps, payload) => wipeFixedPeople(deps, { timeOfDayMs: Number(member(payload, "timeOfDayMs")) }),
    retryDelaysMs: persistent,
    giveUp: (deps, payload) => giveUpWipe(deps, { timeOfDayMs: Number(member(payload, "timeOfDayMs")) }),
  },
  "retention.sweep": { run: sweep, retryDelaysMs: persistent },
  "watch.purgeLog": { run: purgeLog, retryDelaysMs: persistent },
  "verification.purgeCounts": { run: purgeCounts, retryDelaysMs: persistent },
  "signup.purgeAttempts": { run: purgeAttempts, retryDelaysMs: persistent },
  "signup.erase": {
    run: (deps, payload) => eraseOneClick(deps, { oneClickUuid: member(payload, "oneClickUuid") }, destroyAnswersOf),
    retryDelaysMs: persistent,
  },
};
