/**
 * Webhooks for a machine that cannot be called from outside. An attempt is offered instead of sent: the listener
 * fetches the same request and reports the result. Attempts, retries and dead letters are the same as for other
 * webhooks. Whether a listener is present depends on real time, because the sandbox clock may be moved by weeks.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Forward } from "@countersign/contract/listener";
import type { Deps } from "../deps.ts";
import { invalid, refuse } from "../failure.ts";
import type { OutboundAnswer } from "../ports.ts";
import { findEndpoint, insertEndpoint } from "./endpoint.ts";
import { deleteEndpoint } from "./manage.ts";
import { readDue, requestFor } from "./request.ts";
import { deliveryTimeoutMs } from "./sign.ts";

/** How often a waiting call polls the table that all processes share, in milliseconds. */
const lookMs = 200;
/** A listener that has not polled for this long is absent. */
const silentMs = 60_000;
/** A listener that has not polled for this long is deleted. */
const goneMs = 60 * 60_000;
/** A listener fetches requests at once. If a request is not fetched within this time, no listener is present. */
const fetchedWithinMs = 5_000;
/** Maximum number of requests per call, and of listeners that one sweep deletes. */
const takenMax = 20;
const sweptMax = 1_000;

const notThere: OutboundAnswer = { kind: "failed", error: "nobody listens", durationMs: 0 };

/** Creates a webhook whose requests are fetched. `forward` is the listener's own target; it is shown, never called. */
export async function openListener(
  deps: Deps,
  { brandUuid, forward }: { brandUuid: string; forward: string },
): Promise<{ uuid: string; signingSecret: string }> {
  if (!URL.canParse(forward)) throw invalid([{ path: "body.forward", message: "must be an address" }]);
  await sweepListeners(deps);
  const heardAt = deps.realClock.now();
  return await insertEndpoint(deps, brandUuid, { url: forward, authentication: { type: "none" }, heardAt });
}

/** Takes the requests that wait for a listener, each only once. Waits up to `waitMs` for the first request. */
export async function takeForwards(
  deps: Deps,
  { uuid, waitMs, signal }: { uuid: string; waitMs: number; signal: AbortSignal },
): Promise<Forward[]> {
  for (let waited = 0; ; waited += lookMs) {
    if (waited % (silentMs / 6) === 0) await noteHeard(deps, uuid);
    const taken = await takeOnce(deps, uuid);
    if (taken.length > 0 || waited >= waitMs || signal.aborted) return taken;
    // The signal ends the wait when the service stops or the caller disconnects.
    await pause(lookMs, undefined, { signal }).catch(() => {});
  }
}

async function noteHeard(deps: Deps, uuid: string): Promise<void> {
  const heard = await deps.db
    .updateTable("webhook_endpoint")
    .set({ heard_at: deps.realClock.now() })
    .where("uuid", "=", uuid)
    .where("heard_at", "is not", null)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (heard.numUpdatedRows === 0n) throw refuse(404, "No such listener.");
}

async function takeOnce(deps: Deps, endpointUuid: string): Promise<Forward[]> {
  const offers = await deps.db
    .updateTable("listener_offer")
    .set({ taken: true })
    .where("delivery_uuid", "in", (eb) =>
      eb
        .selectFrom("listener_offer")
        .select("delivery_uuid")
        .where("endpoint_uuid", "=", endpointUuid)
        .where("taken", "=", false)
        .limit(takenMax)
        .forUpdate()
        .skipLocked(),
    )
    .returning(["delivery_uuid", "started_at"])
    .execute();
  const forwards: Forward[] = [];
  for (const offer of offers) {
    const due = await readDue(deps, offer.delivery_uuid);
    if (due === null) continue;
    const request = requestFor(deps, due, offer.started_at);
    if ("error" in request) continue;
    const { headers, body } = request;
    const { uuid: delivery, event } = due;
    forwards.push({ delivery, event, attempt: due.attempts + 1, at: offer.started_at, headers, body });
  }
  return forwards;
}

