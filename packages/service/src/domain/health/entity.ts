import type { HealthEntity, HealthStatus } from "@countersign/contract/health";
import type { HealthState } from "./states.ts";
import type { HealthLookup } from "./store.ts";

const statuses: Record<HealthState, HealthStatus> = {
  pending: "PENDING",
  processing: "PROCESSING",
  succeeded: "SUCCEEDED",
  partial: "PARTIAL",
  failed: "FAILED",
};

/** A lookup as a 1ClickHealthEntity. Results stand in it from the final state on. */
export function healthEntity({ uuid, question, state, result }: HealthLookup): HealthEntity {
  return {
    healthDataUuid: uuid,
    ...(question.externalReference === undefined ? {} : { externalReference: question.externalReference }),
    status: statuses[state],
    ...(result === null ? {} : { results: result.results }),
    ...(result === null || result.errors.length === 0 ? {} : { errors: result.errors }),
  };
}
