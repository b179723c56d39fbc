// Values outside these lists are rejected. A test compares the lists with the contract.

/** The screens of the frame. `consent` comes first if the session already knows the phone. */
export const steps = [
  "consent",
  "phone",
  "verificationCode",
  "firstName",
  "birthday",
  "ssn4",
  "review",
  "health",
  "done",
  "error",
] as const;
/** A screen of the frame. */
export type SdkStep = (typeof steps)[number];

export const products = ["1-click-signup", "1-click-health", "1-click-verify"] as const;

/** What each result means for the brand. */
export const outcomes = {
  USER_SHARED_CREDENTIALS: "shared",
  USER_SHARED_HEALTH_DATA: "shared",
  USER_PHONE_VERIFIED: "verified",
  USER_OPTED_OUT: "declined",
  NO_CREDENTIALS_FOUND: "failed",
  NO_INSURANCE_FOUND: "shared",
  RISK_SCORE_TOO_HIGH: "failed",
  MAX_INPUT_ATTEMPTS_EXCEEDED: "failed",
  MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED: "failed",
} as const;
export type SdkResultType = keyof typeof outcomes;

/**
 * The argument of `onResult`, sent once. It contains no personal data: send the UUID to your server, which reads the
 * data with its API key. Branch on `outcome`, or on `type` for the details.
 *
 * ```json
 * { "outcome": "shared", "type": "USER_SHARED_CREDENTIALS", "step": "review", "identityUuid": "b9cee304-…",
 *   "healthDataUuid": null, "verificationUuid": null, "redirectUrl": null }
 * ```
 */
export type SdkResult = {
  /** The last screen that needed input from the person. */
  step: SdkStep;
  /** For `GET /1-click/verifications/{uuid}`. Set once the phone is proven, unless you asserted the phone yourself. */
  verificationUuid: string | null;
  /** An http or https URL from your settings, with the UUIDs as query parameters. `null` if none is set. */
  redirectUrl: string | null;
} & (
  | {
      /** The person shared their data. Read it with `GET /1-click/{identityUuid}`. */
      outcome: "shared";
      type: "USER_SHARED_CREDENTIALS";
      identityUuid: string;
      healthDataUuid: string | null;
    }
  | {
      /** The same, and the insurance was looked up. Read it with `GET /1-click/health/{healthDataUuid}`. */
      outcome: "shared";
      type: "USER_SHARED_HEALTH_DATA" | "NO_INSURANCE_FOUND";
      identityUuid: string;
      healthDataUuid: string;
    }
  | {
      /** The phone is verified, and you asked for no data. */
      outcome: "verified";
      type: "USER_PHONE_VERIFIED";
      identityUuid: string;
      healthDataUuid: string | null;
    }
  | {
      /** The person declined. Show your own form. The identity is set after the proof, without credentials. */
      outcome: "declined";
      type: "USER_OPTED_OUT";
      identityUuid: string | null;
      healthDataUuid: string | null;
    }
  | {
      /** Nothing can be shared; `type` says why. Show your own form. Reading the identity repeats the error. */
      outcome: "failed";
      type: Exclude<SdkResultType, `USER_${string}` | "NO_INSURANCE_FOUND">;
      identityUuid: string | null;
      healthDataUuid: string | null;
    }
);

/** The argument of `onEvent`, in order. You do not have to react to events. Durations are whole milliseconds. */
export type SdkEvent =
  | { type: "SDK_READY" }
  | { type: "USER_STEP_CHANGE"; step: SdkStep; previousStep: SdkStep | null }
  | { type: "STEP_TIME_SPENT"; step: SdkStep; durationMs: number }
  | {
      type: "USER_COMPLETED_PRODUCT";
      product: (typeof products)[number];
      /** As in a result. The data is shared even if the person leaves now. */
      identityUuid: string | null;
      healthDataUuid: string | null;
      verificationUuid: string | null;
    }
  | { type: "VERIFICATION_CODE_RESENT" };

/** Why the session cannot continue, and the text of `message`. */
export const errorMessages = {
  INVALID_SESSION_KEY: "The session key is missing, used or unknown: create a new key and a new Countersign.",
  SESSION_TIMEOUT:
    "The session's 60 minutes are over, or the frame was reloaded: create a new key and a new Countersign.",
  SHARE_CREDENTIALS_ERROR: "A required value is missing, or a call failed: show your own form.",
  UNREACHABLE:
    "The wallet did not answer within ten seconds: check walletUrl, this page's frame-src, and the brand's allowedOrigins.",
} as const;
export type SdkErrorReason = keyof typeof errorMessages;

/** The argument of `onError`. To start over, create a new instance with a new session key. */
export type SdkError = {
  reason: SdkErrorReason;
  /** For your logs: what happened and what to do, with the service's error code if there is one. */
  message: string;
  /** The request that failed, as in `X-Request-Id`. Include it in support requests. `null` if no request failed. */
  requestId: string | null;
};

/** Messages of the frame on the channel. Heights are CSS pixels. */
export type FrameMessage =
  | { type: "ready" | "resize"; height: number }
  | { type: "event"; event: SdkEvent }
  | { type: "close" }
  | { type: "result"; result: SdkResult }
  | { type: "error"; error: SdkError };
