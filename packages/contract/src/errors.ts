import type { Static, TObject } from "typebox";
import { IdentifierMethods, Identifiers } from "./brand-api/entity.ts";
import { RiskSignals } from "./brand-api/risk.ts";
import { described, Millis, stringEnum, t } from "./primitives.ts";

/**
 * The inputs that can identify a person. OCE011 asks for them, OCE012 reports a mismatch, OCE019 too many wrong values.
 */
export const challengeInputs = ["fullName.firstName", "birthDate", "ssn4"] as const;
export const ChallengeInput = stringEnum(...challengeInputs);
export type ChallengeInput = Static<typeof ChallengeInput>;
type MemberOf<Input extends string> = Input extends `${infer Member}.${string}` ? Member : Input;
/** The body members that contain the inputs: `fullName` contains `fullName.firstName`. */
export type ChallengeMember = MemberOf<ChallengeInput>;

type Given = {
  birthDate?: string | undefined;
  ssn4?: string | undefined;
  fullName?: { firstName?: string | undefined } | undefined;
};
const valuesOf: Record<ChallengeInput, (given: Given) => string | undefined> = {
  "fullName.firstName": ({ fullName }) => fullName?.firstName?.trim().toLowerCase(),
  birthDate: ({ birthDate }) => birthDate,
  ssn4: ({ ssn4 }) => ssn4,
};

/** The inputs that were given, with their values as they are compared. First names are trimmed and lowercased. */
export function givenChallenges(given: Given): { input: ChallengeInput; value: string }[] {
  return challengeInputs.flatMap((input) => {
    const value = valuesOf[input](given);
    return value === undefined || value === "" ? [] : [{ input, value }];
  });
}

/**
 * Why a state ID was refused. `over`: the request is unknown, has expired, was answered, or belongs to another browser
 * or 1-Click. `unreadable`: not an answer to a requested protocol, malformed, or too large. `declined`: the wallet app
 * returned an error, or no requested element. `notGenuine`: a signature, a digest, a certificate or the binding to our
 * request is wrong. `unknownAuthority`: no root certificate of the trust list issued it. `uncheckable`: the authority's
 * status list cannot be read now. `otherPerson`: a source has another birth date or name. `contradicts`: it differs from
 * a source, and the brand refuses that.
 */
export const StateIdReason = stringEnum(
  "over",
  "unreadable",
  "declined",
  "notGenuine",
  "unknownAuthority",
  "expired",
  "notYetValid",
  "revoked",
  "uncheckable",
  "otherPerson",
  "contradicts",
);
export type StateIdReason = Static<typeof StateIdReason>;

/** Identifiers from the request. They are not verified. */
const unproven = { identifiers: t.Optional(Identifiers) };
const who = { identifiers: t.Optional(Identifiers), verificationMethod: t.Optional(IdentifierMethods) };
const risk = { riskSignals: t.Optional(described(RiskSignals, "The risk of the identifiers.")) };
const attempts = {
  attemptsRemaining: t.Integer({ minimum: 0, description: "How many codes can still be tried." }),
  expiresAt: described(Millis, "When the verification expires, in Unix milliseconds."),
};
const problems = {
  errors: t.Optional(
    described(
      t.Array(
        t.Object({
          path: t.String({ description: "Where the problem is, such as `body.phone`." }),
          message: t.String({ description: "What is wrong, in a sentence." }),
        }),
        { maxItems: 50 },
      ),
      "Each problem of the request, at most 50.",
    ),
  ),
};

type Row<Data extends TObject> = {
  status: 400 | 403 | 404 | 409;
  message: string;
  origin: "spec" | "ours";
  cause: string;
  fix: string;
  data: Data;
};
const row = <Data extends TObject>(
  status: Row<Data>["status"],
  message: string,
  more: Omit<Row<Data>, "status" | "message">,
) => ({
  status,
  message,
  ...more,
});

