import { dayMs, hourMs, minuteMs } from "@countersign/contract/time";
import { endElsewhereAgain } from "../domain/account/end-person-data.ts";
import { textSignIn } from "../domain/account/text-sign-in.ts";
import type { Deps } from "../domain/deps.ts";
import { giveUpLookup, runLookup } from "../domain/health/steps.ts";
import { giveUpWipe, wipeFixedPeople } from "../domain/issuance/wipe.ts";
import { revokeStatuses } from "../domain/takeout/status.ts";
import { giveUpText, sendText } from "../domain/verification/texts/send-text.ts";
import { attemptDelivery } from "../domain/webhook/deliver.ts";
import type { ClaimedJob, Job, JobName, JobPayloads } from "../store/queue.ts";

type JobKind<Payload> = {
  /** Returns `ended` if the transaction that saved the job's result also ended the job. */
  run(deps: Deps, payload: Payload, job: ClaimedJob): Promise<"ended" | undefined> | Promise<void>;
  /**
   * Waits between attempts, in milliseconds of the environment's clock. If the attempt after the last wait fails, the
   * job fails.
   */
  retryDelaysMs: readonly number[];
  /** Runs once when the job has finally failed. */
  giveUp?(deps: Deps, payload: Payload): Promise<void>;
};
/** The kinds of jobs, by the name in a job's row. */
export type JobKinds = Readonly<Record<string, JobKind<Job["payload"]>>>;

const second = 1_000;
/** For jobs that must eventually succeed. Database problems end within a day, or an operator handles them. */
const persistent = [second, 10 * second, minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs];
/** For jobs whose result is useless after a few minutes. A code is valid for five minutes. */
const brief = [second, 5 * second, 20 * second, minuteMs, 2 * minuteMs];

/** The function of every kind of job, by its name in the queue. */
const registry: { [Name in JobName]: JobKind<JobPayloads[Name]> } = {
  "verification.sendText": { run: sendText, retryDelaysMs: brief, giveUp: giveUpText },
  "issuance.wipe": {
    run: (deps, { timeOfDayMs }) => wipeFixedPeople(deps, { timeOfDayMs: Number(timeOfDayMs) }),
    retryDelaysMs: persistent,
    giveUp: (deps, { timeOfDayMs }) => giveUpWipe(deps, { timeOfDayMs: Number(timeOfDayMs) }),
  },
  // A delivery has its own retry schedule (domain/webhook). These delays are for failures of the service itself.
  "webhook.deliver": { run: attemptDelivery, retryDelaysMs: persistent },
  // Answered steps are not repeated. These delays are for failures of the service itself.
  "health.run": { run: runLookup, retryDelaysMs: brief, giveUp: giveUpLookup },
  "account.takeBack": { run: endElsewhereAgain, retryDelaysMs: persistent },
  "account.textSignIn": { run: textSignIn, retryDelaysMs: brief },
  "takeout.revoke": { run: revokeStatuses, retryDelaysMs: persistent },
};

export const jobKinds: JobKinds = registry;
