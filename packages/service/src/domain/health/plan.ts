import type { HealthPlan, ParsedEdi271 } from "@countersign/contract/health";
import { stateCodeOf } from "../credential/us-regions.ts";
import type { DirectoryPayer, FoundCoverage } from "../ports.ts";
import type { PlanFacts } from "./network.ts";
import { type Addressed, medicareGroup, wirePayer } from "./payers.ts";
import { coverageTypesOf } from "./x12/codes.ts";

const medicareInsurance = ["MA", "MB", "HN"];

/** A plan from discovery, before or without a check. */
export function discoveredPlan(deps: Addressed, payer: DirectoryPayer, found: FoundCoverage): HealthPlan {
  const { serviceTypeCodes, coverageTypes = serviceTypeCodes && coverageTypesOf(serviceTypeCodes) } = found;
  return {
    memberId: found.memberId,
    payer: wirePayer(deps, payer),
    verificationMethod: "clearinghouse",
    ...(coverageTypes === undefined ? {} : { coverageTypes }),
    ...(serviceTypeCodes === undefined ? {} : { serviceTypeCodes }),
    isMedicare: found.isMedicare ?? payer.groups.includes(medicareGroup),
  };
}

/** A plan that the user typed, before or without a check. */
export function typedPlan(deps: Addressed, payer: DirectoryPayer, memberId: string): HealthPlan {
  return {
    memberId,
    payer: wirePayer(deps, payer),
    verificationMethod: "self_attested",
    isMedicare: payer.groups.includes(medicareGroup),
  };
}

/** The plan without member data, except the member ID that the person typed. */
export function withoutMember({ memberId, payer, verificationMethod, coverageTypes }: HealthPlan): HealthPlan {
  return {
    memberId: verificationMethod === "self_attested" ? memberId : "",
    payer,
    ...(verificationMethod === undefined ? {} : { verificationMethod }),
    ...(coverageTypes === undefined ? {} : { coverageTypes }),
  };
}

/** A plan with its payer's answer. */
export function checkedPlan(
  payer: DirectoryPayer,
  known: HealthPlan,
  { x12, eligibility }: { x12: string | null; eligibility: ParsedEdi271 },
): HealthPlan {
  const types = eligibility.coverageType ?? known.coverageTypes;
  // Payers also list services that they do not cover. Keep only the directory's coverage types, unless none is left.
  const covered = types?.filter((type) => payer.coverageTypes.includes(type)) ?? [];
  const coverageTypes = covered.length > 0 ? covered : types;
  const codes = eligibility.serviceTypeCodes ?? known.serviceTypeCodes;
  const insurance = eligibility.plan?.insuranceTypeCodes ?? [];
  const isActive = eligibility.coverageStatus === "active";
  return {
    memberId: eligibility.member?.memberId ?? known.memberId,
    payer: known.payer,
    verificationMethod: "clearinghouse",
    ...(coverageTypes === undefined ? {} : { coverageTypes }),
    ...(codes === undefined ? {} : { serviceTypeCodes: codes }),
    isMedicare:
      payer.groups.includes(medicareGroup) ||
      (isActive ? insurance.some((code) => medicareInsurance.includes(code)) : known.isMedicare === true),
    ...(x12 === null ? {} : { edi_271: x12 }),
    eligibility:
      coverageTypes === undefined || eligibility.coverageType === undefined
        ? eligibility
        : { ...eligibility, coverageType: coverageTypes },
  };
}

/** The facts that network rules test. What the 271 lacks is unknown; a missing insurance type is the fact `NONE`. */
export function planFacts(
  payer: DirectoryPayer,
  checked: { eligibility: ParsedEdi271; relatedEntities: readonly string[] },
  requestState: string | undefined,
): PlanFacts {
  const { plan, member, payer: answering } = checked.eligibility;
  const named = member?.address?.state ?? requestState;
  const state = named === undefined ? undefined : (stateCodeOf(named) ?? named);
  const insurance = plan?.insuranceTypeCodes ?? [];
  return {
    payerId: [payer.vendorId, ...payer.groups, ...payer.ids],
    payerName: [payer.name, ...(answering === undefined ? [] : [answering.name])],
    insuranceTypeCodes: insurance.length === 0 ? ["NONE"] : insurance,
    ...(state === undefined ? {} : { state: [state] }),
    ...(plan?.name === undefined ? {} : { planName: [plan.name] }),
    ...(checked.relatedEntities.length === 0 ? {} : { relatedEntities: checked.relatedEntities }),
    ...(plan?.groupNumber === undefined ? {} : { groupNumber: [plan.groupNumber] }),
    ...(plan?.groupName === undefined ? {} : { groupName: [plan.groupName] }),
  };
}
