/** A screen of the frame; `consent` comes first where the session knows a phone already. */
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

/** How it ended. The first three are successes, and after `NO_INSURANCE_FOUND` the identity was shared; after the others offer your own form. */
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
 * What `onResult` gets, once. It holds no personal data: send the uuid to your server, which reads the rest with its key.
 *
 * ```json
 * { "type": "USER_SHARED_CREDENTIALS", "step": "done", "identityUuid": "b9cee304-…", "healthDataUuid": null,
 *   "verificationUuid": null, "redirectUrl": null }
 * ```
 */
export type SdkResult = {
  type: SdkResultType;
  /** The last screen on which the person had something to do. */
  step: SdkStep;
  /** Read it with `GET /1-click/{uuid}`; set from the proof of the phone on. It has `credentials` only where they were shared. */
  identityUuid: string | null;
  /** Read it with `GET /1-click/health/{healthDataUuid}`; set after `USER_SHARED_HEALTH_DATA` and `NO_INSURANCE_FOUND`. */
  healthDataUuid: string | null;
  /** Read it with `GET /1-click/verifications/{uuid}`; set from the proof of the phone on, unless the proof is your own word. */
  verificationUuid: string | null;
  /** An http or https address from your settings, with the uuids as parameters; `null` where none is set. */
  redirectUrl: string | null;
};

/** What `onEvent` gets, in the order it happened; nothing you need to react to. Durations are whole milliseconds. */
export type SdkEvent =
  | { type: "SDK_READY" }
  | { type: "USER_STEP_CHANGE"; step: SdkStep; previousStep: SdkStep | null }
  | { type: "STEP_TIME_SPENT"; step: SdkStep; durationMs: number }
  | {
      type: "USER_COMPLETED_PRODUCT";
      product: "1-click-signup" | "1-click-health" | "1-click-verify";
      /** As in a result: whoever leaves after sharing has shared. */
      identityUuid: string | null;
      healthDataUuid: string | null;
      verificationUuid: string | null;
    }
  | { type: "VERIFICATION_CODE_RESENT" };

/**
 * Why it cannot go on.
 *
 * - `INVALID_SESSION_KEY`: there is none, it was used already, or it is unknown.
 * - `SESSION_TIMEOUT`: the session's 60 minutes are over, or the frame was loaded anew and its one key is spent.
 * - `SHARE_CREDENTIALS_ERROR`: it cannot go on: something needed is missing, or a breakdown. Show your own form.
 * - `UNREACHABLE`: the frame did not answer within ten seconds, or this page cannot load it.
 */
export type SdkErrorReason = "INVALID_SESSION_KEY" | "SESSION_TIMEOUT" | "SHARE_CREDENTIALS_ERROR" | "UNREACHABLE";

/** What `onError` gets. Begin again with a new session key and a new instance. */
export type SdkError = { reason: SdkErrorReason };

/** What the frame says through the channel. Heights are CSS pixels. */
export type FrameMessage =
  | { type: "ready" | "resize"; height: number }
  | { type: "event"; event: SdkEvent }
  | { type: "result"; result: SdkResult }
  | { type: "error"; reason: SdkErrorReason };
