/**
 * Webhooks of a machine that nobody can call. An attempt is offered instead of sent: whoever listens fetches the request,
 * the same bytes, and says what came of it. Attempts, retries and dead letters are those of any webhook. Whether somebody
 * listens is a matter of real time: the sandbox's clock may be moved by weeks meanwhile.
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

/** How often a wait looks at the table, which all processes share. */
const lookMs = 200;
/** A listener that has not asked for so long is not there. */
const silentMs = 60_000;
/** One that has not asked for so long does not come back. */
const goneMs = 60 * 60_000;
/** Whoever listens fetches at once; what lies for so long lies for nobody. */
const fetchedWithinMs = 5_000;
/** Requests that one call takes, and listeners that one sweep deletes. */
const takenMax = 20;
const sweptMax = 1_000;

const notThere: OutboundAnswer = { kind: "failed", error: "nobody listens", durationMs: 0 };

/** A webhook whose requests are fetched. `forward` is where the listener says that it brings them. */
export async function openListener(
  deps: Deps,
  { brandUuid, forward }: { brandUuid: string; forward: string },
): Promise<{ uuid: string; signingSecret: string }> {
  if (!URL.canParse(forward)) throw invalid([{ path: "body.forward", message: "must be an address" }]);
  await sweepListeners(deps);
  const heardAt = deps.realClock.now();
  return await insertEndpoint(deps, brandUuid, { url: forward, authentication: { type: "none" }, heardAt });
}

/** What waits for a listener, each given out once; waits a while for the first. */
export async function takeForwards(
  deps: Deps,
  { uuid, waitMs, signal }: { uuid: string; waitMs: number; signal: AbortSignal },
): Promise<Forward[]> {
  for (let waited = 0; ; waited += lookMs) {
    if (waited % (silentMs / 6) === 0) await noteHeard(deps, uuid);
    const taken = await takeOnce(deps, uuid);
    if (taken.length > 0 || waited >= waitMs || signal.aborted) return taken;
    // Whoever closes the service, or goes away, ends the wait.
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

/** What came of a request that was fetched; 409 once its time is over. */
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

/** One attempt: offered, and waited for as long as a receiver would be. */
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

/** Null while it may still come. */
async function answerTo(
  deps: Deps,
  { deliveryUuid, waited }: { deliveryUuid: string; waited: number },
): Promise<OutboundAnswer | null> {
  const row = await deps.db
    .selectFrom("listener_offer")
    .selectAll()
    .where("delivery_uuid", "=", deliveryUuid)
    .executeTakeFirst();
  // Whoever deletes the listener takes its offers along.
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

/** Listeners that ended without saying so are deleted, and what waited for them ends. */
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
    // Another process may have been faster.
    if ((await findEndpoint(deps, deps.db, uuid)) !== null) await deleteEndpoint(deps, uuid);
  }
}
