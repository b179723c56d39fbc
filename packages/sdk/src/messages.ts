/** A screen of the frame. `consent` comes first if the session already knows the phone. */
export type SdkStep =
  | "consent"
  | "phone"
  | "verificationCode"
  | "firstName"
  | "birthday"
  | "ssn4"
  | "review"
  | "health"
  | "done"
  | "error";

/**
 * The final result. The first three are successes. After `NO_INSURANCE_FOUND`, the identity was shared. After the
 * others, show your own form.
 */
export type SdkResultType =
  | "USER_SHARED_CREDENTIALS"
  | "USER_SHARED_HEALTH_DATA"
  | "USER_PHONE_VERIFIED"
  | "USER_OPTED_OUT"
  | "NO_CREDENTIALS_FOUND"
  | "NO_INSURANCE_FOUND"
  | "RISK_SCORE_TOO_HIGH"
  | "MAX_INPUT_ATTEMPTS_EXCEEDED"
  | "MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED";

/**
 * The argument of `onResult`, sent once. It contains no personal data: send the UUID to your server, which reads the
 * data with its API key.
 *
 * ```json
 * { "type": "USER_SHARED_CREDENTIALS", "step": "done", "identityUuid": "b9cee304-…", "healthDataUuid": null,
 *   "verificationUuid": null, "redirectUrl": null }
 * ```
 */
export type SdkResult = {
  type: SdkResultType;
  /** The last screen that needed input from the person. */
  step: SdkStep;
  /**
   * For `GET /1-click/{uuid}`. Set once the phone is proven. The response has `credentials` only if the person shared
   * them.
   */
  identityUuid: string | null;
  /** For `GET /1-click/health/{healthDataUuid}`. Set after `USER_SHARED_HEALTH_DATA` and `NO_INSURANCE_FOUND`. */
  healthDataUuid: string | null;
  /** For `GET /1-click/verifications/{uuid}`. Set once the phone is proven, unless you asserted the phone yourself. */
  verificationUuid: string | null;
  /** An http or https URL from your settings, with the UUIDs as query parameters. `null` if none is set. */
  redirectUrl: string | null;
};

/** The argument of `onEvent`, in order. You need not react to events. Durations are whole milliseconds. */
export type SdkEvent =
  | { type: "SDK_READY" }
  | { type: "USER_STEP_CHANGE"; step: SdkStep; previousStep: SdkStep | null }
  | { type: "STEP_TIME_SPENT"; step: SdkStep; durationMs: number }
  | {
      type: "USER_COMPLETED_PRODUCT";
      product: "1-click-signup" | "1-click-health" | "1-click-verify";
      /** As in a result. The data is shared even if the person leaves now. */
      identityUuid: string | null;
      healthDataUuid: string | null;
      verificationUuid: string | null;
    }
  | { type: "VERIFICATION_CODE_RESENT" };

/**
 * Why the session cannot continue.
 *
 * - `INVALID_SESSION_KEY`: the key is missing, used or unknown.
 * - `SESSION_TIMEOUT`: the session's 60 minutes are over, or the frame was reloaded and its one-time key is used.
 * - `SHARE_CREDENTIALS_ERROR`: something required is missing, or the service failed. Show your own form.
 * - `UNREACHABLE`: the frame did not answer within ten seconds, or this page cannot load it.
 */
export type SdkErrorReason = "INVALID_SESSION_KEY" | "SESSION_TIMEOUT" | "SHARE_CREDENTIALS_ERROR" | "UNREACHABLE";

/** The argument of `onError`. To start over, create a new instance with a new session key. */
export type SdkError = { reason: SdkErrorReason };

/** Messages of the frame on the channel. Heights are CSS pixels. */
export type FrameMessage =
  | { type: "ready" | "resize"; height: number }
  | { type: "event"; event: SdkEvent }
  | { type: "result"; result: SdkResult }
  | { type: "error"; reason: SdkErrorReason };
