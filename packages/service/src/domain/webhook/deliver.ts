/** Job: one attempt at one delivery. Only a 2xx status acknowledges it; other results follow the retry schedule. */
import { sql } from "kysely";
import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { jobColumnsOf, jobRow, type NewJob, upsertJobs } from "../../store/queue.ts";
import { type ColumnPlaceholders, type ColumnTypes, columnsOf, namesOf, recordsOf } from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { Tables } from "../../store/tables.ts";
import type { Deps } from "../deps.ts";
import type { OutboundAnswer } from "../ports.ts";
import { askListener } from "./listener.ts";
import { deliveryJob } from "./publish.ts";
import { type Due, type Request, readDue, requestFor } from "./request.ts";
import { deadLetterKeptMs, deliveredKeptMs, deliveryTimeoutMs, retryDelaysMs } from "./sign.ts";

/** An attempt with a smaller delay, in milliseconds, counts as on time. */
const driftMs = 1_000;

type Following = { status: Tables["webhook_delivery"]["status"]; nextAttemptAt: number | null; keptMs: number | null };
type Outcome = { due: Due; startedAt: number; answer: OutboundAnswer; isFinal: boolean; wasSent: boolean };

export async function attemptDelivery(deps: Deps, { deliveryUuid }: { deliveryUuid: string }): Promise<void> {
  const due = await readDue(deps, deliveryUuid);
  if (due === null || due.sealed === null) return;
  const now = deps.clock.now();
  // Schedule an attempt that is on time from its due time, so that polling delays do not add up.
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

/** Sends the request to the URL, or offers it to the listener that fetches it. */
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

/** Records attempts and the next step of each delivery. */
const settle = batched(async (deps: Deps, outcomes: readonly Outcome[]): Promise<undefined[]> => {
  const changed = await changedHealth(deps.db, outcomes);
  if (changed.size === 0) await settleAll(deps, deps.db, outcomes);
  else
    await deps.db.inTransaction(async (trx) => {
      // Lock webhooks before their deliveries, as deleting a webhook does, to avoid deadlocks.
      await noteHealth(trx, changed);
      await settleAll(deps, trx, outcomes);
    });
  return outcomes.map(() => undefined);
});

/** The webhooks whose health changed: one that starts to fail, or one that acknowledges again. */
async function changedHealth(reader: Reader, outcomes: readonly Outcome[]): Promise<Map<string, Outcome>> {
  const heard = new Map<string, Outcome>();
  for (const outcome of outcomes) {
    const uuid = outcome.due.endpoint_uuid;
    // If a webhook gave several answers in a batch, an acknowledgment wins.
    if (uuid !== null && outcome.wasSent && (!heard.has(uuid) || isAcknowledged(outcome))) heard.set(uuid, outcome);
  }
  if (heard.size === 0) return heard;
  const { rows } = await failingStatement(reader, { uuids: [...heard.keys()] });
  for (const { uuid, failing_since } of rows) {
    const outcome = heard.get(uuid);
    if (outcome !== undefined && isAcknowledged(outcome) === (failing_since === null)) heard.delete(uuid);
  }
  return heard;
}

const failingStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("webhook_endpoint")
    .select(["uuid", "failing_since"])
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids))),
);

/** Records since when a webhook has acknowledged nothing. Rows are locked in uuid order to avoid deadlocks. */
async function noteHealth(trx: Trx, changed: Map<string, Outcome>): Promise<void> {
  const endpoints = await trx
    .selectFrom("webhook_endpoint")
    .select(["uuid", "failing_since"])
    .where("uuid", "in", [...changed.keys()])
    .orderBy("uuid")
    .forNoKeyUpdate()
    .execute();
  for (const { uuid, failing_since } of endpoints) {
    const outcome = changed.get(uuid);
    if (outcome === undefined || isAcknowledged(outcome) === (failing_since === null)) continue;
    await trx
      .updateTable("webhook_endpoint")
      .set({ failing_since: isAcknowledged(outcome) ? null : outcome.startedAt })
      .where("uuid", "=", uuid)
      .execute();
  }
}

