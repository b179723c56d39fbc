/** A part of a FHIR resource. */
export type Fhir = { [element: string]: unknown };

/** The code systems of FHIR R4, HL7 and X12 that the resources use. */
const systems = {
  benefitType: "http://terminology.hl7.org/CodeSystem/benefit-type",
  coverageClass: "http://terminology.hl7.org/CodeSystem/coverage-class",
  identifierType: "http://terminology.hl7.org/CodeSystem/v2-0203",
  network: "http://terminology.hl7.org/CodeSystem/benefit-network",
  organizationType: "http://terminology.hl7.org/CodeSystem/organization-type",
  unit: "http://terminology.hl7.org/CodeSystem/benefit-unit",
  /** EB01. */
  information: "https://codesystem.x12.org/005010/1390",
  /** EB03. */
  serviceType: "https://codesystem.x12.org/005010/1365",
  /** EB04. */
  insuranceType: "https://codesystem.x12.org/005010/1336",
  /** AAA03. */
  rejection: "https://codesystem.x12.org/005010/901",
} as const;

export const codeIn = (system: keyof typeof systems, code: string): Fhir => ({ system: systems[system], code });

/** Omits elements without a value, because FHIR allows no empty ones. */
export function without(parts: Fhir): Fhir {
  const isEmpty = (value: unknown) =>
    value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isEmpty(value)));
}
