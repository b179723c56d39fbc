import { isUuid } from "@countersign/contract/primitives";
import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { isFinal } from "./states.ts";
import { findLookup, type HealthLookup } from "./store.ts";

/** Reads a brand's lookup; 404 if it is unknown, erased or another brand's. Reads that return plans are recorded. */
export async function readLookup(deps: Deps, caller: Caller, uuid: string): Promise<HealthLookup> {
  const lookup = isUuid(uuid) ? await findLookup(deps, deps.db, uuid) : null;
  if (lookup === null || lookup.brandUuid !== caller.brand.uuid) throw refuse(404, "No such health data.");
  if (!isFinal(lookup.state) || lookup.result === null || lookup.result.results.length === 0) return lookup;
  await deps.db.inTransaction((trx) =>
    recordAudit(deps, trx, caller, {
      action: "health.read",
      ...(lookup.personUuid === null ? {} : { personUuid: lookup.personUuid }),
      detail: { healthDataUuid: lookup.uuid },
    }),
  );
  return lookup;
}
