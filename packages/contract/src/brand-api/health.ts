import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Day, described, mapOf, ShortText, stringEnum, t, Uuid } from "../primitives.ts";
import { fhirReply } from "./fhir.ts";

const open = endpointsOf({ tag: "1-Click Health", auth: "none", cors: true });
const forBrands = endpointsOf({ tag: "1-Click Health", auth: "brandKey" });
const codes = t.Array(t.String());
const CoverageType = stringEnum("medical", "dental", "vision");

/** A health insurance company, or a group of them. `ids[0]` is the primary id; `vendorId` never changes. */
export const Payer = t.Object({
  name: t.String({ description: "The payer's name." }),
  vendorId: t.String({ description: "`V` and six digits; `GROUP_MEDICARE` and `GROUP_BLUES` are groups" }),
  ids: t.Array(t.String(), { description: "Element 0 is the primary id" }),
  logoUrl: t.String({
    format: "uri",
    description: "URL of a picture: the payer's initials, or one that the operator chose.",
  }),
  operatingStates: t.Optional(t.Array(t.String(), { description: "Two-letter codes, or `NATIONAL`" })),
  eligibilitySupport: t.Optional(
    described(
      stringEnum("SUPPORTED", "ENROLLMENT_REQUIRED", "NOT_SUPPORTED"),
      "Whether the service can check plans with this payer.",
    ),
  ),
});
export type Payer = Static<typeof Payer>;

const EdiBenefit = t.Object({
  type: described(
    stringEnum("deductible", "outOfPocket", "copay", "coinsurance", "limitation"),
    "The kind of benefit.",
  ),
  serviceTypeCodes: t.Optional(described(codes, "X12 service type codes to which the benefit applies.")),
  insuranceTypeCode: t.Optional(t.String({ description: "X12 insurance type code." })),
  level: t.Optional(t.String({ description: "`individual` or `family`" })),
  network: t.Optional(t.String({ description: "`in` or `out`" })),
  amount: t.Optional(t.String({ description: "Decimal with at least two places" })),
  remaining: t.Optional(t.String({ description: "The remaining part of `amount`" })),
  percent: t.Optional(t.String({ description: "A fraction: `0.20`" })),
});
export type EdiBenefit = Static<typeof EdiBenefit>;

const EdiContact = t.Object({
  name: t.Optional(t.String({ description: "Who to contact." })),
  serviceTypeCodes: t.Optional(described(codes, "X12 service type codes for which the contact is responsible.")),
  phone: t.Optional(t.String({ description: "Phone number." })),
  fax: t.Optional(t.String({ description: "Fax number." })),
  email: t.Optional(t.String({ description: "Email address." })),
  url: t.Optional(t.String({ description: "Website." })),
});
export type EdiContact = Static<typeof EdiContact>;

/** A payer's X12 271 response in plain words. Fields that the response lacks are absent. */
export const ParsedEdi271 = t.Object({
  coverageStatus: described(
    stringEnum("active", "inactive", "indeterminate"),
    "Whether the plan covers the person today.",
  ),
  coverageType: t.Optional(described(t.Array(CoverageType), "The kinds of coverage.")),
  serviceTypeCodes: t.Optional(described(codes, "X12 service type codes that the plan covers.")),
  payer: t.Optional(
    described(t.Object({ name: t.String({ description: "The payer's name." }) }), "The payer, as it names itself."),
  ),
  member: t.Optional(
    described(
      t.Object({
        memberId: t.Optional(t.String({ description: "The member id at the payer." })),
        fullName: t.Optional(
          described(
            t.Object({
              firstName: t.Optional(t.String({ description: "First name." })),
              lastName: t.Optional(t.String({ description: "Last name." })),
            }),
            "The member's name.",
          ),
        ),
        birthDate: t.Optional(described(Day, "The member's birth date, yyyy-MM-dd.")),
        sex: t.Optional(described(stringEnum("Male", "Female"), "The member's sex.")),
        address: t.Optional(
          described(
            t.Object({
              line1: t.Optional(t.String({ description: "Street and number." })),
              line2: t.Optional(t.String({ description: "Apartment, suite or unit." })),
              city: t.Optional(t.String({ description: "City." })),
              state: t.Optional(t.String({ description: "Two-letter code of the state." })),
              zipCode: t.Optional(t.String({ description: "ZIP code." })),
            }),
            "The member's address.",
          ),
        ),
      }),
      "The member, as the payer knows them.",
    ),
  ),
  plan: t.Optional(
    described(
      t.Object({
        name: t.Optional(t.String({ description: "The plan's name." })),
        groupNumber: t.Optional(
          t.String({ description: "Number of the group that has the plan, such as an employer." }),
        ),
        groupName: t.Optional(t.String({ description: "Name of the group." })),
        insuranceTypeCodes: t.Optional(described(codes, "X12 insurance type codes.")),
        effectiveDate: t.Optional(described(Day, "First day of the coverage, yyyy-MM-dd.")),
        terminationDate: t.Optional(described(Day, "Last day of the coverage, yyyy-MM-dd.")),
      }),
      "The plan.",
    ),
  ),
  benefits: t.Optional(described(t.Array(EdiBenefit), "What the plan pays and what the member pays.")),
  contacts: t.Optional(described(t.Array(EdiContact), "Contacts for the plan.")),
});
export type ParsedEdi271 = Static<typeof ParsedEdi271>;

