import { described, stringEnum, t } from "../primitives.ts";

const Resource = t.Object(
  {
    resourceType: described(
      stringEnum("Patient", "Organization", "Coverage", "CoverageEligibilityResponse"),
      "`Patient`, `Organization` (the payer), `Coverage` or `CoverageEligibilityResponse`.",
    ),
    id: t.String({ description: "The resource's id." }),
  },
  { additionalProperties: true, description: "A FHIR R4 resource" },
);

/** A FHIR R4 Bundle. FHIR itself defines the members of its resources. */
const FhirBundle = t.Object(
  {
    resourceType: described(stringEnum("Bundle"), "Always `Bundle`."),
    type: described(stringEnum("collection"), "Always `collection`."),
    identifier: t.Object(
      {
        system: t.String({ description: "The kind of `value`." }),
        value: t.String({ description: "`healthDataUuid`." }),
      },
      { description: "The lookup." },
    ),
    timestamp: t.String({ format: "date-time", description: "When the lookup was requested." }),
    entry: described(
      t.Array(
        t.Object({
          fullUrl: t.String({ description: "The URL by which other resources of the Bundle refer to this one." }),
          resource: described(Resource, "The resource."),
        }),
      ),
      "The resources.",
    ),
  },
  { description: "The lookup as a FHIR R4 Bundle" },
);

const urn = (last: string) => `urn:uuid:0d6f8f5a-3a0e-4c1b-8f0e-5b7c2d1e9a${last}`;
const system = "http://terminology.hl7.org/CodeSystem";
const request = { system: "urn:ietf:rfc:3986", value: "urn:uuid:7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11" };
const memberNumber = { type: { coding: [{ system: `${system}/v2-0203`, code: "MB" }] }, value: "A664048" };
const entryOf = (last: string, resource: { resourceType: string } & Record<string, unknown>) => ({
  fullUrl: urn(last),
  resource: { ...resource, id: urn(last).slice("urn:uuid:".length) },
});

/** The reply of `readHealthLookup` for callers that prefer FHIR. */
export const fhirReply = {
  type: "application/fhir+json",
  description: "With `Accept: application/fhir+json`, the answer is a FHIR R4 Bundle.",
  schema: FhirBundle,
  example: {
    resourceType: "Bundle",
    type: "collection",
    identifier: request,
    timestamp: "2026-11-21T12:00:00.000Z",
    entry: [
      entryOf("01", { resourceType: "Patient", identifier: [memberNumber] }),
      entryOf("02", {
        resourceType: "Organization",
        identifier: [{ value: "V404110" }, { value: "60054" }],
        type: [{ coding: [{ system: `${system}/organization-type`, code: "pay" }] }],
        name: "Aetna",
      }),
      entryOf("03", {
        resourceType: "Coverage",
        status: "draft",
        identifier: [memberNumber],
        subscriberId: "A664048",
        beneficiary: { reference: urn("01") },
        payor: [{ reference: urn("02"), display: "Aetna" }],
      }),
      entryOf("04", {
        resourceType: "CoverageEligibilityResponse",
        identifier: [request],
        status: "active",
        purpose: ["discovery"],
        patient: { reference: urn("01") },
        created: "2026-11-21T12:00:00.000Z",
        request: { type: "CoverageEligibilityRequest", identifier: request },
        outcome: "complete",
        insurer: { reference: urn("02"), display: "Aetna" },
        insurance: [{ coverage: { reference: urn("03") } }],
      }),
    ],
  },
};