/** The error catalog: the HTTP status, the message and the allowed members of `data` for each `errorCode`. */
export const catalog = {
  ERR001: row(400, "1-Click error code", {
    origin: "ours",
    cause: "The request is invalid. `data.errors` lists each invalid member. Without it, the message says why.",
    fix: "Correct the members that `data.errors` lists, or what the message names.",
    data: t.Object({ ...problems }),
  }),
  OCE001: row(400, "1-Click error code", {
    origin: "ours",
    cause: "A 1-Click failed in a way that no other code describes.",
    fix: "Start a new 1-Click, or offer manual signup.",
    data: t.Object({}),
  }),
  OCE002: row(
    400,
    "Unsupported phone number to use 1-Click. Use a US number in E.164: +1 and ten digits, in the sandbox such as +12125550010.",
    {
      origin: "ours",
      cause: "The phone is not `+1` followed by ten digits, or it is not a US number that can be mobile.",
      fix: "Send `+1` and the ten digits of a US mobile number.",
      data: t.Object({}),
    },
  ),
  OCE003: row(400, "Either 'phone' or 'email' is required", {
    origin: "ours",
    cause: "Neither `phone` nor `verificationUuid` was given.",
    fix: "Send `phone`, or the uuid of a verified verification.",
    data: t.Object({}),
  }),
  OCE004: row(404, "User not found", {
    origin: "ours",
    cause: "The person is unknown. Calls with a phone return OCE013 instead.",
    fix: "Offer manual signup.",
    data: t.Object({}),
  }),
  OCE005: row(400, "User Credentials or Credential Requests are missing", {
    origin: "ours",
    cause: "No credentials are requested. The brand's defaults prevent this.",
    fix: "Name what you need in `credentialRequests`.",
    data: t.Object({}),
  }),
  OCE006: row(400, "User identifier is missing", {
    origin: "ours",
    cause: "No identifier was given. The service returns OCE003 instead.",
    fix: "Send `phone`.",
    data: t.Object({}),
  }),
  OCE007: row(400, "Unable to use 1-click due to missing mandatory credentials", {
    origin: "ours",
    cause: 'A credential requested with `mandatory: "yes"` was not found; nothing is returned.',
    fix: "Request it with `if_available`, or offer manual signup.",
    data: t.Object({ ...who }),
  }),
  OCE008: row(400, "Invalid or expired verification code", {
    origin: "ours",
    cause: "v2.0 Semi-Hosted: the typed code is wrong or older than five minutes.",
    fix: "Let the person type it again, or start a new 1-Click.",
    data: t.Object({ ...unproven }),
  }),
  OCE009: row(400, "Verification code is required", {
    origin: "ours",
    cause: "v2.0 Semi-Hosted: the read has no `code`.",
    fix: "Add `?code=` with the code that the person typed.",
    data: t.Object({ ...unproven }),
  }),
  OCE010: row(400, "Missing required fields to autofill credentials", {
    origin: "ours",
    cause: "Mandatory data was not found. The service returns OCE007 or OCE013 instead.",
    fix: "Offer manual signup.",
    data: t.Object({ ...who }),
  }),
  OCE011: row(400, "Additional information is required to source data for user: ", {
    origin: "spec",
    cause: "The phone alone does not identify one person.",
    fix: "Ask the person for one of `data.additionalInputs` (any one is enough) and repeat the call. Pass `data.identityUuid` to continue the same 1-Click. Semi-Hosted: send the input with PATCH. v1: repeat the POST.",
    data: t.Object({
      additionalInputs: described(t.Array(ChallengeInput), "Inputs of which any one would identify the person."),
      identityUuid: t.String({ format: "uuid", description: "The 1-Click to continue." }),
      ...who,
      ...risk,
    }),
  }),
  OCE012: row(400, "mismatch.", {
    origin: "spec",
    cause: "A given birth date, SSN4 or first name differs from the records; in the sandbox, from the fixed value.",
    fix: "Let the person correct it. After too many wrong values, you get OCE019.",
    data: t.Object({ ...who, ...risk }),
  }),
  OCE013: row(400, "No credentials found", {
    origin: "spec",
    cause: "No source knows this person.",
    fix: "Offer manual signup.",
    data: t.Object({ ...who, ...risk }),
  }),
  OCE014: row(400, "1-Click Request Expired", {
    origin: "ours",
    cause: "v2.0: the PATCH came more than 30 minutes after the POST.",
    fix: "Start a new 1-Click.",
    data: t.Object({}),
  }),
  OCE015: row(404, "1-Click Not Found", {
    origin: "ours",
    cause: "The 1-Click is unknown, not yours, not decided yet, withdrawn, or its 60 minutes have passed.",
    fix: "Start a new 1-Click.",
    data: t.Object({ ...who }),
  }),
  OCE016: row(409, "1-Click Conflict", {
    origin: "ours",
    cause: "Reserved: another request is already sourcing the same phone. The service does not return this code.",
    fix: "Repeat the call after the other request has been answered.",
    data: t.Object({}),
  }),
  OCE017: row(400, "Risk Score Too High", {
    origin: "spec",
    cause: "Risk signals are on and the overall score is above 600.",
    fix: "Offer manual signup with your own checks.",
    data: t.Object({ ...who, ...risk }),
  }),
  OCE018: row(400, "Maximum code attempts exceeded. Please start a new 1-Click flow.", {
    origin: "ours",
    cause: "v2.0 Semi-Hosted: three codes were tried.",
    fix: "Start a new 1-Click.",
    data: t.Object({ ...unproven }),
  }),
  OCE019: row(400, "Maximum input attempts exceeded. Please try again later.", {
    origin: "spec",
    cause:
      "Too many different wrong values were given for this phone: three of one input by your brand within 30 minutes, or ten by all brands within 24 hours. A health search counts each birth date that no source gave.",
    fix: "Offer manual signup, or try again later.",
    data: t.Object({
      inputAttemptsExceeded: described(t.Array(ChallengeInput), "Inputs that have no tries left."),
      ...who,
      ...risk,
    }),
  }),
  OCE020: row(400, "Brand cannot be used for 1-Click API", {
    origin: "ours",
    cause: "The brand's integration type is SDK.",
    fix: "Use `POST /client/1-click`, or a brand of type API.",
    data: t.Object({ ...who }),
  }),
  OCE021: row(400, "User Opted Out", {
    origin: "ours",
    cause: "The person declined to share; the metadata can still be read with GET.",
    fix: "Offer manual signup.",
    data: t.Object({ ...who }),
  }),
  OCE022: row(400, "State ID Not Accepted", {
    origin: "ours",
    cause:
      "A state ID on the wallet's page could not be used. `data.reason` says why. Calls of brands never get this code.",
    fix: "The wallet tells the person what to do: try again, use another ID, or type what is missing.",
    data: t.Object({ reason: described(StateIdReason, "Why the state ID was refused.") }),
  }),
  OCV001: row(400, "Invalid or expired verification code", {
    origin: "ours",
    cause: "The code is wrong, was replaced by a newer one, or was already used.",
    fix: "Let the person type it again while `attemptsRemaining` is above 0.",
    data: t.Object({ ...attempts }),
  }),
  OCV002: row(400, "Maximum verification attempts exceeded", {
    origin: "ours",
    cause:
      "Three codes were tried, the text could not be delivered, or the person said on a link's page that they did not ask for it.",
    fix: "Start a new verification.",
    data: t.Object({ ...attempts }),
  }),
  OCV003: row(400, "Cannot resend code for this verification", {
    origin: "ours",
    cause: "The verification is verified, expired or failed.",
    fix: "Start a new verification.",
    data: t.Object({ ...attempts }),
  }),
  OCV004: row(400, "Maximum send attempts exceeded", {
    origin: "ours",
    cause: "Three texts were sent for this verification.",
    fix: "Start a new verification.",
    data: t.Object({ ...attempts }),
  }),
  OCV005: row(404, "Verification not found", {
    origin: "ours",
    cause: "The verification is unknown, not yours, or older than 24 hours.",
    fix: "Start a new verification.",
    data: t.Object({}),
  }),
  OCV006: row(400, "Unsupported channel. Use autofill, silent or sms.", {
    origin: "ours",
    cause: "`channel` is not `autofill`, `silent` or `sms`.",
    fix: "Use one of the three.",
    data: t.Object({}),
  }),
  OCV007: row(400, "Verification expired", {
    origin: "ours",
    cause: "Five minutes have passed since the verification began.",
    fix: "Start a new verification.",
    data: t.Object({ ...attempts }),
  }),
  OCV008: row(400, "Autofill failed", {
    origin: "ours",
    cause: "The carrier could not determine the device's phone, or it differs from the given phone.",
    fix: "Fall back to `silent` or `sms`.",
    data: t.Object({}),
  }),
  OCV009: row(400, "Phone number country code is not supported.", {
    origin: "ours",
    cause: "The phone has another country code than `+1`.",
    fix: "Send `+1` and the ten digits of a US number.",
    data: t.Object({}),
  }),
  OCV010: row(400, "Silent failed", {
    origin: "ours",
    cause: "The carrier did not confirm the phone.",
    fix: "Fall back to `sms`.",
    data: t.Object({}),
  }),
  OCV011: row(400, "not eligible.", {
    origin: "ours",
    cause:
      "The channel does not work for the device's IP address; or, for `sms`, the phone's holder replied STOP to a text.",
    fix: "Use the next channel, or your own form.",
    data: t.Object({}),
  }),
  SKE001: row(400, "Brand cannot be used for SDK. Its integration type must be 'SDK'.", {
    origin: "ours",
    cause: "`POST /client/1-click` was called with the key of a brand of another type.",
    fix: "Use the key of an SDK brand.",
    data: t.Object({}),
  }),
  SKE002: row(400, "Error resolving data", {
    origin: "ours",
    cause: "The brand verifies phones itself, but gave no phone.",
    fix: "Send `phone` or `verificationUuid`.",
    data: t.Object({ phone: t.String({ description: "The reason: a phone is required." }) }),
  }),
};