const NetworkStatus = stringEnum("IN_NETWORK", "OUT_OF_NETWORK", "INDETERMINATE");
/** The network status of a plan, and the brand's rules that decided it. */
export const NetworkDecision = t.Object({
  status: described(NetworkStatus, "Whether the plan is in your network. `INDETERMINATE` if no rule decides it."),
  rules: described(
    t.Array(
      t.Object({
        uuid: t.Optional(described(Uuid, "The rule's id.")),
        name: t.Optional(t.String({ description: "The rule's name." })),
        status: described(NetworkStatus, "The status that the rule gives."),
        notes: t.Optional(t.String({ description: "The rule's notes." })),
        metadata: t.Optional(
          mapOf(anyOf(t.String(), t.Number(), t.Boolean()), "`selfPay`, `priority`, `packageId`, …"),
        ),
        startDate: t.Optional(described(Day, "First day on which the rule applies, yyyy-MM-dd.")),
        endDate: t.Optional(described(Day, "First day on which the rule no longer applies, yyyy-MM-dd.")),
        conditions: described(
          t.Array(
            t.Object({
              key: t.String({
                description:
                  "What the condition reads: `payerId`, `payerName`, `state`, `insuranceTypeCodes`, `planName`, `relatedEntities`, `groupNumber` or `groupName`.",
              }),
              operator: t.String({
                description:
                  "`EQUAL`, or `INCLUDE` for a part of the text; `NOT_EQUAL` and `NOT_INCLUDE` for the opposite.",
              }),
              values: described(t.Array(t.String()), "The condition matches if one of these values does."),
            }),
          ),
          "The rule's conditions. All of them match.",
        ),
      }),
    ),
    "The rules that match. The first one decides.",
  ),
});
export type NetworkDecision = Static<typeof NetworkDecision>;

const HealthPlan = t.Object({
  memberId: t.String({ description: "The member id on the person's card." }),
  payer: described(Payer, "The health insurance company."),
  verificationMethod: t.Optional(
    described(
      stringEnum("clearinghouse", "self_attested"),
      "Whether the payer's clearinghouse knows the plan, or the person typed it.",
    ),
  ),
  coverageTypes: t.Optional(described(t.Array(CoverageType), "The kinds of coverage.")),
  serviceTypeCodes: t.Optional(described(codes, "X12 service type codes that the plan covers.")),
  isMedicare: t.Optional(t.Boolean({ description: "Whether the plan is a Medicare plan." })),
  edi_271: t.Optional(t.String({ description: "The payer's X12 271; only if an eligibility check ran" })),
  eligibility: t.Optional(described(ParsedEdi271, "The payer's 271 in plain words. Only if an eligibility check ran.")),
  network: t.Optional(
    described(
      NetworkDecision,
      "Whether the plan is in your network. Only if you have network rules and the plan has `eligibility`.",
    ),
  ),
});
export type HealthPlan = Static<typeof HealthPlan>;

