import type { HealthEntity, HealthStatus } from "@countersign/contract/health";
import { isUuid } from "@countersign/contract/primitives";
import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { type HealthLookup, type HealthState, isFinal } from "./lookup.ts";
import { findLookup } from "./lookup-rows.ts";

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
