import type { Static, TSchema } from "typebox";
import { CredentialRequest, credentialRequestsMax, ownIssuerUuid } from "../credential/credential.ts";
import { endpointsOf } from "../endpoint.ts";
import type { ChallengeMember } from "../errors.ts";
import { Day, described, Email, Ipv6, PhoneInput, ShortText, Ssn4, stringEnum, t, Uuid } from "../primitives.ts";
import { OneClickEntity } from "./entity.ts";

/** What a brand may already know about the person. Birth date, SSN4 and first name can be challenges. */
export const PersonInputs = {
  email: t.Optional(described(Email, "The person's email address.")),
  birthDate: t.Optional(described(Day, "The person's birth date, yyyy-MM-dd.")),
  ssn4: t.Optional(described(Ssn4, "The last four digits of the person's social security number.")),
  fullName: t.Optional(
    described(
      t.Object({
        firstName: t.Optional(described(ShortText, "First name.")),
        middleName: t.Optional(described(ShortText, "Middle name.")),
        lastName: t.Optional(described(ShortText, "Last name.")),
      }),
      "The person's name. Only `firstName` is compared with the records.",
    ),
  ),
  address: t.Optional(
    described(
      t.Object({
        line1: t.Optional(described(ShortText, "Street and number.")),
        line2: t.Optional(described(ShortText, "Apartment, suite or unit.")),
        city: t.Optional(described(ShortText, "City.")),
        state: t.Optional(described(ShortText, "State.")),
        zipCode: t.Optional(
          t.String({ pattern: "^[0-9]{5}(-[0-9]{4})?$", description: "Five digits, or five and four with a hyphen." }),
        ),
        country: t.Optional(described(ShortText, "Country.")),
      }),
      "The person's address.",
    ),
  ),
};

/** Exactly the members that OCE011 can ask for. A new challenge without a member here does not compile. */
export const AdditionalInputs = {
  birthDate: PersonInputs.birthDate,
  ssn4: PersonInputs.ssn4,
  fullName: PersonInputs.fullName,
} satisfies Record<ChallengeMember, TSchema>;
const AmendRequest = t.Object(AdditionalInputs);
export type AmendRequest = Static<typeof AmendRequest>;

/** Body of `POST /1-click` for the API integration type. */
export const OneClickRequest = t.Object({
  identityUuid: t.Optional(
    described(
      Uuid,
      "Continues one of your earlier 1-Clicks, after OCE011 or to use its data again. Once it has data, it takes no other `credentialRequests`.",
    ),
  ),
  verificationUuid: t.Optional(described(Uuid, "A verification that succeeded. It proves the phone.")),
  phone: t.Optional(described(PhoneInput, "The person's phone. US numbers only: `+1` and ten digits.")),
  deviceIp: t.Optional(described(Ipv6, "The IP address of the person's device, for the risk score.")),
  ...PersonInputs,
  credentialRequests: t.Optional(
    described(
      t.Array(CredentialRequest, { maxItems: credentialRequestsMax }),
      "What you ask for. Default: the brand's settings.",
    ),
  ),
  content: t.Optional(
    t.Object(
      {
        title: t.Optional(described(stringEnum("Signup", "Login", "Verify", "Apply"), "The word after 1-Click.")),
        description: t.Optional(t.String({ maxLength: 500, description: "A text of yours below the title." })),
      },
      { description: "Hosted only: the word after 1-Click, and the text below it" },
    ),
  ),
  redirectUrl: t.Optional(
    t.String({
      maxLength: 2000,
      description: "Hosted only: the URL to which the person returns; the settings must allow it",
    }),
  ),
});
export type OneClickRequest = Static<typeof OneClickRequest>;

