import type { BrandSettings } from "@countersign/contract/brand";
import type { HealthPlan } from "@countersign/contract/health";
import { wholePlan } from "./x12/codes.ts";

/** Maximum number of plans in a result. */
export const plansMax = 2;

/** Which plans the brand and the request accept. */
export type Wanted = { coverageTypes: BrandSettings["health"]["coverageTypes"]; serviceTypeCodes: readonly string[] };

/**
 * Whether the brand accepts the plan's coverage types and the plan covers a requested service. Service type 30 (the
 * whole plan) does not restrict the match.
 */
export function isWanted(plan: Pick<HealthPlan, "coverageTypes" | "serviceTypeCodes">, wanted: Wanted): boolean {
  const types = plan.coverageTypes ?? [];
  if (types.length > 0 && !types.some((type) => wanted.coverageTypes.includes(type))) return false;
  const asked = wanted.serviceTypeCodes.filter((code) => code !== wholePlan);
  const answered = (plan.serviceTypeCodes ?? []).filter((code) => code !== wholePlan);
  return asked.length === 0 || answered.length === 0 || answered.some((code) => asked.includes(code));
}

/** Keeps the first of several plans with the same payer and member id. */
export function withoutDuplicates<Plan extends Pick<HealthPlan, "memberId" | "payer">>(plans: readonly Plan[]): Plan[] {
  const seen = new Set<string>();
  return plans.filter(({ memberId, payer }) => {
    const key = `${payer.vendorId}|${memberId.toUpperCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}
