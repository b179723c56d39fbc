/**
 * Webhooks for a machine that cannot be reached from outside. The listener on that machine fetches the request of an
 * attempt and reports the result; retries and dead letters work as for other webhooks. Whether a listener is present
 * depends on real time, because the sandbox's clock can move by weeks.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { Forward } from "@countersign/contract/listener";
import { hourMs, minuteMs } from "@countersign/contract/time";
import { webhookEvents } from "@countersign/contract/webhook";
import type { AccountActor } from "../audit/account-audit-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { everyCell } from "../every-cell.ts";
import { invalid, refuse } from "../failure.ts";
import type { OutboundAnswer } from "../ports.ts";
import { createEndpoint, deleteEndpointFrom, endDeliveriesToDeleted } from "./endpoint.ts";
import { findEndpoint, hasPolled, listSilentListeners, recordPoll } from "./endpoint-rows.ts";
import { answerOffer, deleteOffer, findListenerOffer, insertOffer, takeOffers } from "./offer-rows.ts";
import { deliveryTimeoutMs, readDue, requestFor } from "./request.ts";

/** How often a waiting call polls the table that all processes share, in milliseconds. */
const lookMs = 200;
/** A listener that has not polled for this long is absent. */
const silentMs = minuteMs;
/** A listener that has not polled for this long is deleted. */
const goneMs = hourMs;
/**
 * A listener fetches requests at once. A request that is not fetched within this time means that no listener is
 * present.
 */
const fetchedWithinMs = 5_000;
/** Maximum number of requests per call, and of listeners that one sweep deletes. */
const takenMax = 20;
const sweptMax = 1_000;

/** A listener gets every event, because it has no settings. */
const listening = { authentication: { type: "none" }, events: webhookEvents } as const;
const notThere: OutboundAnswer = { kind: "failed", error: "no listener is connected", durationMs: 0 };

/** Creates a webhook whose requests are fetched. `forward` is the listener's own target; it is shown, never called. */
export async function openListener(
  deps: HomeDeps,
  { brandUuid, forward }: { brandUuid: string; forward: string },
  by?: AccountActor,
): Promise<{ uuid: string; signingSecret: string }> {
  if (!URL.canParse(forward))
    throw invalid([{ path: "body.forward", message: "Use a URL, such as http://localhost:3000/webhooks." }]);
  await deleteSilent(deps, deps.cells.all());
  const heardAt = deps.realClock.now();
  return await createEndpoint(deps, brandUuid, { ...listening, url: forward, heardAt }, by);
}

/** Takes the requests that wait for a listener, each only once. Waits up to `waitMs` for the first request. */
export async function takeForwards(
  deps: HomeDeps,
  { uuid, waitMs, signal }: { uuid: string; waitMs: number; signal: AbortSignal },
): Promise<Forward[]> {
  for (let waited = 0; ; waited += lookMs) {
    if (waited % (silentMs / 6) === 0 && !(await recordPoll(deps.home, uuid, deps.realClock.now())))
      throw refuse(404, "No such listener.");
    const taken = (await everyCell(deps, (cell) => takeOnce(cell, uuid))).flat();
    if (taken.length > 0 || waited >= waitMs || signal.aborted) return taken;
    // The signal ends the wait when the service stops or the caller disconnects.
    await pause(lookMs, undefined, { signal }).catch(() => {});
  }
}

async function takeOnce(deps: Deps, endpointUuid: string): Promise<Forward[]> {
  const offers = await takeOffers(deps.db, { endpointUuid, max: takenMax });
  const forwards: Forward[] = [];
  for (const { deliveryUuid, startedAt } of offers) {
    const due = await readDue(deps, deliveryUuid);
    if (due === null) continue;
    const request = requestFor(deps, due, startedAt);
    if ("error" in request) continue;
    const { headers, body } = request;
    const { uuid: delivery, event } = due;
    forwards.push({ delivery, event, attempt: due.attempts + 1, at: startedAt, headers, body });
  }
  return forwards;
}

/** Records the result of a fetched request. Throws 409 if it is too late or was already reported. */
export async function answerForward(
  deps: Deps,
  input: { uuid: string; delivery: string; httpStatus?: number; error?: string; durationMs: number },
): Promise<void> {
  if ((input.httpStatus === undefined) === (input.error === undefined))
    throw invalid([{ path: "body", message: "Use either httpStatus or error." }]);
  const isFirst = await answerOffer(deps.db, {
    deliveryUuid: input.delivery,
    endpointUuid: input.uuid,
    httpStatus: input.httpStatus ?? null,
    error: input.error ?? null,
    durationMs: input.durationMs,
  });
  if (!isFirst) throw refuse(409, "This answer was too late, or was already reported.");
}

/** Offers an attempt to a listener and waits for the result, with the timeout of any receiver. */
export async function askListener(
  deps: Deps,
  { deliveryUuid, endpointUuid, startedAt }: { deliveryUuid: string; endpointUuid: string; startedAt: number },
): Promise<OutboundAnswer> {
  if (!(await hasPolled(deps.home, endpointUuid, deps.realClock.now() - silentMs))) return notThere;
  await insertOffer(deps.db, { deliveryUuid, endpointUuid, startedAt });
  let answer: OutboundAnswer = { kind: "failed", error: "timeout", durationMs: deliveryTimeoutMs };
  for (let waited = 0; waited < deliveryTimeoutMs; waited += lookMs) {
    const given = await answerTo(deps, { deliveryUuid, waited });
    if (given !== null) {
      answer = given;
      break;
    }
    await pause(lookMs);
  }
  await deleteOffer(deps.db, deliveryUuid);
  return answer;
}

/** Null while the listener may still answer. */
async function answerTo(
  deps: Deps,
  { deliveryUuid, waited }: { deliveryUuid: string; waited: number },
): Promise<OutboundAnswer | null> {
  const row = await findListenerOffer(deps.db, deliveryUuid);
  // Deleting a listener also deletes its offers.
  if (row === undefined) return notThere;
  const { http_status: status, error, duration_ms: durationMs } = row;
  if (durationMs === null) return row.taken || waited < fetchedWithinMs ? null : notThere;
  if (status !== null) return { kind: "answered", status, durationMs };
  return { kind: "failed", error: error ?? "connection failed", durationMs };
}

/**
 * Deletes listeners that stopped without deleting themselves, and ends this cell's deliveries to deleted webhooks.
 * Every cell runs this sweep, so it also completes interrupted deletions.
 */
export async function sweepListeners(deps: Deps): Promise<void> {
  await deleteSilent(deps, [deps]);
  await endDeliveriesToDeleted(deps);
}

async function deleteSilent(deps: HomeDeps, cells: readonly Deps[]): Promise<void> {
  const since = deps.realClock.now() - goneMs;
  for (const uuid of await listSilentListeners(deps, { since, max: sweptMax })) {
    // Another process may have deleted it already.
    if ((await findEndpoint(deps, deps.home, uuid)) !== null) await deleteEndpointFrom(deps, cells, uuid);
  }
}