const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const leaf = <Value>(value: Value) => ({ birthDate: value });
/** The metadata of the birth date in the examples. */
export const exampleFacts = {
  id: leaf("1c4c1b6f-5dbb-4d7c-9c1b-2b4b9f6f1a01"),
  verificationMethod: leaf("phone_carrier"),
  status: leaf("valid"),
  issuerUuid: leaf(ownIssuerUuid),
  issuanceDate: leaf(1_735_689_600_000),
  expirationDate: leaf(null),
};
/** The risk signals in the examples. */
export const exampleRisk = {
  overall: { score: 0, level: "low", recommendation: "allow", reasonCodes: ["OCR10021"] },
  phone: {
    carrier: { id: 0, name: "Example Carrier" },
    reasonCodes: ["OCR20004", "OCR20005", "OCR20007", "OCR20101"],
  },
};
const identityOf = (phone: string, verificationMethod: string) => ({
  identifiers: { phone },
  credentials: { birthDate: "1989-08-01" },
  metadata: {
    identifiers: { verificationMethod: { phone: verificationMethod }, riskSignals: exampleRisk },
    credentials: exampleFacts,
  },
});
const identity = identityOf("+12125550010", "customer_otp");
const forBrands = endpointsOf({ tag: "1-Click Signup", auth: "brandKey" });
/** The error codes with which finding an identity can end. */
const identityErrors = ["OCE007", "OCE011", "OCE012", "OCE013", "OCE017", "OCE019"] as const;

export const createOneClick = forBrands("createOneClick", "POST /1-click", {
  summary: "Get a person's identity",
  description:
    "The brand's integration type decides the answer: `uuid` and `identity` (API, Non-Hosted), `uuid`, `url` and `code` " +
    "(Hosted), or `uuid` and `code` (Semi-Hosted). Members of other types are absent. With `phone` you assert that you verified the phone; with `verificationUuid` the service verified it. " +
    "An empty `credentialRequests` returns only metadata. `identityUuid` continues or reuses one of your earlier 1-Clicks.",
  about: "person",
  body: OneClickRequest,
  reply: t.Object({
    uuid: described(Uuid, "The 1-Click's id. Read it again with this id."),
    identity: t.Optional(described(OneClickEntity, "The person's data (API, Non-Hosted).")),
    url: t.Optional(t.String({ description: "Hosted: the person's page; an opaque URL without code, phone or uuid" })),
    code: t.Optional(
      t.String({ pattern: "^[0-9]{6}$", description: "Hosted and Semi-Hosted: the code that you text to the person" }),
    ),
  }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCE003", ...identityErrors, "OCE020", "OCE021", "OCV005"],
  refusals: [403],
  example: {
    body: { phone: "+12125550010", credentialRequests: [{ type: "BirthDateCredential" }] },
    reply: { uuid, identity },
  },
});

const OneClickUuid = t.Object({
  uuid: described(Uuid, "`uuid` of the 1-Click; anything else is OCE015."),
});

export const readOneClick = forBrands("readOneClick", "GET /1-click/:uuid", {
  summary: "Read a 1-Click again",
  description: "Readable for 60 minutes after the answer or the decision. The person can see each read.",
  about: { uuid: "params.uuid" },
  params: OneClickUuid,
  query: t.Object({
    code: t.Optional(t.String({ maxLength: 20, description: "Semi-Hosted: the code that the person typed" })),
  }),
  reply: OneClickEntity,
  errors: ["ERR001", ...identityErrors, "OCE008", "OCE009", "OCE015", "OCE018"],
  example: { params: { uuid }, reply: identity },
});

export const amendOneClick = forBrands("amendOneClick", "PATCH /1-click/:uuid", {
  summary: "Complete a 1-Click (Semi-Hosted)",
  description:
    "Use it after OCE011, within 30 minutes of the POST, once the code was accepted. The body accepts every input that " +
    '`data.additionalInputs` can name; `fullName.firstName` is sent as `{ "fullName": { "firstName": … } }`.',
  about: { uuid: "params.uuid" },
  params: OneClickUuid,
  body: AmendRequest,
  reply: OneClickEntity,
  errors: ["ERR001", ...identityErrors, "OCE009", "OCE014", "OCE015", "OCE018"],
  example: { params: { uuid }, body: { birthDate: "1989-08-01" }, reply: identityOf("+12125550020", "otp") },
});

export const v2Endpoints = [createOneClick, readOneClick, amendOneClick];
