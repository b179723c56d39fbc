import {
  errorMessages,
  type FrameMessage,
  outcomes,
  products,
  type SdkError,
  type SdkEvent,
  type SdkResult,
  type SdkResultType,
  type SdkStep,
  steps,
} from "./messages.ts";

export const frameSource = "countersign";

/** Whether this is the frame's first message. */
export function isHello(data: unknown): boolean {
  const { source, type } = membersOf(data);
  return source === frameSource && type === "hello";
}

/** A message of the frame, with exactly the declared members. Undefined if a required member is invalid. */
export function readMessage(data: unknown): FrameMessage | undefined {
  const { type, height, event, result, ...rest } = membersOf(data);
  switch (type) {
    case "ready":
    case "resize":
      return isAmount(height) ? { type, height } : undefined;
    case "close":
      return { type };
    case "event":
      return wrap(readEvent(event), (known) => ({ type, event: known }));
    case "result":
      return wrap(readResult(result), (known) => ({ type, result: known }));
    case "error":
      return wrap(readError(rest), (known) => ({ type, error: known }));
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
  const { type, redirectUrl, ...rest } = membersOf(data);
  const step = known(steps, rest.step);
  const uuids = readUuids(rest);
  if (!isKey(outcomes, type) || !step || !uuids || !isAddress(redirectUrl)) return undefined;
  const result = { type, outcome: outcomes[type], step, ...uuids, redirectUrl };
  return hasRequiredUuids(result) ? result : undefined;
}

type Uuids = { identityUuid: string | null; healthDataUuid: string | null; verificationUuid: string | null };
type Read = { outcome: string; type: SdkResultType; step: SdkStep; redirectUrl: string | null } & Uuids;

/** Whether a result has the UUIDs that its type requires. */
function hasRequiredUuids(result: Read): result is SdkResult {
  const { outcome, type, identityUuid, healthDataUuid } = result;
  if (outcome !== "shared" && outcome !== "verified") return true;
  return identityUuid !== null && (healthDataUuid !== null || /_(CREDENTIALS|VERIFIED)$/.test(type));
}

/** Reports an error even if its details are missing or invalid, as from an older wallet. */
function readError({ reason, errorCode, requestId }: Record<string, unknown>): SdkError | undefined {
  if (!isKey(errorMessages, reason)) return undefined;
  const code = matching(/^[A-Z]{3}\d{3}$/, errorCode);
  const message = code === null ? errorMessages[reason] : `${errorMessages[reason]} The service's code is ${code}.`;
  return { reason, message, requestId: matching(/^[\w-]{1,64}$/, requestId) };
}

function readUuids({ identityUuid, healthDataUuid, verificationUuid }: Record<string, unknown>): Uuids | undefined {
  if (!isTextOrNull(identityUuid) || !isTextOrNull(healthDataUuid) || !isTextOrNull(verificationUuid)) return undefined;
  return { identityUuid, healthDataUuid, verificationUuid };
}

/** Reads own members only, because a page may have added members to `Object.prototype`. */
function membersOf(data: unknown): Record<string, unknown> {
  return { __proto__: null, ...(typeof data === "object" ? data : {}) };
}

function known<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

function isKey<Table extends object>(table: Table, value: unknown): value is keyof Table {
  return typeof value === "string" && Object.hasOwn(table, value);
}

function matching(pattern: RegExp, value: unknown): string | null {
  return typeof value === "string" && pattern.test(value) ? value : null;
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
