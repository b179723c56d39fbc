import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Day, mapOf, oneOf, ShortText, t, Uuid } from "../primitives.ts";

const open = endpointsOf({ tag: "1-Click Health", auth: "none", cors: true });
const forBrands = endpointsOf({ tag: "1-Click Health", auth: "brandKey" });
const codes = t.Array(t.String());
const CoverageType = oneOf("medical", "dental", "vision");

/** A health insurance company, or a group of them. `ids[0]` is the primary id; `vendorId` never changes. */
export const Payer = t.Object({
  name: t.String(),
  vendorId: t.String({ description: "`V` and six digits; `GROUP_MEDICARE` and `GROUP_BLUES` are groups" }),
  ids: t.Array(t.String(), { description: "Element 0 is the primary id" }),
  logoUrl: t.Optional(t.String({ format: "uri" })),
  operatingStates: t.Optional(t.Array(t.String(), { description: "Two-letter codes, or `NATIONAL`" })),
  eligibilitySupport: t.Optional(oneOf("SUPPORTED", "ENROLLMENT_REQUIRED", "NOT_SUPPORTED")),
});
export type Payer = Static<typeof Payer>;

const EdiBenefit = t.Object({
  type: oneOf("deductible", "outOfPocket", "copay", "coinsurance", "limitation"),
  serviceTypeCodes: t.Optional(codes),
  insuranceTypeCode: t.Optional(t.String()),
  level: t.Optional(t.String({ description: "`individual` or `family`" })),
  network: t.Optional(t.String({ description: "`in` or `out`" })),
  amount: t.Optional(t.String({ description: "Decimal with at least two places" })),
  remaining: t.Optional(t.String({ description: "The remaining part of `amount`" })),
  percent: t.Optional(t.String({ description: "A fraction: `0.20`" })),
});
export type EdiBenefit = Static<typeof EdiBenefit>;

const EdiContact = t.Object({
  name: t.Optional(t.String()),
  serviceTypeCodes: t.Optional(codes),
  phone: t.Optional(t.String()),
  fax: t.Optional(t.String()),
  email: t.Optional(t.String()),
  url: t.Optional(t.String()),
});
export type EdiContact = Static<typeof EdiContact>;

/** A payer's X12 271 response in plain words. Fields that the response lacks are absent. */
export const ParsedEdi271 = t.Object({
  coverageStatus: oneOf("active", "inactive", "indeterminate"),
  coverageType: t.Optional(t.Array(CoverageType)),
  serviceTypeCodes: t.Optional(codes),
  payer: t.Optional(t.Object({ name: t.String() })),
  member: t.Optional(
    t.Object({
      memberId: t.Optional(t.String()),
      fullName: t.Optional(t.Object({ firstName: t.Optional(t.String()), lastName: t.Optional(t.String()) })),
      birthDate: t.Optional(Day),
      sex: t.Optional(oneOf("Male", "Female")),
      address: t.Optional(
        t.Object({
          line1: t.Optional(t.String()),
          line2: t.Optional(t.String()),
          city: t.Optional(t.String()),
          state: t.Optional(t.String()),
          zipCode: t.Optional(t.String()),
        }),
      ),
    }),
  ),
  plan: t.Optional(
    t.Object({
      name: t.Optional(t.String()),
      groupNumber: t.Optional(t.String()),
      groupName: t.Optional(t.String()),
      insuranceTypeCodes: t.Optional(codes),
      effectiveDate: t.Optional(Day),
      terminationDate: t.Optional(Day),
    }),
  ),
  benefits: t.Optional(t.Array(EdiBenefit)),
  contacts: t.Optional(t.Array(EdiContact)),
});
export type ParsedEdi271 = Static<typeof ParsedEdi271>;

