// Generated from docs/api/v2.json: `npm run generate` writes it.

import type { IdentifierMethods, Identifiers, RiskSignals } from "./entities.ts";

/** The `data` of each error, by `errorCode`. */
export type ErrorData = {
  /** The request is invalid; `data.errors` lists each problem. Correct the members that `data.errors` lists. */
  ERR001: { errorCode: "ERR001"; errors?: { path: string; message: string }[]; requestId: string };

  /** The phone is not `+1` followed by ten digits, or its number does not exist. Send a US number in E.164. */
  OCE002: { errorCode: "OCE002"; requestId: string };

  /** Neither `phone` nor `verificationUuid` was given. Send `phone`, or the uuid of a verified verification. */
  OCE003: { errorCode: "OCE003"; requestId: string };

  /**
   * A credential requested with `mandatory: "yes"` could not be sourced; nothing is returned. Request it with
   * `if_available`, or offer manual signup.
   */
  OCE007: { errorCode: "OCE007"; requestId: string };

  /**
   * v2.0 Semi-Hosted: the typed code is wrong or older than five minutes. Let the person type it again, or start a
   * new 1-Click.
   */
  OCE008: { errorCode: "OCE008"; identifiers?: Identifiers; requestId: string };

  /** v2.0 Semi-Hosted: the read has no `code`. Add `?code=` with the code that the person typed. */
  OCE009: { errorCode: "OCE009"; identifiers?: Identifiers; requestId: string };

  /**
   * The phone alone does not identify one person. Ask the person for one of `data.additionalInputs` (any one is
   * enough) and repeat the call. Pass `data.identityUuid` to continue the same 1-Click. Semi-Hosted: send the
   * input with PATCH. v1: repeat the POST.
   */
  OCE011: {
    errorCode: "OCE011";
    additionalInputs: ("fullName.firstName" | "birthDate" | "ssn4")[];
    identityUuid: string;
    identifiers?: Identifiers;
    verificationMethod?: IdentifierMethods;
    riskSignals?: RiskSignals;
    requestId: string;
  };

  /**
   * A given birth date, SSN4 or first name differs from the records; in the sandbox, from the fixed value. Let the
   * person correct it. Three distinct wrong values per input are allowed in 30 minutes.
   */
  OCE012: {
    errorCode: "OCE012";
    identifiers?: Identifiers;
    verificationMethod?: IdentifierMethods;
    riskSignals?: RiskSignals;
    requestId: string;
  };

  /** No source knows this person. Offer manual signup. */
  OCE013: {
    errorCode: "OCE013";
    identifiers?: Identifiers;
    verificationMethod?: IdentifierMethods;
    riskSignals?: RiskSignals;
    requestId: string;
  };

  /** v2.0: the PATCH came more than 30 minutes after the POST. Start a new 1-Click. */
  OCE014: { errorCode: "OCE014"; requestId: string };

  /**
   * The 1-Click is unknown, not yours, not decided yet, withdrawn, or its 60 minutes have passed. Start a new
   * 1-Click.
   */
  OCE015: { errorCode: "OCE015"; identifiers?: Identifiers; verificationMethod?: IdentifierMethods; requestId: string };

  /** Risk signals are on and the overall score is above 600. Offer manual signup with your own checks. */
  OCE017: {
    errorCode: "OCE017";
    identifiers?: Identifiers;
    verificationMethod?: IdentifierMethods;
    riskSignals?: RiskSignals;
    requestId: string;
  };

  /** v2.0 Semi-Hosted: three codes were tried. Start a new 1-Click. */
  OCE018: { errorCode: "OCE018"; identifiers?: Identifiers; requestId: string };

  /**
   * Three distinct wrong values of an input were given for this phone within 30 minutes. Offer manual signup, or
   * try again after 30 minutes.
   */
  OCE019: {
    errorCode: "OCE019";
    inputAttemptsExceeded: ("fullName.firstName" | "birthDate" | "ssn4")[];
    identifiers?: Identifiers;
    verificationMethod?: IdentifierMethods;
    riskSignals?: RiskSignals;
    requestId: string;
  };

  /** The brand's integration type is SDK. Use `POST /client/1-click`, or a brand of type API. */
  OCE020: { errorCode: "OCE020"; identifiers?: Identifiers; verificationMethod?: IdentifierMethods; requestId: string };

  /** The person declined to share; the metadata can still be read with GET. Offer manual signup. */
  OCE021: { errorCode: "OCE021"; identifiers?: Identifiers; verificationMethod?: IdentifierMethods; requestId: string };

  /**
   * The code is wrong, was replaced by a newer one, or was already used. Let the person type it again while
   * `attemptsRemaining` is above 0.
   */
  OCV001: {
    errorCode: "OCV001";
    attemptsRemaining: number;
    /** Unix time, milliseconds */
    expiresAt: number;
    requestId: string;
  };

  /** Three codes were tried. Start a new verification. */
  OCV002: {
    errorCode: "OCV002";
    attemptsRemaining: number;
    /** Unix time, milliseconds */
    expiresAt: number;
    requestId: string;
  };

  /** The verification is verified, expired or failed. Start a new verification. */
  OCV003: {
    errorCode: "OCV003";
    attemptsRemaining: number;
    /** Unix time, milliseconds */
    expiresAt: number;
    requestId: string;
  };

  /** Three texts were sent for this verification. Start a new verification. */
  OCV004: {
    errorCode: "OCV004";
    attemptsRemaining: number;
    /** Unix time, milliseconds */
    expiresAt: number;
    requestId: string;
  };

  /** The verification is unknown, not yours, or older than 24 hours. Start a new verification. */
  OCV005: { errorCode: "OCV005"; requestId: string };

  /** `channel` is not `autofill`, `silent` or `sms`. Use one of the three. */
  OCV006: { errorCode: "OCV006"; requestId: string };

  /** Five minutes have passed since the verification began. Start a new verification. */
  OCV007: {
    errorCode: "OCV007";
    attemptsRemaining: number;
    /** Unix time, milliseconds */
    expiresAt: number;
    requestId: string;
  };

  /**
   * The carrier could not determine the device's phone, or it differs from the given phone. Fall back to `silent`
   * or `sms`.
   */
  OCV008: { errorCode: "OCV008"; requestId: string };

  /** The phone does not begin with `+1`. Send a US number in E.164. */
  OCV009: { errorCode: "OCV009"; requestId: string };

  /** The carrier did not confirm the phone. Fall back to `sms`. */
  OCV010: { errorCode: "OCV010"; requestId: string };

  /**
   * The channel does not work for the device's IP address; or, for `sms`, the phone's holder replied STOP to a
   * text. Fall back to the next channel.
   */
  OCV011: { errorCode: "OCV011"; requestId: string };

  /** `POST /client/1-click` was called with the key of a brand of another type. Use the key of an SDK brand. */
  SKE001: { errorCode: "SKE001"; requestId: string };

  /** The brand verifies phones itself, but gave no phone. Send `phone` or `verificationUuid`. */
  SKE002: { errorCode: "SKE002"; phone: string; requestId: string };
};
