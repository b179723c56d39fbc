/** Job: one attempt at one delivery. Only a 2xx status acknowledges it; other results follow the retry schedule. */

import { hourMs, minuteMs } from "@countersign/contract/time";
import { destroyDataKeys } from "../../store/data-key-rows.ts";
import { type ClaimedJob, endJobs, type LaterJob, type NewJob, repeatJobs } from "../../store/queue.ts";
import { batched } from "../../store/statements/batch.ts";
import type { Deps } from "../deps.ts";
import type { OutboundAnswer } from "../ports.ts";
import { insertAttempts, sealAnswer } from "./attempt-rows.ts";
import {
  type DeliveryStatus,
  deleteDeliveries,
  deliveredKeptMs,
  endOfBody,
  eraseBodies,
  lockExpiredDeliveries,
  lockTried,
  saveResults,
  setExpiry,
} from "./delivery-rows.ts";
import { endDeliveriesTo } from "./endpoint.ts";
import { lockFailing, setFailingSince } from "./endpoint-rows.ts";
import { askListener } from "./listener.ts";
import { type Due, deliveryTimeoutMs, type Request, readDue, requestFor } from "./request.ts";

/**
 * Retry schedule: delays after the previous attempt, in milliseconds. After the last one, the delivery becomes a dead
 * letter (specification, "Events").
 */
export const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 12 * hourMs] as const;
/** An attempt with a smaller delay, in milliseconds, counts as on time. */
const driftMs = 1_000;

/** The job that runs `attemptDelivery`. Only a few deliveries to the same receiver run at the same time. */
export function deliveryJob(
  { environment }: Deps,
  { uuid, receiver, dueAt }: { uuid: string; receiver: string; dueAt: number },
): NewJob {
  const payload = { deliveryUuid: uuid };
  return { environment, name: "webhook.deliver", subject: uuid, dueAt, payload, concurrencyGroup: receiver };
}

type Attempt = {
  job: ClaimedJob;
  due: Due;
  startedAt: number;
  answer: OutboundAnswer;
  isFinal: boolean;
  wasSent: boolean;
};

export async function attemptDelivery(
  deps: Deps,
  { deliveryUuid }: { deliveryUuid: string },
  job: ClaimedJob,
): Promise<"ended" | undefined> {
  const due = await readDue(deps, deliveryUuid);
  if (due === null || due.sealed === null) return;
  const now = deps.clock.now();
  // Schedule an on-time attempt from its due time, so that polling delays do not add up.
  const dueAt = due.next_attempt_at ?? now;
  const startedAt = now - dueAt < driftMs ? dueAt : now;
  const request = requestFor(deps, due, startedAt);
  if ("error" in request) {
    const answer = { kind: "failed" as const, error: request.error, durationMs: 0 };
    const ended = await recordAttempt(deps, { job, due, startedAt, answer, isFinal: request.isFinal, wasSent: false });
    // The process that deleted the webhook died before it ended the deliveries. End them now.
    if (request.isFinal && due.endpoint_uuid !== null) await endDeliveriesTo(deps, due.endpoint_uuid);
    return ended;
  }
  const answer = await send(deps, due, request, startedAt);
  return await recordAttempt(deps, { job, due, startedAt, answer, isFinal: false, wasSent: true });
}

/** Sends the request to the URL, or offers it to the listener that fetches it. */
async function send(
  deps: Deps,
  { uuid, endpoint_uuid }: Due,
  { isFetched, ...request }: Request,
  startedAt: number,
): Promise<OutboundAnswer> {
  if (!isFetched || endpoint_uuid === null)
    return await deps.vendors.outbound.post({ ...request, timeoutMs: deliveryTimeoutMs });
  return await askListener(deps, { deliveryUuid: uuid, endpointUuid: endpoint_uuid, startedAt });
}

function isAcknowledged({ answer }: Attempt): boolean {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

/**
 * Records attempts and the next step of each delivery, ends the jobs, and then updates the health of webhooks. A second
 * attempt at the same delivery waits for the next batch, which skips it.
 */
const recordAttempt = batched(
  async (deps: Deps, attempts: readonly Attempt[]): Promise<"ended"[]> => {
    await deps.db.inTransaction(async (trx) => {
      const current = await lockTried(
        trx,
        attempts.map(({ due }) => due),
      );
      // Skip a delivery that a replay or another worker has changed. The attempt was then a duplicate, which receivers
      // must expect anyway.
      const steps = attempts.filter(({ due }) => current.has(due.uuid)).map((one) => ({ ...one, ...nextStep(one) }));
      const next = new Map(steps.flatMap(laterJob));
      await trx.last(() =>
        Promise.all([
          saveResults(trx, steps.map(resultOf)),
          insertAttempts(
            trx,
            steps.map((step) => attemptOf(deps, step)),
          ),
          endJobs(
            trx,
            attempts.filter(({ due }) => !next.has(due.uuid)).map(({ job }) => job),
          ),
          repeatJobs(trx, [...next.values()]),
        ]),
      );
    });
    const changed = changedHealth(lastByWebhook(attempts), failingWhenRead(attempts));
    if (changed.size > 0) await saveHealth(deps, changed);
    return attempts.map(() => "ended");
  },
  ({ due }) => due.uuid,
);

/** One attempt per webhook that was called. An acknowledged attempt wins. */
function lastByWebhook(attempts: readonly Attempt[]): Map<string, Attempt> {
  const last = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const uuid = attempt.due.endpoint_uuid;
    if (uuid !== null && attempt.wasSent && (!last.has(uuid) || isAcknowledged(attempt))) last.set(uuid, attempt);
  }
  return last;
}

