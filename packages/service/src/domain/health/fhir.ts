import type { HealthEntity, HealthPlan } from "@countersign/contract/health";
import { codeIn, type Fhir, insuranceItems, without } from "./fhir-benefits.ts";

/** The JSON media type of FHIR. */
export const fhirType = "application/fhir+json";

/** Status of the lookup → outcome of the response. */
const outcomes = {
  PENDING: "queued",
  PROCESSING: "queued",
  SUCCEEDED: "complete",
  PARTIAL: "partial",
  FAILED: "error",
} as const satisfies Record<HealthEntity["status"], string>;

/**
 * A lookup as a FHIR R4 Bundle. Each plan has a Patient, a payer's Organization, a Coverage and a
 * CoverageEligibilityResponse. A lookup without a plan has one response, with its errors.
 */
export function fhirBundle(entity: HealthEntity, { createdAt }: { createdAt: number }): Fhir {
  const created = new Date(createdAt).toISOString();
  const plans = entity.results ?? [];
  const resources =
    plans.length === 0
      ? responseWithoutPlan(entity, created)
      : plans.flatMap((plan, at) => resourcesOf(entity, { plan, at, created }));
  return {
    resourceType: "Bundle",
    type: "collection",
    identifier: lookupIdentifier(entity),
    timestamp: created,
    entry: resources.map(({ id, resource }) => ({ fullUrl: `urn:uuid:${id}`, resource: { ...resource, id } })),
  };
}

type Resource = { id: string; resource: Fhir };

const lookupIdentifier = ({ healthDataUuid }: HealthEntity): Fhir => ({
  system: "urn:ietf:rfc:3986",
  value: `urn:uuid:${healthDataUuid}`,
});

const kinds = ["patient", "payer", "coverage", "response"] as const;
const firstDigits = 8;

/** An id that stays the same for a lookup, so that two reads give the same resources: its own id, plus a number. */
function idOf({ healthDataUuid }: HealthEntity, kind: (typeof kinds)[number], at = 0): string {
  const number = 1 + at * kinds.length + kinds.indexOf(kind);
  const first = (Number.parseInt(healthDataUuid.slice(0, firstDigits), 16) + number) % 16 ** firstDigits;
  return `${first.toString(16).padStart(firstDigits, "0")}${healthDataUuid.slice(firstDigits)}`;
}

const reference = (id: string, display?: string): Fhir => without({ reference: `urn:uuid:${id}`, display });

type PlanOf = { plan: HealthPlan; at: number; created: string };

function resourcesOf(entity: HealthEntity, { plan, at, created }: PlanOf): Resource[] {
  const ids = {
    patient: idOf(entity, "patient", at),
    payer: idOf(entity, "payer", at),
    coverage: idOf(entity, "coverage", at),
    response: idOf(entity, "response", at),
  };
  const { eligibility } = plan;
  const isInforce = { active: true, inactive: false, indeterminate: undefined }[
    eligibility?.coverageStatus ?? "indeterminate"
  ];
  const period = periodOf(plan);
  const insurance = without({
    coverage: reference(ids.coverage),
    inforce: isInforce,
    benefitPeriod: period,
    item: insuranceItems(eligibility?.benefits ?? []),
    extension: networkOf(plan),
  });
  return [
    { id: ids.patient, resource: patientOf(plan) },
    { id: ids.payer, resource: payerOf(plan) },
    { id: ids.coverage, resource: coverageOf(plan, ids, period) },
    {
      id: ids.response,
      resource: without({
        ...responseOf(entity, created),
        purpose: eligibility === undefined ? ["discovery"] : ["validation", "benefits"],
        patient: reference(ids.patient),
        insurer: reference(ids.payer, plan.payer.name),
        insurance: [insurance],
      }),
    },
  ];
}

/** What every response says. The request is not stored as a resource, so it is referred to by the lookup's id. */
function responseOf(entity: HealthEntity, created: string): Fhir {
  return without({
    resourceType: "CoverageEligibilityResponse",
    identifier: [
      lookupIdentifier(entity),
      ...(entity.externalReference === undefined ? [] : [{ value: entity.externalReference }]),
    ],
    status: "active",
    created,
    request: { type: "CoverageEligibilityRequest", identifier: lookupIdentifier(entity) },
    outcome: outcomes[entity.status],
    error: errorsOf(entity),
  });
}

