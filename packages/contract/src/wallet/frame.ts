/**
 * Messages between the wallet in an iframe and the SDK on the brand's page.
 *
 * The frame sends `hello` to its parent with `window.postMessage`. The SDK checks that the message comes from its own
 * frame and from the wallet's origin. It replies once, to that origin, with the session key and one end of a message
 * channel. All later messages use the channel, which no other script on the page can reach. No message contains
 * personal data, but the heights depend on it.
 */
export const frameSource = "countersign";

/**
 * Frame → page, by `window.parent.postMessage`: the frame is ready for its key. The only message to the page outside
 * the channel.
 */
export type FrameHello = { source: typeof frameSource; type: "hello" };
/** Page → frame, by `frame.contentWindow.postMessage` to the wallet's origin, with one `MessagePort`. */
export type FrameKey = {
  source: typeof frameSource;
  type: "key";
  sessionKey: string;
  /** The color scheme of the page. The device's preference alone could put a dark frame on a light page. */
  colorScheme: "light" | "dark";
  /** The language of the page, such as `es-US`. Default: the browser's language. */
  locale?: string;
};

/** Page → frame, through the channel. */
export type ToFrame = { type: "focus" };

/** Frame → page, through the channel. Heights are CSS pixels. */
export type FromFrame =
  | { type: "ready"; height: number }
  | { type: "resize"; height: number }
  | { type: "event"; event: FrameEvent }
  /** The person closed the frame, which has reported its result or an error. */
  | { type: "close" }
  | { type: "result"; result: FrameResult }
  | ({ type: "error"; reason: FrameErrorReason } & FrameTrouble);

/** The error code and the request id of a failed call. The SDK ignores codes that are not in the catalog. */
export type FrameTrouble = { errorCode?: string; requestId?: string };

/** The current screen, as in `main[data-step]`. */
export const frameSteps = [
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
export type FrameStep = (typeof frameSteps)[number];

export const frameProducts = ["1-click-signup", "1-click-health", "1-click-verify"] as const;

/** IDs with which the brand's server reads the data, using its API key. Null if absent. */
export type FrameUuids = {
  identityUuid: string | null;
  healthDataUuid: string | null;
  verificationUuid: string | null;
};

/** Progress events, in order. No event follows the result. */
export type FrameEvent =
  | { type: "SDK_READY" }
  | { type: "USER_STEP_CHANGE"; step: FrameStep; previousStep: FrameStep | null }
  | { type: "STEP_TIME_SPENT"; step: FrameStep; durationMs: number }
  | ({ type: "USER_COMPLETED_PRODUCT"; product: (typeof frameProducts)[number] } & FrameUuids)
  | { type: "VERIFICATION_CODE_RESENT" };

export const frameResultTypes = [
  "USER_SHARED_CREDENTIALS",
  "USER_SHARED_HEALTH_DATA",
  "USER_PHONE_VERIFIED",
  "USER_OPTED_OUT",
  "NO_CREDENTIALS_FOUND",
  "NO_INSURANCE_FOUND",
  "RISK_SCORE_TOO_HIGH",
  "MAX_INPUT_ATTEMPTS_EXCEEDED",
  "MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED",
] as const;

/** The final result, sent once. `redirectUrl` already contains the UUIDs as query parameters. */
export type FrameResult = FrameUuids & {
  type: (typeof frameResultTypes)[number];
  /** The last screen that needed input from the person. */
  step: FrameStep;
  redirectUrl: string | null;
};

/** The SDK itself reports `UNREACHABLE` if the frame does not send `hello` within ten seconds. */
export const frameErrorReasons = [
  "INVALID_SESSION_KEY",
  "SESSION_TIMEOUT",
  "SHARE_CREDENTIALS_ERROR",
  "UNREACHABLE",
] as const;
export type FrameErrorReason = (typeof frameErrorReasons)[number];