/** Records the result of a fetched request; 409 if it is too late or was already reported. */
export async function answerForward(
  deps: Deps,
  what: { uuid: string; delivery: string; httpStatus?: number; error?: string; durationMs: number },
): Promise<void> {
  if ((what.httpStatus === undefined) === (what.error === undefined))
    throw invalid([{ path: "body", message: "must have either httpStatus or error" }]);
  const told = await deps.db
    .updateTable("listener_offer")
    .set({ http_status: what.httpStatus ?? null, error: what.error ?? null, duration_ms: what.durationMs })
    .where("delivery_uuid", "=", what.delivery)
    .where("endpoint_uuid", "=", what.uuid)
    .where("taken", "=", true)
    .where("duration_ms", "is", null)
    .executeTakeFirst();
  if (told.numUpdatedRows === 0n) throw refuse(409, "Nothing waits for this answer: it came too late, or twice.");
}

/** Offers one attempt to a listener and waits for the result, as long as for any receiver. */
export async function askListener(
  deps: Deps,
  { deliveryUuid, endpointUuid, startedAt }: { deliveryUuid: string; endpointUuid: string; startedAt: number },
): Promise<OutboundAnswer> {
  if (!(await listens(deps, endpointUuid))) return notThere;
  const fresh = { taken: false, started_at: startedAt, http_status: null, error: null, duration_ms: null };
  await deps.db
    .insertInto("listener_offer")
    .values({ delivery_uuid: deliveryUuid, endpoint_uuid: endpointUuid, ...fresh })
    .onConflict((conflict) => conflict.column("delivery_uuid").doUpdateSet(fresh))
    .execute();
  let answer: OutboundAnswer = { kind: "failed", error: "timeout", durationMs: deliveryTimeoutMs };
  for (let waited = 0; waited < deliveryTimeoutMs; waited += lookMs) {
    const told = await answerTo(deps, { deliveryUuid, waited });
    if (told !== null) {
      answer = told;
      break;
    }
    await pause(lookMs);
  }
  await deps.db.deleteFrom("listener_offer").where("delivery_uuid", "=", deliveryUuid).execute();
  return answer;
}

/** Null while the listener may still answer. */
async function answerTo(
  deps: Deps,
  { deliveryUuid, waited }: { deliveryUuid: string; waited: number },
): Promise<OutboundAnswer | null> {
  const row = await deps.db
    .selectFrom("listener_offer")
    .selectAll()
    .where("delivery_uuid", "=", deliveryUuid)
    .executeTakeFirst();
  // Deleting the listener deletes its offers.
  if (row === undefined) return notThere;
  const { http_status: status, error, duration_ms: durationMs } = row;
  if (durationMs === null) return row.taken || waited < fetchedWithinMs ? null : notThere;
  if (status !== null) return { kind: "answered", status, durationMs };
  return { kind: "failed", error: error ?? "connection failed", durationMs };
}

async function listens(deps: Deps, uuid: string): Promise<boolean> {
  const row = await deps.db
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("uuid", "=", uuid)
    .where("deleted_at", "is", null)
    .where("heard_at", ">", deps.realClock.now() - silentMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes listeners that stopped without deleting themselves, and ends their pending deliveries. */
export async function sweepListeners(deps: Deps): Promise<void> {
  const gone = await deps.db
    .selectFrom("webhook_endpoint")
    .select("uuid")
    .where("environment", "=", deps.environment)
    .where("deleted_at", "is", null)
    .where("heard_at", "<=", deps.realClock.now() - goneMs)
    .limit(sweptMax)
    .execute();
  for (const { uuid } of gone) {
    // Another process may have deleted it already.
    if ((await findEndpoint(deps, deps.db, uuid)) !== null) await deleteEndpoint(deps, uuid);
  }
}
