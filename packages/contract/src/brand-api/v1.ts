import type { Static } from "typebox";
import { CredentialRequest, CredentialType, credentialRequestsMax } from "../credential/credential.ts";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Day, described, Email, mapOf, PhoneInput, stringEnum, t, Uuid } from "../primitives.ts";
import { OneClickEntity, VerificationMethod } from "./entity.ts";
import { AdditionalInputs, exampleFacts, exampleRisk } from "./v2.ts";

const forBrands = endpointsOf({ tag: "v1 (legacy)", auth: "brandKey" });
const Requests = t.Array(anyOf(CredentialType, CredentialRequest), {
  maxItems: credentialRequestsMax,
  description: "Request objects, or plain type names",
});

/** Body of v1's `POST /1-click`. */
export const V1Request = t.Object({
  phone: t.Optional(described(PhoneInput, "The person's phone. US numbers only: `+1` and ten digits.")),
  email: t.Optional(described(Email, "The person's email address.")),
  verificationOptions: t.Optional(
    described(
      stringEnum("only_link", "only_code", "both_link_and_code"),
      "What the text contains: the code, a link, or both.",
    ),
  ),
  content: t.Optional(
    described(
      t.Object({
        title: t.Optional(described(stringEnum("Signup", "Verify", "Apply", "Login"), "The word after 1-Click.")),
        description: t.Optional(t.String({ maxLength: 500, description: "A text of yours below the title." })),
      }),
      "What the person's page shows.",
    ),
  ),
  credentialRequests: t.Optional(
    described(Requests, "What you ask for, as request objects or plain type names. Default: the brand's settings."),
  ),
  redirectUrl: t.Optional(
    t.String({ maxLength: 2000, description: "The URL to which the person returns. The settings must allow it." }),
  ),
  isHosted: t.Optional(
    t.Boolean({ description: "Whether the person uses the service's page. `false`: your own form asks for the code." }),
  ),
  ...AdditionalInputs,
});
export type V1Request = Static<typeof V1Request>;

/** Body of `POST /1-click/trusted`. */
export const TrustedRequest = t.Object({
  phone: t.Optional(described(PhoneInput, "The person's phone. US numbers only: `+1` and ten digits.")),
  ...AdditionalInputs,
  birthDate: described(Day, "The person's birth date, yyyy-MM-dd."),
  email: t.Optional(described(Email, "The person's email address.")),
  credentialRequests: t.Optional(
    described(Requests, "What you ask for, as request objects or plain type names. Default: the brand's settings."),
  ),
});
export type TrustedRequest = Static<typeof TrustedRequest>;

const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
const entity = {
  identifiers: { phone: "+10123456789" },
  credentials: { birthDate: "617976000000" },
  metadata: {
    identifiers: { verificationMethod: { phone: "customer_otp" }, riskSignals: exampleRisk },
    credentials: exampleFacts,
  },
};

export const createV1OneClick = forBrands("createV1OneClick", "POST /1-click", {
  summary: "Begin a 1-Click",
  description:
    "In production you text the person: `smsBody` is the text. In the sandbox the service texts it, unless your settings " +
    "say that you do. With " +
    "`isHosted: false` a birth date is required, and `url` with the query parameter `code` redirects the person without a page. " +
    "If the read then returns OCE011, start another 1-Click with an input that it names.",
  about: { phone: "body.phone" },
  body: V1Request,
  reply: t.Object({
    match: t.Boolean({ description: "Whether the phone can be used for a 1-Click." }),
    url: t.Optional(t.String({ description: "The person's page. Only if there is a match." })),
    smsBody: t.Optional(
      t.String({
        description: "The text for you to send: always in production; in the sandbox if your settings say so.",
      }),
    ),
    uuid: t.Optional(described(Uuid, "The 1-Click's id.")),
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
  summary: "Get an identity for a phone that you verified yourself",
  description:
    "Needs the operator's approval. You prove the phone in the same session. After OCE011, repeat the call with an input that it names.",
  about: { phone: "body.phone" },
  body: TrustedRequest,
  reply: t.Object({ uuid: described(Uuid, "The 1-Click's id."), ...OneClickEntity.properties }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCE003", "OCE007", "OCE011", "OCE012", "OCE013", "OCE017", "OCE019"],
  refusals: [403],
  example: {
    body: { phone: "+10123456789", birthDate: "1970-08-01", credentialRequests: ["BirthDateCredential"] },
    reply: { uuid, ...entity },
  },
});

export const readV1OneClick = forBrands("readV1OneClick", "GET /1-click/:uuid", {
  summary: "Read a 1-Click",
  description: "Readable for five minutes from the first read.",
  about: { uuid: "params.uuid" },
  params: t.Object({ uuid: described(Uuid, "`1ClickUuid` of the redirect.") }),
  reply: OneClickEntity,
  errors: ["OCE007", "OCE009", "OCE011", "OCE012", "OCE013", "OCE015", "OCE017", "OCE018", "OCE019"],
  example: { params: { uuid }, reply: entity },
});

const Reported = t.Object({
  type: described(CredentialType, "The type of the edited credential."),
  verificationMethod: described(
    VerificationMethod,
    "`self_attested` for what the person changed, the former method for what they did not.",
  ),
  data: t.Unsafe<
    Record<string, string> | { type: string; verificationMethod: VerificationMethod; data: Record<string, string> }[]
  >({
    description: "An object for an atomic type, an array of parts for a composite type",
  }),
});

export const reportEdits = forBrands("reportEdits", "POST /1-click/:uuid/credentials", {
  summary: "Report the person's edits",
  description:
    "For non-hosted and trusted flows. Send values in the format in which they were delivered. They pass the checks of issued values. The edits appear in your ledger. " +
    "Send parts in their composite (`fullName: { firstName }`) or under dotted keys (`fullName.firstName`); one value in both forms is 400.",
  about: { uuid: "params.uuid" },
  params: t.Object({ uuid: described(Uuid, "The 1-Click's id.") }),
  body: t.Object({
    uuid: described(Uuid, "The 1-Click's id, the same as in the path."),
    credentials: described(
      mapOf(anyOf(t.String({ maxLength: 500 }), mapOf(t.String({ maxLength: 500 })))),
      "The edited values by credential key, in the format in which they were delivered.",
    ),
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