export const HealthStatus = stringEnum("PENDING", "PROCESSING", "SUCCEEDED", "FAILED", "PARTIAL");
export type HealthStatus = Static<typeof HealthStatus>;

const ExternalReference = t.String({ minLength: 1, maxLength: 256 });

/** A lookup and its result. */
export const HealthEntity = t.Object({
  healthDataUuid: described(Uuid, "The lookup's id."),
  externalReference: t.Optional(described(ExternalReference, "Your own reference from the request.")),
  status: described(HealthStatus, "The state. `SUCCEEDED`, `PARTIAL` and `FAILED` are final."),
  results: t.Optional(t.Array(HealthPlan, { description: "At most two plans, the most likely first" })),
  errors: t.Optional(
    described(
      t.Array(t.Object({ message: t.String({ description: "What went wrong, in a sentence." }) })),
      "What went wrong. Only if the status is `PARTIAL` or `FAILED`.",
    ),
  ),
});
export type HealthEntity = Static<typeof HealthEntity>;

const Letters2 = t.String({ pattern: "^[A-Za-z]{2}$" });
const serviceTypeCodes = t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), { maxItems: 99 });
const procedureCodes = t.Array(
  t.Object({
    code: t.String({ minLength: 1, maxLength: 48, description: "CPT or HCPCS code" }),
    qualifier: t.Optional(
      described(stringEnum("AD", "CJ", "HC", "ID", "IV", "N4", "ZZ"), "X12 qualifier of the code. Default: `HC`."),
    ),
    modifiers: t.Optional(
      described(
        t.Array(t.String({ pattern: "^[A-Za-z0-9]{2}$" }), { maxItems: 4 }),
        "Up to four modifiers of two characters.",
      ),
    ),
  }),
  { maxItems: 98 },
);

/** Body of `POST /1-click/health`. */
export const HealthRequest = t.Object({
  checkAfterAutofill: t.Optional(t.Boolean({ description: "Default: the brand's setting" })),
  provider: t.Optional(
    described(
      t.Object({ npi: t.String({ pattern: "^[0-9]{10}$", description: "Ten digits, including the check digit" }) }),
      "The provider for whom the payer is asked. Default: the brand's default provider.",
    ),
  ),
  identityUuid: t.Optional(described(Uuid, "One of your 1-Clicks. Its data is used where this request has none.")),
  externalReference: t.Optional(
    described(ExternalReference, "Your own reference. It is returned with the result and in webhooks."),
  ),
  fullName: t.Optional(
    described(
      t.Object({
        firstName: t.String({ minLength: 1, maxLength: 200, description: "First name." }),
        middleName: t.Optional(described(ShortText, "Middle name.")),
        lastName: t.String({ minLength: 1, maxLength: 200, description: "Last name." }),
      }),
      "The person's name.",
    ),
  ),
  birthDate: t.Optional(described(Day, "The person's birth date, yyyy-MM-dd.")),
  address: t.Optional(
    described(
      t.Object({
        line1: t.Optional(described(ShortText, "Street and number.")),
        line2: t.Optional(described(ShortText, "Apartment, suite or unit.")),
        city: t.Optional(described(ShortText, "City.")),
        state: t.Optional(described(Letters2, "Two-letter code of the state.")),
        zipCode: t.Optional(t.String({ pattern: "^[0-9]{5}$", description: "Five digits." })),
        country: t.Optional(described(stringEnum("US"), "Always `US`.")),
      }),
      "The person's address.",
    ),
  ),
  sex: t.Optional(described(stringEnum("Male", "Female", "Non-Binary"), "The person's sex.")),
  ssn: t.Optional(t.String({ pattern: "^[0-9]{9}$", description: "Social security number, nine digits." })),
  payer: t.Optional(
    described(
      t.Object({
        id: t.Optional(t.String({ minLength: 1, maxLength: 80, description: "Payer or payer group id" })),
        name: t.Optional(
          t.String({ minLength: 1, maxLength: 200, description: "Searches; only if the id is unknown" }),
        ),
      }),
      "The payer of a known plan.",
    ),
  ),
  memberId: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 80,
      pattern: "^[A-Za-z0-9][A-Za-z0-9 -]*$",
      description: "The member id of a known plan. It needs `payer`.",
    }),
  ),
  serviceCodes: t.Optional(
    described(
      t.Object({
        serviceTypeCodes: t.Optional(
          described(serviceTypeCodes, "X12 service type codes, such as `30`. Empty: the brand's settings."),
        ),
        procedureCodes: t.Optional(described(procedureCodes, "Procedures to ask about.")),
      }),
      "What to ask the payer about. Default: the brand's settings.",
    ),
  ),
  serviceTypeCodes: t.Optional(described(serviceTypeCodes, "Legacy location of `serviceCodes.serviceTypeCodes`.")),
  procedureCodes: t.Optional(described(procedureCodes, "Legacy location of `serviceCodes.procedureCodes`.")),
});
export type HealthRequest = Static<typeof HealthRequest>;

