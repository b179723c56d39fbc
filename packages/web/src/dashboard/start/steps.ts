/** The steps of the page “Get started”. */
import type { Environment, IntegrationType } from "@countersign/contract/brand";

export type StepId = "approval" | "key" | "call" | "prove" | "share" | "code" | "live";

/** The SDK begins with a page that a person can use. It makes the first call too. */
const middle: Readonly<Record<IntegrationType, readonly StepId[]>> = {
  sdk: ["share", "call", "prove"],
  api: ["call", "prove"],
  semiHosted: ["call", "prove"],
  nonHosted: ["call"],
  hosted: ["call", "share"],
  v1: ["call", "share"],
};

/** The steps of an integration type, in their order. Only test people share without being asked in person. */
export function stepsOf(type: IntegrationType, environment: Environment): readonly StepId[] {
  const own = middle[type];
  if (environment === "sandbox") return ["key", ...own, "code", "live"];
  return ["approval", "key", ...own.filter((one) => one !== "share"), "code"];
}

/** Whether a brand of this type may leave a step out. */
export function isOptional(step: StepId, type: IntegrationType): boolean {
  return step === "prove" && type === "sdk";
}
