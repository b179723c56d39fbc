/** Job: one attempt at one delivery. Only a 2xx is an acknowledgement; everything else follows the schedule. */
import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import { gathered } from "../../store/gather.ts";
import { enqueueAll } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import type { OutboundAnswer } from "../ports.ts";
import { askListener } from "./listener.ts";
import { deliveryJob } from "./publish.ts";
import { type Due, type Request, readDue, requestFor } from "./request.ts";
import { deadLetterKeptMs, deliveredKeptMs, deliveryTimeoutMs, retryDelaysMs } from "./sign.ts";

/** How late an attempt may be and still count as on time. */
const driftMs = 1_000;

type Outcome = { due: Due; startedAt: number; answer: OutboundAnswer; isFinal: boolean; wasSent: boolean };

export async function attemptDelivery(deps: Deps, { deliveryUuid }: { deliveryUuid: string }): Promise<void> {
  const due = await readDue(deps, deliveryUuid);
  if (due === null || due.sealed === null) return;
  const now = deps.clock.now();
  // An attempt that is on time counts from its due time, so that the schedule does not drift by what looking took.
  const dueAt = due.next_attempt_at ?? now;
  const startedAt = now - dueAt < driftMs ? dueAt : now;
  const request = requestFor(deps, due, startedAt);
  if ("error" in request) {
    const answer = { kind: "failed" as const, error: request.error, durationMs: 0 };
    return await settle(deps, { due, startedAt, answer, isFinal: request.isFinal, wasSent: false });
  }
  const answer = await send(deps, due, request, startedAt);
  await settle(deps, { due, startedAt, answer, isFinal: false, wasSent: true });
}

/** To where it leads, or to whoever fetches it there. */
async function send(
  deps: Deps,
  { uuid, endpoint_uuid }: Due,
  { isFetched, ...request }: Request,
  startedAt: number,
): Promise<OutboundAnswer> {
  if (!isFetched || endpoint_uuid === null)
    return await deps.outbound.post({ ...request, timeoutMs: deliveryTimeoutMs });
  return await askListener(deps, { deliveryUuid: uuid, endpointUuid: endpoint_uuid, startedAt });
}

function isAcknowledged({ answer }: Outcome): boolean {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

/** Records attempts and what follows from each. */
const settle = gathered(async (deps: Deps, outcomes: readonly Outcome[]): Promise<undefined[]> => {
  await deps.db.transaction().execute(async (trx) => {
    // First: whoever deletes a webhook holds it before its deliveries.
    await noteHealth(trx, outcomes);
    await settleAll(deps, trx, outcomes);
  });
  return outcomes.map(() => undefined);
});

/** Since when receivers have acknowledged nothing; written only where that changes. Locked in one order by everybody. */
async function noteHealth(trx: Trx, outcomes: readonly Outcome[]): Promise<void> {
  const heard = new Map<string, Outcome>();
  for (const outcome of outcomes) {
    const uuid = outcome.due.endpoint_uuid;
    // Of several answers at once the better one counts.
    if (uuid !== null && outcome.wasSent && (!heard.has(uuid) || isAcknowledged(outcome))) heard.set(uuid, outcome);
  }
  if (heard.size === 0) return;
  const endpoints = await trx
    .selectFrom("webhook_endpoint")
    .select(["uuid", "failing_since"])
    .where("uuid", "in", [...heard.keys()])
    .orderBy("uuid")
    .forNoKeyUpdate()
    .execute();
  for (const { uuid, failing_since } of endpoints) {
    const outcome = heard.get(uuid);
    if (outcome === undefined || isAcknowledged(outcome) === (failing_since === null)) continue;
    await trx
      .updateTable("webhook_endpoint")
      .set({ failing_since: isAcknowledged(outcome) ? null : outcome.startedAt })
      .where("uuid", "=", uuid)
      .execute();
  }
}

/** What becomes of a delivery: done, another attempt, or the dead letter. */
function followingFrom(outcome: Outcome) {
  const { due, startedAt, isFinal } = outcome;
  const delay = isFinal ? undefined : retryDelaysMs[due.attempts];
  if (isAcknowledged(outcome)) return { status: "delivered", nextAttemptAt: null, keptMs: deliveredKeptMs };
  if (delay === undefined) return { status: "deadLettered", nextAttemptAt: null, keptMs: deadLetterKeptMs };
  return { status: "pending", nextAttemptAt: startedAt + delay, keptMs: null };
}

async function settleAll(deps: Deps, trx: Trx, outcomes: readonly Outcome[]): Promise<void> {
  const following = outcomes.map((outcome) => ({ ...outcome, ...followingFrom(outcome) }));
  const { rows } = await sql<{ uuid: string }>`
    update webhook_delivery
       set attempts = webhook_delivery.attempts + 1, status = settled.status, next_attempt_at = settled.next_attempt_at,
           finished_at = settled.finished_at
      from unnest(
        ${following.map(({ due }) => due.uuid)}::uuid[], ${following.map(({ due }) => due.attempts)}::int[],
        ${following.map(({ status }) => status)}::text[], ${following.map((one) => one.nextAttemptAt)}::bigint[],
        ${following.map((one) => (one.nextAttemptAt === null ? one.startedAt : null))}::bigint[]
      ) as settled (uuid, attempts, status, next_attempt_at, finished_at)
     where webhook_delivery.uuid = settled.uuid and webhook_delivery.status = 'pending'
       and webhook_delivery.attempts = settled.attempts
    returning webhook_delivery.uuid`.execute(trx);
  // A replay or another worker went on with it meanwhile; what was sent then was a duplicate, which receivers expect.
  const saved = new Set(rows.map(({ uuid }) => uuid));
  const ours = following.filter(({ due }) => saved.has(due.uuid));
  if (ours.length === 0) return;
  await trx
    .insertInto("webhook_attempt")
    .values(
      ours.map(({ due, startedAt, answer }) => ({
        delivery_uuid: due.uuid,
        at: startedAt,
        http_status: answer.kind === "answered" ? answer.status : null,
        error: answer.kind === "failed" ? answer.error : null,
        duration_ms: answer.durationMs,
      })),
    )
    .execute();
  await enqueueAll(
    trx,
    ours.map(({ due, startedAt, nextAttemptAt, keptMs }) => {
      if (nextAttemptAt !== null)
        return deliveryJob(deps, { uuid: due.uuid, lane: due.endpoint_uuid ?? due.brand_uuid, dueAt: nextAttemptAt });
      return {
        environment: deps.environment,
        name: "webhook.purge",
        subject: due.uuid,
        dueAt: startedAt + (keptMs ?? 0),
        payload: { deliveryUuid: due.uuid },
      };
    }),
  );
}

/** Job: the body of a delivery is gone an hour after its acknowledgement; a dead letter is gone whole after its fourteen days. */
export async function purgeDelivery(deps: Deps, { deliveryUuid }: { deliveryUuid: string }): Promise<void> {
  const now = deps.clock.now();
  await deps.db
    .deleteFrom("webhook_delivery")
    .where("uuid", "=", deliveryUuid)
    .where("status", "=", "deadLettered")
    .where("finished_at", "<=", now - deadLetterKeptMs)
    .execute();
  await deps.db
    .updateTable("webhook_delivery")
    .set({ sealed: null })
    .where("uuid", "=", deliveryUuid)
    .where("status", "=", "delivered")
    .where("finished_at", "<=", now - deliveredKeptMs)
    .execute();
}