const NetworkStatus = oneOf("IN_NETWORK", "OUT_OF_NETWORK", "INDETERMINATE");
/** The network status of a plan, and the brand's rules that decided it. */
export const NetworkDecision = t.Object({
  status: NetworkStatus,
  rules: t.Array(
    t.Object({
      uuid: t.Optional(Uuid),
      name: t.Optional(t.String()),
      status: NetworkStatus,
      notes: t.Optional(t.String()),
      metadata: t.Optional(mapOf(anyOf(t.String(), t.Number(), t.Boolean()), "`selfPay`, `priority`, `packageId`, …")),
      startDate: t.Optional(Day),
      endDate: t.Optional(Day),
      conditions: t.Array(t.Object({ key: t.String(), operator: t.String(), values: t.Array(t.String()) })),
    }),
  ),
});
export type NetworkDecision = Static<typeof NetworkDecision>;

const HealthPlan = t.Object({
  memberId: t.String(),
  payer: Payer,
  verificationMethod: t.Optional(oneOf("clearinghouse", "self_attested")),
  coverageTypes: t.Optional(t.Array(CoverageType)),
  serviceTypeCodes: t.Optional(codes),
  isMedicare: t.Optional(t.Boolean()),
  edi_271: t.Optional(t.String({ description: "The payer's X12 271; only if an eligibility check ran" })),
  eligibility: t.Optional(ParsedEdi271),
  network: t.Optional(NetworkDecision),
});
export type HealthPlan = Static<typeof HealthPlan>;

export const HealthStatus = oneOf("PENDING", "PROCESSING", "SUCCEEDED", "FAILED", "PARTIAL");
export type HealthStatus = Static<typeof HealthStatus>;

const ExternalReference = t.String({ minLength: 1, maxLength: 256 });

/** A lookup and its result. */
export const HealthEntity = t.Object({
  healthDataUuid: Uuid,
  externalReference: t.Optional(ExternalReference),
  status: HealthStatus,
  results: t.Optional(t.Array(HealthPlan, { description: "At most two plans, the most likely first" })),
  errors: t.Optional(t.Array(t.Object({ message: t.String() }))),
});
export type HealthEntity = Static<typeof HealthEntity>;

const Letters2 = t.String({ pattern: "^[A-Za-z]{2}$" });
const serviceTypeCodes = t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), { minItems: 1, maxItems: 99 });
const procedureCodes = t.Array(
  t.Object({
    code: t.String({ minLength: 1, maxLength: 48, description: "CPT or HCPCS code" }),
    qualifier: t.Optional(oneOf("AD", "CJ", "HC", "ID", "IV", "N4", "ZZ")),
    modifiers: t.Optional(t.Array(t.String({ pattern: "^[A-Za-z0-9]{2}$" }), { maxItems: 4 })),
  }),
  { maxItems: 98 },
);

/** Body of `POST /1-click/health`. */
export const HealthRequest = t.Object({
  checkAfterAutofill: t.Optional(t.Boolean({ description: "Default: the brand's setting" })),
  provider: t.Optional(
    t.Object({ npi: t.String({ pattern: "^[0-9]{10}$", description: "Ten digits, including the check digit" }) }),
  ),
  identityUuid: t.Optional(Uuid),
  externalReference: t.Optional(ExternalReference),
  fullName: t.Optional(
    t.Object({
      firstName: t.String({ minLength: 1, maxLength: 200 }),
      middleName: t.Optional(ShortText),
      lastName: t.String({ minLength: 1, maxLength: 200 }),
    }),
  ),
  birthDate: t.Optional(Day),
  address: t.Optional(
    t.Object({
      line1: t.Optional(ShortText),
      line2: t.Optional(ShortText),
      city: t.Optional(ShortText),
      state: t.Optional(Letters2),
      zipCode: t.Optional(t.String({ pattern: "^[0-9]{5}$" })),
      country: t.Optional(oneOf("US")),
    }),
  ),
  sex: t.Optional(oneOf("Male", "Female", "Non-Binary")),
  ssn: t.Optional(t.String({ pattern: "^[0-9]{9}$" })),
  payer: t.Optional(
    t.Object({
      id: t.Optional(t.String({ minLength: 1, maxLength: 80, description: "Payer or payer group id" })),
      name: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Searches; only if the id is unknown" })),
    }),
  ),
  memberId: t.Optional(t.String({ minLength: 1, maxLength: 80, pattern: "^[A-Za-z0-9][A-Za-z0-9 -]*$" })),
  serviceCodes: t.Optional(
    t.Object({ serviceTypeCodes: t.Optional(serviceTypeCodes), procedureCodes: t.Optional(procedureCodes) }),
  ),
  serviceTypeCodes: t.Optional(
    t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), {
      minItems: 1,
      maxItems: 99,
      description: "Legacy location of `serviceCodes.serviceTypeCodes`",
    }),
  ),
  procedureCodes: t.Optional(procedureCodes),
});
export type HealthRequest = Static<typeof HealthRequest>;

