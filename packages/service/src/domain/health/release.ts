import type { Trx } from "../../store/database.ts";
import { recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { healthLookupEvent as event, publish } from "../webhook/publish.ts";
import { finalState, type HealthLookup, type HealthResult, type HealthState, healthLifeMs } from "./lookup.ts";
import { saveResult } from "./lookup-rows.ts";
import { healthEntity } from "./read.ts";

/** Stores a result that waits for the person's decision. It expires after the same time as a final result. */
export async function offerResult(deps: Deps, trx: Trx, lookup: HealthLookup, result: HealthResult): Promise<void> {
  await keepResult(deps, trx, lookup, { state: "offered", result, after: ["pending", "processing"] });
}

/**
 * Stores the final result with its audit entry and tells the brand's webhooks. `consent` is the uuid of the person's
 * consent if the person decided. False if another worker or another decision was first.
 */
export async function releaseResult(
  deps: Deps,
  trx: Trx,
  lookup: HealthLookup,
  result: HealthResult,
  { endpointUuids, consent }: { endpointUuids: readonly string[]; consent?: string | undefined },
): Promise<boolean> {
  const state = finalState({ results: result.results.length, errors: result.errors.length });
  const after = lookup.state === "offered" ? (["offered"] as const) : (["pending", "processing"] as const);
  if (!(await keepResult(deps, trx, lookup, { state, result, after }))) return false;
  const by = { brand: { uuid: lookup.brandUuid }, apiKeyUuid: lookup.apiKeyUuid, requestId: lookup.requestId };
  await recordAudit(deps, trx, by, {
    action: "health.released",
    ...(lookup.personUuid === null ? {} : { personUuid: lookup.personUuid }),
    detail: {
      healthDataUuid: lookup.uuid,
      state,
      plans: String(result.results.length),
      ...(consent === undefined ? {} : { consent }),
    },
  });
  await publishResult(deps, trx, { ...lookup, state, result }, endpointUuids);
  return true;
}

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