const healthDataUuid = "7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11";
const aetna = {
  name: "Aetna",
  vendorId: "V404110",
  logoUrl: "http://localhost:4000/payers/V404110.svg",
  ids: ["60054", "HPQRS", "Z95668", "10004", "953402799", "6400", "60054MA", "4500", "AETNA", "10397", "60055"],
  operatingStates: ["NATIONAL"],
  eligibilitySupport: "SUPPORTED",
};

export const createHealthLookup = forBrands("createHealthLookup", "POST /1-click/health", {
  summary: "Find a person's health insurance, and check it",
  description:
    "Answers at once, while the work continues. Without `memberId`, plans are discovered from the person's data, and checked with " +
    "the payer if `checkAfterAutofill` is on. With `memberId` and `payer`, that plan is checked. `identityUuid` takes the " +
    "person's data from your 1-Click; members of this request override it.",
  about: { uuid: "body.identityUuid" },
  body: HealthRequest,
  reply: t.Object({
    healthDataUuid: described(Uuid, "The lookup's id. Read the result with it."),
    externalReference: t.Optional(described(ExternalReference, "Your own reference from the request.")),
    status: described(HealthStatus, "The state of the lookup."),
  }),
  status: 201,
  errors: ["ERR001", "OCE015", "OCE019"],
  refusals: [403],
  example: {
    body: {
      fullName: { firstName: "Monica", lastName: "Hall" },
      birthDate: "1990-01-01",
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
  about: { uuid: "params.healthDataUuid" },
  params: t.Object({
    healthDataUuid: described(Uuid, "`healthDataUuid` of a lookup; anything else is 404."),
  }),
  reply: HealthEntity,
  otherReply: fhirReply,
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
          memberId: "A664048",
          payer: aetna,
          verificationMethod: "clearinghouse",
          coverageTypes: ["medical"],
          serviceTypeCodes: ["30", "33", "47", "86", "88", "98", "MH", "UC"],
          isMedicare: false,
        },
      ],
    },
  },
});

/** A page of payers. `$limit` is 1 to 100. */
const PayersPage = t.Object({
  total: t.Integer({ description: "How many payers match." }),
  limit: t.Integer({ description: "The largest number of payers on a page." }),
  skip: t.Integer({ description: "How many payers come before this page." }),
  data: described(t.Array(Payer), "The payers of this page."),
});

export const listPayers = open("listPayers", "GET /1-click/health/payers", {
  summary: "The known payers",
  description:
    "Without a query parameter, an array of all payers; with any, a page (`$paginate=false` turns that off). `$search` finds by " +
    "name, id and alias, and tolerates small typos.",
  query: t.Object({
    $search: t.Optional(
      t.String({ maxLength: 200, description: "Text to find in names, ids and aliases. Small typos are tolerated." }),
    ),
    $limit: t.Optional(t.String({ pattern: "^([1-9][0-9]?|100)$", description: "1 to 100; default 10" })),
    $skip: t.Optional(
      t.String({
        pattern: "^[0-9]+$",
        description: "Default 0. Beyond the end the page is empty.",
      }),
    ),
    $paginate: t.Optional(described(stringEnum("true", "false"), "`false` returns all matching payers as an array.")),
  }),
  reply: anyOf(PayersPage, t.Array(Payer)),
  example: { query: { $search: "aetna", $limit: "1" }, reply: { total: 23, limit: 1, skip: 0, data: [aetna] } },
});

export const healthEndpoints = [createHealthLookup, readHealthLookup, listPayers];
