// Generated from docs/api/v2.json: `npm run generate` writes it.

import type { IdentifierMethods, Identifiers, RiskSignals } from "./entities.ts";

/** The `data` of each error, by `errorCode`. */
export type ErrorData = {
  /**
   * The request is invalid. `data.errors` lists each invalid member. Without it, the message says why. Correct the
   * members that `data.errors` lists, or what the message names.
   */
  ERR001: {
    /** The code of the error. */
    errorCode: "ERR001";
    /** Each problem of the request, at most 50. */
    errors?: {
      /** Where the problem is, such as `body.phone`. */
      path: string;
      /** What is wrong, in a sentence. */
      message: string;
    }[];
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * The phone is not `+1` followed by ten digits, or it is not a US number that can be mobile. Send `+1` and the
   * ten digits of a US mobile number.
   */
  OCE002: {
    /** The code of the error. */
    errorCode: "OCE002";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** Neither `phone` nor `verificationUuid` was given. Send `phone`, or the uuid of a verified verification. */
  OCE003: {
    /** The code of the error. */
    errorCode: "OCE003";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * A credential requested with `mandatory: "yes"` was not found; nothing is returned. Request it with
   * `if_available`, or offer manual signup.
   */
  OCE007: {
    /** The code of the error. */
    errorCode: "OCE007";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * v2.0 Semi-Hosted: the typed code is wrong or older than five minutes. Let the person type it again, or start a
   * new 1-Click.
   */
  OCE008: {
    /** The code of the error. */
    errorCode: "OCE008";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** v2.0 Semi-Hosted: the read has no `code`. Add `?code=` with the code that the person typed. */
  OCE009: {
    /** The code of the error. */
    errorCode: "OCE009";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * The phone alone does not identify one person. Ask the person for one of `data.additionalInputs` (any one is
   * enough) and repeat the call. Pass `data.identityUuid` to continue the same 1-Click. Semi-Hosted: send the
   * input with PATCH. v1: repeat the POST.
   */
  OCE011: {
    /** The code of the error. */
    errorCode: "OCE011";
    /** Inputs of which any one would identify the person. */
    additionalInputs: ("fullName.firstName" | "birthDate" | "ssn4")[];
    /** The 1-Click to continue. */
    identityUuid: string;
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The risk of the identifiers. */
    riskSignals?: RiskSignals;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * A given birth date, SSN4 or first name differs from the records; in the sandbox, from the fixed value. Let the
   * person correct it. After too many wrong values, you get OCE019.
   */
  OCE012: {
    /** The code of the error. */
    errorCode: "OCE012";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The risk of the identifiers. */
    riskSignals?: RiskSignals;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** No source knows this person. Offer manual signup. */
  OCE013: {
    /** The code of the error. */
    errorCode: "OCE013";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The risk of the identifiers. */
    riskSignals?: RiskSignals;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** v2.0: the PATCH came more than 30 minutes after the POST. Start a new 1-Click. */
  OCE014: {
    /** The code of the error. */
    errorCode: "OCE014";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * The 1-Click is unknown, not yours, not decided yet, withdrawn, or its 60 minutes have passed. Start a new
   * 1-Click.
   */
  OCE015: {
    /** The code of the error. */
    errorCode: "OCE015";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** Risk signals are on and the overall score is above 600. Offer manual signup with your own checks. */
  OCE017: {
    /** The code of the error. */
    errorCode: "OCE017";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The risk of the identifiers. */
    riskSignals?: RiskSignals;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** v2.0 Semi-Hosted: three codes were tried. Start a new 1-Click. */
  OCE018: {
    /** The code of the error. */
    errorCode: "OCE018";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * Too many different wrong values were given for this phone: three of one input by your brand within 30 minutes,
   * or ten by all brands within 24 hours. A health search counts each birth date that no source gave. Offer manual
   * signup, or try again later.
   */
  OCE019: {
    /** The code of the error. */
    errorCode: "OCE019";
    /** Inputs that have no tries left. */
    inputAttemptsExceeded: ("fullName.firstName" | "birthDate" | "ssn4")[];
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The risk of the identifiers. */
    riskSignals?: RiskSignals;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The brand's integration type is SDK. Use `POST /client/1-click`, or a brand of type API. */
  OCE020: {
    /** The code of the error. */
    errorCode: "OCE020";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The person declined to share; the metadata can still be read with GET. Offer manual signup. */
  OCE021: {
    /** The code of the error. */
    errorCode: "OCE021";
    /** Keyed by identifier: `phone`, `email` */
    identifiers?: Identifiers;
    /** Keyed by identifier: `phone`, `email` */
    verificationMethod?: IdentifierMethods;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * The code is wrong, was replaced by a newer one, or was already used. Let the person type it again while
   * `attemptsRemaining` is above 0.
   */
  OCV001: {
    /** The code of the error. */
    errorCode: "OCV001";
    /** How many codes can still be tried. */
    attemptsRemaining: number;
    /** When the verification expires, in Unix milliseconds. */
    expiresAt: number;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * Three codes were tried, the text could not be delivered, or the person said on a link's page that they did not
   * ask for it. Start a new verification.
   */
  OCV002: {
    /** The code of the error. */
    errorCode: "OCV002";
    /** How many codes can still be tried. */
    attemptsRemaining: number;
    /** When the verification expires, in Unix milliseconds. */
    expiresAt: number;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The verification is verified, expired or failed. Start a new verification. */
  OCV003: {
    /** The code of the error. */
    errorCode: "OCV003";
    /** How many codes can still be tried. */
    attemptsRemaining: number;
    /** When the verification expires, in Unix milliseconds. */
    expiresAt: number;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** Three texts were sent for this verification. Start a new verification. */
  OCV004: {
    /** The code of the error. */
    errorCode: "OCV004";
    /** How many codes can still be tried. */
    attemptsRemaining: number;
    /** When the verification expires, in Unix milliseconds. */
    expiresAt: number;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The verification is unknown, not yours, or older than 24 hours. Start a new verification. */
  OCV005: {
    /** The code of the error. */
    errorCode: "OCV005";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** `channel` is not `autofill`, `silent` or `sms`. Use one of the three. */
  OCV006: {
    /** The code of the error. */
    errorCode: "OCV006";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** Five minutes have passed since the verification began. Start a new verification. */
  OCV007: {
    /** The code of the error. */
    errorCode: "OCV007";
    /** How many codes can still be tried. */
    attemptsRemaining: number;
    /** When the verification expires, in Unix milliseconds. */
    expiresAt: number;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * The carrier could not determine the device's phone, or it differs from the given phone. Fall back to `silent`
   * or `sms`.
   */
  OCV008: {
    /** The code of the error. */
    errorCode: "OCV008";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The phone has another country code than `+1`. Send `+1` and the ten digits of a US number. */
  OCV009: {
    /** The code of the error. */
    errorCode: "OCV009";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The carrier did not confirm the phone. Fall back to `sms`. */
  OCV010: {
    /** The code of the error. */
    errorCode: "OCV010";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /**
   * The channel does not work for the device's IP address; or, for `sms`, the phone's holder replied STOP to a
   * text. Use the next channel, or your own form.
   */
  OCV011: {
    /** The code of the error. */
    errorCode: "OCV011";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** `POST /client/1-click` was called with the key of a brand of another type. Use the key of an SDK brand. */
  SKE001: {
    /** The code of the error. */
    errorCode: "SKE001";
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };

  /** The brand verifies phones itself, but gave no phone. Send `phone` or `verificationUuid`. */
  SKE002: {
    /** The code of the error. */
    errorCode: "SKE002";
    /** The reason: a phone is required. */
    phone: string;
    /** The request's id. Include it when you ask for help. */
    requestId: string;
  };
};