/** The next step of a delivery: done, another attempt, or dead letter. */
function followingFrom(outcome: Outcome): Following {
  const { due, startedAt, isFinal } = outcome;
  const delay = isFinal ? undefined : retryDelaysMs[due.attempts];
  if (isAcknowledged(outcome)) return { status: "delivered", nextAttemptAt: null, keptMs: deliveredKeptMs };
  if (delay === undefined) return { status: "deadLettered", nextAttemptAt: null, keptMs: deadLetterKeptMs };
  return { status: "pending", nextAttemptAt: startedAt + delay, keptMs: null };
}

/** Records everything in one statement, so it is stored completely or not at all. */
async function settleAll(deps: Deps, reader: Reader, outcomes: readonly Outcome[]): Promise<void> {
  // Sort by uuid, the order in which deleting a webhook locks its deliveries, to avoid deadlocks.
  const inOrder = outcomes.toSorted((a, b) => (a.due.uuid < b.due.uuid ? -1 : 1));
  const following = inOrder.map((outcome) => ({ ...outcome, ...followingFrom(outcome) }));
  await settleStatement(reader, {
    ...columnsOf("settled", settledTypes, following.map(settledRow)),
    ...columnsOf("webhook_attempt", attemptTypes, following.map(attemptRow)),
    ...jobColumnsOf(following.map((one) => jobRow(nextJob(deps, one)))),
  });
}

type SettledRow = ReturnType<typeof settledRow>;

function settledRow({ due, status, startedAt, nextAttemptAt }: Outcome & Following) {
  return {
    uuid: due.uuid,
    attempts: due.attempts,
    status,
    next_attempt_at: nextAttemptAt,
    finished_at: nextAttemptAt === null ? startedAt : null,
  };
}

function attemptRow({ due, startedAt, answer }: Outcome & Following) {
  return {
    delivery_uuid: due.uuid,
    at: startedAt,
    http_status: answer.kind === "answered" ? answer.status : null,
    error: answer.kind === "failed" ? answer.error : null,
    duration_ms: answer.durationMs,
  };
}

function nextJob(deps: Deps, { due, startedAt, nextAttemptAt, keptMs }: Outcome & Following): NewJob {
  if (nextAttemptAt !== null)
    return deliveryJob(deps, { uuid: due.uuid, concurrencyGroup: due.endpoint_uuid ?? due.brand_uuid, dueAt: nextAttemptAt });
  const dueAt = startedAt + (keptMs ?? 0);
  const { environment } = deps;
  return { environment, name: "webhook.purge", subject: due.uuid, dueAt, payload: { deliveryUuid: due.uuid } };
}

const settledTypes: ColumnTypes<SettledRow> = {
  uuid: "uuid",
  attempts: "integer",
  status: "text",
  next_attempt_at: "bigint",
  finished_at: "bigint",
};
const attemptTypes: ColumnTypes<ReturnType<typeof attemptRow>> = {
  delivery_uuid: "uuid",
  at: "bigint",
  http_status: "integer",
  error: "text",
  duration_ms: "integer",
};

/**
 * Skips a delivery that a replay or another worker changed in the meantime. The attempt was then a duplicate, which
 * receivers must expect.
 */
const settleStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .with("settled", (cte) =>
      cte
        .updateTable("webhook_delivery")
        .from(sql<SettledRow>`(${recordsOf("settled", settledTypes, columns)})`.as("now"))
        .set((eb) => ({
          attempts: eb("webhook_delivery.attempts", "+", 1),
          status: eb.ref("now.status"),
          next_attempt_at: eb.ref("now.next_attempt_at"),
          finished_at: eb.ref("now.finished_at"),
        }))
        .whereRef("webhook_delivery.uuid", "=", "now.uuid")
        .where("webhook_delivery.status", "=", "pending")
        .whereRef("webhook_delivery.attempts", "=", "now.attempts")
        .returning("webhook_delivery.uuid"),
    )
    .with("noted", (cte) =>
      cte
        .insertInto("webhook_attempt")
        .columns(namesOf(attemptTypes))
        .expression(
          recordsOf("webhook_attempt", attemptTypes, columns, sql`delivery_uuid in (select uuid from settled)`),
        ),
    )
    .with("scheduled", (cte) => upsertJobs(cte, columns, sql`select uuid::text from settled`))
    .selectFrom("settled")
    .select("uuid"),
);

/** Job: erases the body of a delivery an hour after its acknowledgment, or deletes a dead letter after 14 days. */
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
