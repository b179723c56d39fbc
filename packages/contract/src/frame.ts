/**
 * What the wallet inside a brand's page and the SDK around it say to each other.
 *
 * The frame says `hello` to its parent, by window message. The SDK checks that it comes from its own frame and from the
 * wallet's origin, and answers once with the session key and one end of a message channel, addressed to that origin. All
 * that follows goes through the channel: nobody else on the page holds an end of it. Personal data never crosses.
 */
export const frameSource = "countersign";

/** Frame → page, by `window.parent.postMessage`: it is there and wants its key. The only message without a channel. */
export type FrameHello = { source: typeof frameSource; type: "hello" };
/** Page → frame, by `frame.contentWindow.postMessage` to the wallet's origin, with one `MessagePort`. */
export type FrameKey = {
  source: typeof frameSource;
  type: "key";
  sessionKey: string;
  /** What the page around the frame looks like: the device's preference alone would put a dark box on a light page. */
  colorScheme: "light" | "dark";
};

/** Page → frame, through the channel. */
export type ToFrame = { type: "focus" };

/** Frame → page, through the channel. Heights are CSS pixels. */
export type FromFrame =
  | { type: "ready"; height: number }
  | { type: "resize"; height: number }
  | { type: "event"; event: FrameEvent }
  | { type: "result"; result: FrameResult }
  | { type: "error"; reason: FrameErrorReason };

/** The screen that a person sees, as `main[data-step]` names it. */
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

/** What a brand's server reads with its key; null where there is none. */
export type FrameUuids = {
  identityUuid: string | null;
  healthDataUuid: string | null;
  verificationUuid: string | null;
};

/** What happened on the way, in the order it happened. */
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

/** How it ended; said once. `redirectUrl` carries the uuids as parameters already. */
export type FrameResult = FrameUuids & {
  type: (typeof frameResultTypes)[number];
  /** The last screen on which the person had something to do. */
  step: FrameStep;
  redirectUrl: string | null;
};

/** `UNREACHABLE` is the SDK's own: the frame did not say `hello` within ten seconds. */
export const frameErrorReasons = [
  "INVALID_SESSION_KEY",
  "SESSION_TIMEOUT",
  "SHARE_CREDENTIALS_ERROR",
  "UNREACHABLE",
] as const;
export type FrameErrorReason = (typeof frameErrorReasons)[number];
