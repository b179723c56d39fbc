/** How the steps of a lookup end: what is stored then, what the brand reads, and when it is erased. */

import type { HealthEntity, HealthStatus } from "@countersign/contract/health";
import { isUuid } from "@countersign/contract/primitives";
import { dayMs } from "@countersign/contract/time";
import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { listEnabledEndpoints } from "../webhook/endpoint-rows.ts";
import { healthLookupEvent as event, publish } from "../webhook/publish.ts";
import {
  finalState,
  type HealthLookup,
  type HealthResult,
  type HealthState,
  healthLifeMs,
  isFinal,
  lookupJob,
} from "./lookup.ts";
import { eraseContents, findLookup, listUnusedLookupKeys, lockExpiredLookups, saveResult } from "./lookup-rows.ts";
import type { Delayed } from "./paid-call.ts";
import { deletePaidCalls } from "./paid-call-rows.ts";

type SharedPlan = { consent: string; brandName: string };
export type LookupOutcome = { kind: "ended"; result: HealthResult } | Delayed;

/** An outcome without a plan. */
export function failed(...errors: string[]): LookupOutcome {
  return { kind: "ended", result: { results: [], errors: errors.map((message) => ({ message })) } };
}

/**
 * Stores an outcome. A result is released to the brand, or waits for the decision of the person who started the lookup.
 * A delayed lookup gets another job.
 */
export async function saveLookupOutcome(deps: Deps, lookup: HealthLookup, outcome: LookupOutcome): Promise<void> {
  if (outcome.kind === "delayed") {
    const job = lookupJob(deps, { ...lookup, dueAt: outcome.dueAt });
    return await deps.db.inTransaction((trx) => enqueue(deps, trx, job));
  }
  const { result } = outcome;
  if (lookup.startedByPerson) {
    const offered = { state: "offered", result, after: ["pending", "processing"] } as const;
    await deps.db.inTransaction((trx) => keepResult(deps, trx, lookup, offered));
    return;
  }
  const endpointUuids = await listEnabledEndpoints(deps, lookup.brandUuid, event);
  await deps.db.inTransaction((trx) => releaseResult(deps, trx, lookup, result, { endpointUuids }));
}

/**
 * Stores the final result with its audit entry and tells the brand's webhooks. `decision`: the uuid of the person's
 * consent and the brand's name on the screen, if the person shared a plan. False if another worker or another decision
 * was first.
 */
export async function releaseResult(
  deps: Deps,
  trx: Trx,
  lookup: HealthLookup,
  result: HealthResult,
  { endpointUuids, decision }: { endpointUuids: readonly string[]; decision?: SharedPlan | undefined },
): Promise<boolean> {
  const state = finalState({ results: result.results.length, errors: result.errors.length });
  const after = lookup.state === "offered" ? (["offered"] as const) : (["pending", "processing"] as const);
  if (!(await keepResult(deps, trx, lookup, { state, result, after }))) return false;
  const by = { brand: { uuid: lookup.brandUuid }, apiKeyUuid: lookup.apiKeyUuid, requestId: lookup.requestId };
  await recordAudit(deps, trx, by, {
    // Without a plan, the brand got nothing about the person.
    action: result.results.length === 0 ? "health.ended" : "health.released",
    ...(lookup.personUuid === null ? {} : { personUuid: lookup.personUuid }),
    detail: {
      healthDataUuid: lookup.uuid,
      state,
      plans: String(result.results.length),
      ...decision,
    },
  });
  await publishResult(deps, trx, { ...lookup, state, result }, endpointUuids);
  return true;
}

/** Stores a result. It expires after the same time whether it is final or waits for the person's decision. */
async function keepResult(
  deps: Deps,
  trx: Trx,
  lookup: HealthLookup,
  input: { state: HealthState; result: HealthResult; after: readonly HealthState[] },
): Promise<boolean> {
  return await saveResult(deps, trx, lookup, { ...input, expiresAt: deps.clock.now() + healthLifeMs });
}

/** Queues the result for the brand's webhooks. The body has the same data as polling. */
async function publishResult(
  deps: Deps,
  trx: Trx,
  lookup: HealthLookup,
  endpointUuids: readonly string[],
): Promise<void> {
  const { healthDataUuid, externalReference, ...rest } = healthEntity(lookup);
  await publish(deps, trx, {
    brandUuid: lookup.brandUuid,
    endpointUuids,
    event,
    subjectUuid: lookup.uuid,
    dataKey: lookup.dataKey,
    body: {
      event,
      healthDataUuid,
      ...(externalReference === undefined ? {} : { externalReference }),
      sentAt: deps.clock.now(),
      ...rest,
    },
  });
}

/** Reads a brand's lookup; 404 if it is unknown, erased or another brand's. Reads that return plans are recorded. */
export async function readLookup(deps: Deps, caller: Caller, uuid: string): Promise<HealthLookup> {
  const find = async () => {
    const found = isUuid(uuid) ? await findLookup(deps, deps.db, uuid) : null;
    if (found === null || found.brandUuid !== caller.brand.uuid) throw refuse(404, "No such health data.");
    return found;
  };
  const lookup = await find();
  if (!isFinal(lookup.state) || lookup.result === null || lookup.result.results.length === 0) return lookup;
  await deps.db.inTransaction((trx) =>
    recordAudit(deps, trx, caller, {
      action: "health.read",
      ...(lookup.personUuid === null ? {} : { personUuid: lookup.personUuid }),
      detail: { healthDataUuid: lookup.uuid },
    }),
  );
  // Read again, because the person may have stopped sharing meanwhile.
  return await find();
}

const statuses: Record<HealthState, HealthStatus> = {
  pending: "PENDING",
  processing: "PROCESSING",
  offered: "PROCESSING",
  succeeded: "SUCCEEDED",
  partial: "PARTIAL",
  failed: "FAILED",
};

/** Converts a lookup to a 1ClickHealthEntity. Results are included only in a final state. */
export function healthEntity({ uuid, question, state, result }: HealthLookup): HealthEntity {
  const given = isFinal(state) ? result : null;
  return {
    healthDataUuid: uuid,
    ...(question.externalReference === undefined ? {} : { externalReference: question.externalReference }),
    status: statuses[state],
    ...(given === null ? {} : { results: given.results }),
    ...(given === null || given.errors.length === 0 ? {} : { errors: given.errors }),
  };
}

/** How far back to look for keys of erased lookups. All deliveries of a lookup end before that. */
const keysSinceMs = 30 * dayMs;
/** Keys destroyed by one sweep. The next sweep destroys the rest. */
const keysMax = 5_000;

/**
 * Erases the data of expired lookups, including payers' answers. Returns how many lookups there were, at most `max`.
 */
export async function eraseExpiredLookups({ db, environment, clock }: Deps, max: number): Promise<number> {
  const now = clock.now();
  return await db.inTransaction(async (trx) => {
    const uuids = await lockExpiredLookups(trx, { environment, now, max });
    await Promise.all([deletePaidCalls(trx, uuids), eraseContents(trx, uuids, now)]);
    return uuids.length;
  });
}

/** Destroys keys that belong only to erased lookups, once no webhook delivery needs them. */
export async function destroyLookupKeys({ db, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  await db.inTransaction(async (trx) => {
    const keys = await listUnusedLookupKeys(trx, { environment, since: now - keysSinceMs, max: keysMax });
    await destroyDataKeys(trx, keys, now);
  });
}