export type ErrorCode = keyof typeof catalog;
/** The members of `data` for a code, except `errorCode` and `requestId`. */
export type ErrorData<Code extends ErrorCode> = Static<(typeof catalog)[Code]["data"]>;

/** HTTP errors without an error code. The framework's errors use the same envelope. */
export const statusNames: Record<number, { name: string; className: string }> = {
  400: { name: "BadRequest", className: "bad-request" },
  401: { name: "NotAuthenticated", className: "not-authenticated" },
  403: { name: "Forbidden", className: "forbidden" },
  404: { name: "NotFound", className: "not-found" },
  405: { name: "MethodNotAllowed", className: "method-not-allowed" },
  408: { name: "RequestTimeout", className: "request-timeout" },
  409: { name: "Conflict", className: "conflict" },
  413: { name: "PayloadTooLarge", className: "payload-too-large" },
  414: { name: "UriTooLong", className: "uri-too-long" },
  415: { name: "UnsupportedMediaType", className: "unsupported-media-type" },
  418: { name: "ImATeapot", className: "im-a-teapot" },
  422: { name: "Unprocessable", className: "unprocessable" },
  429: { name: "TooManyRequests", className: "too-many-requests" },
  431: { name: "HeaderFieldsTooLarge", className: "header-fields-too-large" },
  500: { name: "GeneralError", className: "general-error" },
  503: { name: "Unavailable", className: "unavailable" },
};

/** The description of `requestId` in every error. */
export const requestIdText = "The request's id. Include it when you ask for help.";

/** The body of every error. `data` is always an object and always contains the request's id. */
export const ErrorEnvelope = t.Object({
  name: t.String({ description: "Name of the HTTP error." }),
  message: t.String({ description: "What went wrong, in a sentence." }),
  code: t.Integer({ description: "The HTTP status." }),
  className: t.String({ description: "Name of the HTTP error in kebab case." }),
  data: t.Unsafe<{ errorCode?: string; requestId: string; [member: string]: unknown }>({
    type: "object",
    required: ["requestId"],
    description: "Details of the error.",
    properties: {
      errorCode: { type: "string", description: "The code of the error. Branch on this one." },
      requestId: { type: "string", description: requestIdText },
    },
    additionalProperties: true,
  }),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
