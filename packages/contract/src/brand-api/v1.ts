import type { Static } from "typebox";
import { CredentialRequest, CredentialType, credentialRequestsMax } from "../credential/credential.ts";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Day, Email, mapOf, oneOf, PhoneInput, t, Uuid } from "../primitives.ts";
import { OneClickEntity, VerificationMethod } from "./entity.ts";
import { AdditionalInputs, exampleFacts } from "./v2.ts";

const forBrands = endpointsOf({ tag: "v1 (legacy)", auth: "brandKey" });
const Requests = t.Array(anyOf(CredentialType, CredentialRequest), {
  maxItems: credentialRequestsMax,
  description: "Request objects, or plain type names",
});

/** Body of v1's `POST /1-click`. */
export const V1Request = t.Object({
  phone: t.Optional(PhoneInput),
  email: t.Optional(Email),
  verificationOptions: t.Optional(oneOf("only_link", "only_code", "both_link_and_code")),
  content: t.Optional(
    t.Object({
      title: t.Optional(oneOf("Signup", "Verify", "Apply", "Login")),
      description: t.Optional(t.String({ maxLength: 500 })),
    }),
  ),
  credentialRequests: t.Optional(Requests),
  redirectUrl: t.Optional(t.String({ maxLength: 2000 })),
  isHosted: t.Optional(t.Boolean()),
  ...AdditionalInputs,
});
export type V1Request = Static<typeof V1Request>;

/** Body of `POST /1-click/trusted`. */
export const TrustedRequest = t.Object({
  phone: t.Optional(PhoneInput),
  ...AdditionalInputs,
  birthDate: Day,
  email: t.Optional(Email),
  credentialRequests: t.Optional(Requests),
});
export type TrustedRequest = Static<typeof TrustedRequest>;

const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const entity = {
  identifiers: { phone: "+10123456789" },
  credentials: { birthDate: "617976000000" },
  metadata: {
    identifiers: { verificationMethod: { phone: "otp" } },
    credentials: exampleFacts,
  },
};

export const createV1OneClick = forBrands("createV1OneClick", "POST /1-click", {
  summary: "Begin a 1-Click",
  description:
    "In the sandbox the service texts the code; a brand that is set to text the code itself gets `smsBody`. With " +
    "`isHosted: false` a birth date is required, and `url` with the query parameter `code` redirects the person without a page. " +
    "If the read then returns OCE011, start another 1-Click with an input that it names.",
  body: V1Request,
  reply: t.Object({
    match: t.Boolean(),
    url: t.Optional(t.String()),
    smsBody: t.Optional(t.String()),
    uuid: t.Optional(Uuid),
  }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCE003", "OCV011"],
  refusals: [403],
  example: {
    body: { phone: "+10123456789" },
    reply: { match: true, url: "http://localhost:4001/request/4fJq2Lx9Zt0Wm7Kc3Vb8Nd", uuid },
  },
});

export const createTrusted = forBrands("createTrusted", "POST /1-click/trusted", {
  summary: "Source an identity for a phone you proved yourself",
  description:
    "Needs the operator's approval. You prove the phone in the same session. After OCE011, repeat the call with an input that it names.",
  body: TrustedRequest,
  reply: t.Object({ uuid: Uuid, ...OneClickEntity.properties }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCE003", "OCE007", "OCE011", "OCE012", "OCE013", "OCE017", "OCE019"],
  refusals: [403],
  example: { body: { phone: "+10123456789", birthDate: "1989-08-01" }, reply: { uuid, ...entity } },
});

export const readV1OneClick = forBrands("readV1OneClick", "GET /1-click/:uuid", {
  summary: "Read a 1-Click",
  description: "Readable for five minutes from the first read.",
  params: t.Object({ uuid: t.String({ maxLength: 100, description: "`1ClickUuid` of the redirect" }) }),
  reply: OneClickEntity,
  errors: ["OCE007", "OCE009", "OCE011", "OCE012", "OCE013", "OCE015", "OCE017", "OCE018", "OCE019"],
  example: { params: { uuid }, reply: entity },
});

const Reported = t.Object({
  type: CredentialType,
  verificationMethod: VerificationMethod,
  data: t.Unsafe<
    Record<string, string> | { type: string; verificationMethod: VerificationMethod; data: Record<string, string> }[]
  >({
    description: "An object for an atomic type, an array of parts for a composite type",
  }),
});

export const reportEdits = forBrands("reportEdits", "POST /1-click/:uuid/credentials", {
  summary: "Report the person's edits",
  description:
    "For non-hosted and trusted flows. Send values in the format in which they were delivered. The edits appear in your ledger. " +
    "Send parts in their composite (`fullName: { firstName }`) or under dotted keys (`fullName.firstName`); one value in both forms is 400.",
  params: t.Object({ uuid: t.String({ maxLength: 100 }) }),
  body: t.Object({
    uuid: Uuid,
    credentials: mapOf(anyOf(t.String({ maxLength: 500 }), mapOf(t.String({ maxLength: 500 })))),
  }),
  reply: t.Array(Reported),
  status: 201,
  errors: ["ERR001", "OCE015"],
  example: {
    params: { uuid },
    body: { uuid, credentials: { fullName: { firstName: "New" } } },
    reply: [
      {
        type: "FullNameCredential",
        verificationMethod: "self_attested",
        data: [{ type: "FirstNameCredential", verificationMethod: "self_attested", data: { firstName: "New" } }],
      },
    ],
  },
});

export const v1Endpoints = [createV1OneClick, createTrusted, readV1OneClick, reportEdits];
