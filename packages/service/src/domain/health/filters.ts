import type { BrandSettings } from "@countersign/contract/brand";
import type { HealthPlan } from "@countersign/contract/health";
import { wholePlan } from "./x12/codes.ts";

/** The most plans that a lookup answers. */
export const plansMax = 2;

type Wanted = { coverageTypes: BrandSettings["health"]["coverageTypes"]; serviceTypeCodes: readonly string[] };

/** Whether a plan is of a kind the brand takes, and answers a service that was asked about. 30 stands for none in particular. */
export function isWanted(plan: Pick<HealthPlan, "coverageTypes" | "serviceTypeCodes">, wanted: Wanted): boolean {
  const types = plan.coverageTypes ?? [];
  if (types.length > 0 && !types.some((type) => wanted.coverageTypes.includes(type))) return false;
  const asked = wanted.serviceTypeCodes.filter((code) => code !== wholePlan);
  const answered = (plan.serviceTypeCodes ?? []).filter((code) => code !== wholePlan);
  return asked.length === 0 || answered.length === 0 || answered.some((code) => asked.includes(code));
}

/** The same member id at the same payer is one plan, the first. */
export function withoutDoubles<Plan extends Pick<HealthPlan, "memberId" | "payer">>(plans: readonly Plan[]): Plan[] {
  const seen = new Set<string>();
  return plans.filter(({ memberId, payer }) => {
    const key = `${payer.vendorId}|${memberId.toUpperCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}
