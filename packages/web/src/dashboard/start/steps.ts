/** The steps of the page “Get started”. */
import type { Environment, IntegrationType } from "@countersign/contract/brand";

export type StepId = "approval" | "key" | "call" | "prove" | "share" | "code" | "live";

/** The steps between the key and the end. The SDK begins with a page, which also makes the first call. */
const middle: Readonly<Record<IntegrationType, readonly StepId[]>> = {
  sdk: ["share", "call", "prove"],
  api: ["call", "prove"],
  semiHosted: ["call", "prove"],
  nonHosted: ["call"],
  hosted: ["call", "share"],
  v1: ["call", "share"],
};

/** The steps of an integration type, in order. The step `share` needs a test person, so production does not have it. */
export function stepsOf(type: IntegrationType, environment: Environment): readonly StepId[] {
  const own = middle[type];
  if (environment === "sandbox") return ["key", ...own, "code", "live"];
  return ["approval", "key", ...own.filter((one) => one !== "share"), "code"];
}

/** Whether a brand of this type can skip a step. */
export function isOptional(step: StepId, type: IntegrationType): boolean {
  return step === "prove" && type === "sdk";
}