/** The errors of the lookup. A payer's rejection also has its X12 code (AAA03). */
function errorsOf({ errors = [] }: HealthEntity): Fhir[] {
  return errors.map(({ message }) => {
    const code = /\(AAA (\w{2})\)$/.exec(message)?.[1];
    return { code: without({ coding: code === undefined ? undefined : [codeIn("rejection", code)], text: message }) };
  });
}

/** FHIR requires a patient and an insurer. Without a plan, neither is known. */
function responseWithoutPlan(entity: HealthEntity, created: string): Resource[] {
  const unknown = { display: "Unknown" };
  const resource = { ...responseOf(entity, created), purpose: ["discovery"], patient: unknown, insurer: unknown };
  return [{ id: idOf(entity, "response"), resource }];
}

const memberNumber = (plan: HealthPlan): Fhir => ({
  type: { coding: [codeIn("identifierType", "MB")] },
  value: plan.memberId,
});

function patientOf(plan: HealthPlan): Fhir {
  const { fullName, birthDate, sex, address } = plan.eligibility?.member ?? {};
  const { firstName, lastName } = fullName ?? {};
  const lines = [address?.line1, address?.line2].filter((line) => line !== undefined);
  return without({
    resourceType: "Patient",
    identifier: plan.memberId === "" ? [] : [memberNumber(plan)],
    name:
      fullName === undefined
        ? undefined
        : [without({ use: "official", family: lastName, given: firstName === undefined ? undefined : [firstName] })],
    gender: sex === undefined ? undefined : { Male: "male", Female: "female" }[sex],
    birthDate,
    address:
      address === undefined
        ? undefined
        : [
            without({
              line: lines,
              city: address.city,
              state: address.state,
              postalCode: address.zipCode,
            }),
          ],
  });
}

function payerOf({ payer, eligibility }: HealthPlan): Fhir {
  const contacts = (eligibility?.contacts ?? []).flatMap(({ name, phone, fax, email, url }) => {
    const telecom = Object.entries({ phone, fax, email, url }).flatMap(([system, value]) =>
      value === undefined ? [] : [{ system, value }],
    );
    return telecom.length === 0 ? [] : [without({ name: name === undefined ? undefined : { text: name }, telecom })];
  });
  return without({
    resourceType: "Organization",
    identifier: [payer.vendorId, ...payer.ids].map((value) => ({ value })),
    type: [{ coding: [codeIn("organizationType", "pay")] }],
    name: payer.name,
    contact: contacts,
  });
}

function coverageOf(plan: HealthPlan, ids: { patient: string; payer: string }, period: Fhir | undefined): Fhir {
  const { name, groupNumber, groupName, insuranceTypeCodes = [] } = plan.eligibility?.plan ?? {};
  const classOf = (code: string, value: string | undefined, called: string | undefined) =>
    value === undefined ? [] : [without({ type: { coding: [codeIn("coverageClass", code)] }, value, name: called })];
  const classes = [...classOf("plan", name, name), ...classOf("group", groupNumber, groupName)];
  const status = { active: "active", inactive: "cancelled", indeterminate: "draft" }[
    plan.eligibility?.coverageStatus ?? "indeterminate"
  ];
  return without({
    resourceType: "Coverage",
    // A plan that its payer has not confirmed is a draft.
    status,
    identifier: plan.memberId === "" ? [] : [memberNumber(plan)],
    type:
      insuranceTypeCodes.length === 0
        ? undefined
        : { coding: insuranceTypeCodes.map((code) => codeIn("insuranceType", code)) },
    subscriberId: plan.memberId,
    beneficiary: reference(ids.patient),
    period,
    payor: [reference(ids.payer, plan.payer.name)],
    class: classes,
  });
}

function periodOf({ eligibility }: HealthPlan): Fhir | undefined {
  const { effectiveDate: start, terminationDate: end } = eligibility?.plan ?? {};
  return start === undefined && end === undefined ? undefined : without({ start, end });
}

/** FHIR R4 has no element for whether a plan is in a provider's network. */
function networkOf({ network }: HealthPlan): Fhir[] | undefined {
  if (network === undefined) return undefined;
  return [{ url: "urn:countersign:fhir:network-status", valueCode: network.status }];
}
