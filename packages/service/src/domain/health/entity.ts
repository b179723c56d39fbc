import type { HealthEntity, HealthStatus } from "@countersign/contract/health";
import { type HealthState, isFinal } from "./states.ts";
import type { HealthLookup } from "./store.ts";

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
