import type { FrameErrorReason, FrameResult, FrameUuids } from "@countersign/contract/frame";
import type { PageView } from "@countersign/contract/wallet";

type ResultType = FrameResult["type"];

/** Error codes that are results for the brand. With every other code, a new session may help. */
const resultOfError: Readonly<Record<string, ResultType>> = {
  OCE013: "NO_CREDENTIALS_FOUND",
  OCE017: "RISK_SCORE_TOO_HIGH",
  OCE019: "MAX_INPUT_ATTEMPTS_EXCEEDED",
  OCV002: "MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED",
};
const resultOfOutcome: Readonly<Record<NonNullable<PageView["outcome"]>, ResultType>> = {
  shared: "USER_SHARED_CREDENTIALS",
  returned: "USER_SHARED_CREDENTIALS",
  verified: "USER_PHONE_VERIFIED",
  declined: "USER_OPTED_OUT",
  insured: "USER_SHARED_HEALTH_DATA",
  uninsured: "NO_INSURANCE_FOUND",
};
const errorOfCode: Readonly<Record<string, FrameErrorReason>> = { OCE015: "SESSION_TIMEOUT", OVER: "SESSION_TIMEOUT" };

export type Ending = { result: Omit<FrameResult, "step"> } | { error: FrameErrorReason };

/** The result for the brand's page. Null until the person has finished. */
export function endingOf(view: PageView): Ending | null {
  if (view.step === "error") return endingOfCode(view.errorCode ?? "", view);
  if (view.step !== "done") return null;
  return { result: { type: resultOfOutcome[view.outcome ?? "shared"], ...detailsOf(view) } };
}

export function endingOfCode(code: string, view: Partial<PageView> = {}): Ending {
  const type = resultOfError[code];
  return type === undefined
    ? { error: errorOfCode[code] ?? "SHARE_CREDENTIALS_ERROR" }
    : { result: { type, ...detailsOf(view) } };
}

export const optedOut: Omit<FrameResult, "step"> = { type: "USER_OPTED_OUT", ...detailsOf({}) };

function detailsOf(view: Partial<PageView>) {
  return { ...uuidsOf(view), redirectUrl: view.redirectUrl ?? null };
}

/** The UUIDs in a view. The brand's server reads the data with them. */
export function uuidsOf({ identityUuid, healthDataUuid, verificationUuid }: Partial<PageView>): FrameUuids {
  return {
    identityUuid: identityUuid ?? null,
    healthDataUuid: healthDataUuid ?? null,
    verificationUuid: verificationUuid ?? null,
  };
}