/** When each webhook began to fail, as it was read before the attempt. Null: it is not failing. */
function failingWhenRead(attempts: readonly Attempt[]): Map<string, number | null> {
  return new Map(
    attempts.flatMap(({ due: { endpoint } }) => (endpoint === null ? [] : [[endpoint.uuid, endpoint.failingSince]])),
  );
}

/** The webhooks whose health changes: they start to fail, or they acknowledge again. */
function changedHealth(
  last: ReadonlyMap<string, Attempt>,
  failing: ReadonlyMap<string, number | null>,
): Map<string, Attempt> {
  return new Map(
    [...last].filter(([uuid, attempt]) => {
      const failingSince = failing.get(uuid);
      return failingSince !== undefined && isAcknowledged(attempt) !== (failingSince === null);
    }),
  );
}

/** Saves the health of webhooks. If the process dies before this, the next attempt saves it. */
async function saveHealth(deps: Deps, attempts: ReadonlyMap<string, Attempt>): Promise<void> {
  await deps.home.inTransaction(async (trx) => {
    const changed = changedHealth(attempts, await lockFailing(trx, [...attempts.keys()]));
    await Promise.all(
      [...changed].map(([uuid, attempt]) =>
        setFailingSince(trx, uuid, isAcknowledged(attempt) ? null : attempt.startedAt),
      ),
    );
  });
}

type Step = { status: DeliveryStatus; nextAttemptAt: number | null };

/** The next step of a delivery: done, another attempt, or dead letter. */
function nextStep(attempt: Attempt): Step {
  const { due, startedAt, isFinal } = attempt;
  const delay = isFinal ? undefined : retryDelaysMs[due.attempts];
  if (isAcknowledged(attempt)) return { status: "delivered", nextAttemptAt: null };
  if (delay === undefined) return { status: "deadLettered", nextAttemptAt: null };
  return { status: "pending", nextAttemptAt: startedAt + delay };
}

function resultOf({ due, status, startedAt, nextAttemptAt }: Attempt & Step) {
  return {
    uuid: due.uuid,
    status,
    next_attempt_at: nextAttemptAt,
    finished_at: nextAttemptAt === null ? startedAt : null,
  };
}

function attemptOf(deps: Deps, { due, startedAt, answer }: Attempt) {
  const attempt = { deliveryUuid: due.uuid, at: startedAt };
  const text = answer.kind === "answered" ? answer.text : undefined;
  return {
    ...attempt,
    sealed: text === undefined ? null : sealAnswer(deps, due, attempt, text),
    httpStatus: answer.kind === "answered" ? answer.status : null,
    error: answer.kind === "failed" ? answer.error : null,
    durationMs: answer.durationMs,
  };
}

/** The job of the next attempt, by the delivery's uuid. None if the delivery has ended. */
function laterJob({ job, due, nextAttemptAt }: Attempt & Step): [string, LaterJob][] {
  return nextAttemptAt === null ? [] : [[due.uuid, { ...job, dueAt: nextAttemptAt }]];
}

/**
 * Erases the bodies of acknowledged deliveries and deletes dead letters that are due. Returns how many deliveries it
 * checked, at most `max`.
 */
export async function sweepDeliveries({ db, environment, clock }: Deps, max: number): Promise<number> {
  const now = clock.now();
  return await db.inTransaction(async (trx) => {
    const locked = await lockExpiredDeliveries(trx, { environment, now, max });
    const dated = locked.map((row) => ({ ...row, expiresAt: expiryOf(row, now) }));
    const expired = (status: DeliveryStatus) =>
      dated.filter((row) => row.expiresAt <= now && row.status === status).map(({ uuid }) => uuid);
    await Promise.all([
      eraseBodies(trx, expired("delivered")),
      // These events have a key of their own.
      destroyDataKeys(
        trx,
        dated
          .filter((row) => (row.is_test || row.event === "1-click.signup.ended") && row.expiresAt <= now)
          .map((row) => row.data_key_uuid),
        now,
      ),
      deleteDeliveries(trx, expired("deadLettered")),
      setExpiry(
        trx,
        dated.filter(({ expiresAt }) => expiresAt > now),
      ),
    ]);
    return locked.length;
  });
}

type Ending = { status: DeliveryStatus; next_attempt_at: number | null; finished_at: number | null };

/** When the sweep must look at a delivery. A pending one cannot be due before its next attempt. */
function expiryOf({ status, next_attempt_at, finished_at }: Ending, now: number): number {
  if (status === "pending") return Math.max(next_attempt_at ?? now, now) + deliveredKeptMs;
  return endOfBody({ status, finished_at });
}
