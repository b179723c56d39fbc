import type { FrameMessage, SdkErrorReason, SdkEvent, SdkResult, SdkResultType, SdkStep } from "./messages.ts";

export const frameSource = "countersign";

// Values outside these lists are rejected. A test compares the lists with the contract.
export const steps: readonly SdkStep[] = [
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
];
export const products = ["1-click-signup", "1-click-health", "1-click-verify"] as const;
export const resultTypes: readonly SdkResultType[] = [
  "USER_SHARED_CREDENTIALS",
  "USER_SHARED_HEALTH_DATA",
  "USER_PHONE_VERIFIED",
  "USER_OPTED_OUT",
  "NO_CREDENTIALS_FOUND",
  "NO_INSURANCE_FOUND",
  "RISK_SCORE_TOO_HIGH",
  "MAX_INPUT_ATTEMPTS_EXCEEDED",
  "MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED",
];
export const errorReasons: readonly SdkErrorReason[] = [
  "INVALID_SESSION_KEY",
  "SESSION_TIMEOUT",
  "SHARE_CREDENTIALS_ERROR",
  "UNREACHABLE",
];

/** Whether this is the frame's first message. */
export function isHello(data: unknown): boolean {
  const { source, type } = membersOf(data);
  return source === frameSource && type === "hello";
}

/** A message of the frame, with exactly its own members. Undefined if any part is invalid. */
export function readMessage(data: unknown): FrameMessage | undefined {
  const { type, height, event, result, reason } = membersOf(data);
  switch (type) {
    case "ready":
    case "resize":
      return isAmount(height) ? { type, height } : undefined;
    case "event":
      return wrap(readEvent(event), (known) => ({ type, event: known }));
    case "result":
      return wrap(readResult(result), (known) => ({ type, result: known }));
    case "error":
      return wrap(known(errorReasons, reason), (one) => ({ type, reason: one }));
    default:
      return undefined;
  }
}

function readEvent(data: unknown): SdkEvent | undefined {
  const { type, durationMs, ...rest } = membersOf(data);
  const step = known(steps, rest.step);
  const previousStep = rest.previousStep === null ? null : known(steps, rest.previousStep);
  const product = known(products, rest.product);
  const uuids = readUuids(rest);
  switch (type) {
    case "SDK_READY":
    case "VERIFICATION_CODE_RESENT":
      return { type };
    case "USER_STEP_CHANGE":
      return step && previousStep !== undefined ? { type, step, previousStep } : undefined;
    case "STEP_TIME_SPENT":
      return step && isAmount(durationMs) ? { type, step, durationMs } : undefined;
    case "USER_COMPLETED_PRODUCT":
      return product && uuids && { type, product, ...uuids };
    default:
      return undefined;
  }
}

function readResult(data: unknown): SdkResult | undefined {
  const { redirectUrl, ...rest } = membersOf(data);
  const type = known(resultTypes, rest.type);
  const step = known(steps, rest.step);
  const uuids = readUuids(rest);
  return type && step && uuids && isAddress(redirectUrl) ? { type, step, ...uuids, redirectUrl } : undefined;
}

function readUuids({ identityUuid, healthDataUuid, verificationUuid }: Record<string, unknown>) {
  if (!isTextOrNull(identityUuid) || !isTextOrNull(healthDataUuid) || !isTextOrNull(verificationUuid)) return undefined;
  return { identityUuid, healthDataUuid, verificationUuid };
}

/** Reads own members only, because a page may add members to `Object.prototype`. */
function membersOf(data: unknown): Record<string, unknown> {
  return { __proto__: null, ...(typeof data === "object" ? data : {}) };
}

function known<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

function wrap<Value, Wrapped>(value: Value | undefined, into: (value: Value) => Wrapped): Wrapped | undefined {
  return value === undefined ? undefined : into(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** Only http and https URLs pass. A host page may assign the URL to `location`, where a `javascript:` URL would run. */
function isAddress(value: unknown): value is string | null {
  return isTextOrNull(value) && (value === null || /^https?:\/\//i.test(value));
}