const healthDataUuid = "7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11";
const aetna = { name: "Aetna", vendorId: "V404110", ids: ["60054", "HPQRS"] };

export const createHealthLookup = forBrands("createHealthLookup", "POST /1-click/health", {
  summary: "Find a person's health insurance, and check it",
  description:
    "Answers at once, while the work continues. Without `memberId`, plans are discovered from the person's data, and checked with " +
    "the payer if `checkAfterAutofill` is on. With `memberId` and `payer`, that plan is checked. `identityUuid` takes the " +
    "person's data from your 1-Click; members of this request override it.",
  body: HealthRequest,
  reply: t.Object({
    healthDataUuid: Uuid,
    externalReference: t.Optional(ExternalReference),
    status: HealthStatus,
  }),
  status: 201,
  errors: ["ERR001", "OCE015"],
  refusals: [403],
  example: {
    body: {
      fullName: { firstName: "Richard", lastName: "Hendricks" },
      birthDate: "1989-08-01",
      externalReference: "appointment-1042",
    },
    reply: { healthDataUuid, externalReference: "appointment-1042", status: "PENDING" },
  },
});

export const readHealthLookup = forBrands("readHealthLookup", "GET /1-click/health/:healthDataUuid", {
  summary: "Read a lookup",
  description:
    "`PENDING` and `PROCESSING`: ask again in two seconds, or wait for the webhook. Final: `SUCCEEDED`, `PARTIAL` (plans and " +
    "`errors`), `FAILED` (only `errors`). Readable for 60 minutes after the final state.",
  params: t.Object({
    healthDataUuid: t.String({ maxLength: 100, description: "`healthDataUuid` of a lookup; anything else is 404" }),
  }),
  reply: HealthEntity,
  errors: [],
  refusals: [404],
  example: {
    params: { healthDataUuid },
    reply: {
      healthDataUuid,
      externalReference: "appointment-1042",
      status: "SUCCEEDED",
      results: [
        {
          memberId: "A484069",
          payer: aetna,
          verificationMethod: "clearinghouse",
          coverageTypes: ["medical"],
          serviceTypeCodes: ["30"],
          isMedicare: false,
        },
      ],
    },
  },
});

/** A page of payers. `$limit` is 1 to 100. */
const PayersPage = t.Object({ total: t.Integer(), limit: t.Integer(), skip: t.Integer(), data: t.Array(Payer) });

export const listPayers = open("listPayers", "GET /1-click/health/payers", {
  summary: "The known payers",
  description:
    "Without a query parameter, an array of all payers; with any, a page (`$paginate=false` turns that off). `$search` finds by " +
    "name, id and alias, and tolerates small typos.",
  query: t.Object({
    $search: t.Optional(t.String({ maxLength: 200 })),
    $limit: t.Optional(t.String({ pattern: "^([1-9][0-9]?|100)$", description: "1 to 100; default 10" })),
    $skip: t.Optional(
      t.String({
        pattern: "^[0-9]+$",
        description: "Default 0. Beyond the end the page is empty.",
      }),
    ),
    $paginate: t.Optional(oneOf("true", "false")),
  }),
  reply: anyOf(PayersPage, t.Array(Payer)),
  example: { query: { $search: "aetna" }, reply: { total: 1, limit: 10, skip: 0, data: [aetna] } },
});

export const healthEndpoints = [createHealthLookup, readHealthLookup, listPayers];
