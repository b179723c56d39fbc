import type { ChallengeInput } from "@countersign/contract/errors";
import type { Brand, Caller } from "../deps.ts";
import { type Failure, fail } from "../failure.ts";
import { identifiersOf, riskSignals } from "./entity.ts";
import { type OneClick, type RepeatedRefusal, repeatedRefusals } from "./one-click.ts";

/** The error of a refused 1-Click, for the first answer and for later reads. */
export function refusalOf(brand: Brand, code: RepeatedRefusal, oneClick: OneClick): Failure {
  const inputs = oneClick.facts.refusedInputs ?? [];
  // Only the person's page names the missing types.
  if (code === "OCE007") return fail(code, identifiersOf(oneClick.facts, oneClick.phoneMethod));
  const facts = errorFacts(brand, oneClick);
  if (code === "OCE011") {
    const message = `Additional information is required to source data for user: ${inputs.join(", ")}`;
    return fail(code, { additionalInputs: inputs, identityUuid: oneClick.uuid, ...facts }, message);
  }
  if (code === "OCE012") return fail(code, facts, mismatchMessage(inputs));
  if (code === "OCE019") return fail(code, { inputAttemptsExceeded: inputs, ...facts });
  return fail(code, facts);
}

/** The identifiers and risk signals that errors about a 1-Click include. */
function errorFacts(brand: Brand, { facts, phoneMethod }: OneClick) {
  return {
    ...identifiersOf(facts, phoneMethod),
    ...(facts.risk === null ? {} : { riskSignals: riskSignals(facts.risk, brand, facts) }),
  };
}

/** The message of OCE012. It names the mismatched inputs in a fixed order. */
export function mismatchMessage(inputs: ChallengeInput[]): string {
  const named = Object.entries(inputNames).filter(([input]) => inputs.some((one) => one === input));
  return `${named.map(([, name]) => `${name} mismatch`).join(" and ")}.`;
}

/** In the order of the message. */
const inputNames: Record<ChallengeInput, string> = {
  birthDate: "BirthDate",
  ssn4: "SSN4",
  "fullName.firstName": "FirstName",
};

/** Throws the stored refusal of a 1-Click, if it was refused. */
export function throwIfRefused(caller: Caller, oneClick: OneClick): void {
  const refusal = repeatedRefusals.find((code) => code === oneClick.refusal);
  if (oneClick.state === "refused" && refusal !== undefined) {
    throw refusalOf(caller.brand, refusal, oneClick);
  }
}
