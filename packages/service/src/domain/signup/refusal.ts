import type { ChallengeInput } from "@countersign/contract/errors";
import type { Brand, Caller } from "../deps.ts";
import { type Failure, fail } from "../failure.ts";
import { errorFacts } from "./entity.ts";
import { type RepeatedRefusal, repeatedRefusals } from "./states.ts";
import type { OneClick } from "./store.ts";

type Refused = Pick<OneClick, "uuid" | "facts" | "phoneMethod">;

/** The error of a refused 1-Click, for the first answer and for later reads. */
export function refusalOf(brand: Brand, code: RepeatedRefusal, { uuid, facts, phoneMethod }: Refused): Failure {
  const inputs = facts.refusedInputs ?? [];
  if (code === "OCE007") return fail(code, {});
  const about = errorFacts(brand, facts, phoneMethod);
  if (code === "OCE011") {
    const message = `Additional information is required to source data for user: ${inputs.join(", ")}`;
    return fail(code, { additionalInputs: inputs, identityUuid: uuid, ...about }, message);
  }
  if (code === "OCE012") return fail(code, about, mismatchMessage(inputs));
  if (code === "OCE019") return fail(code, { inputAttemptsExceeded: inputs, ...about });
  return fail(code, about);
}

/** The message of OCE012. It names the mismatched inputs in a fixed order. */
export function mismatchMessage(inputs: ChallengeInput[]): string {
  const named = (["birthDate", "ssn4", "fullName.firstName"] as const).filter((one) => inputs.includes(one));
  return `${named.map((one) => `${inputNames[one]} mismatch`).join(" and ")}.`;
}

const inputNames: Record<ChallengeInput, string> = {
  birthDate: "BirthDate",
  ssn4: "SSN4",
  "fullName.firstName": "FirstName",
};

/** Throws the stored refusal of a 1-Click, if it was refused. */
export function throwRefusal(caller: Caller, oneClick: OneClick): void {
  const refusal = repeatedRefusals.find((code) => code === oneClick.refusal);
  if (oneClick.state === "refused" && refusal !== undefined) {
    throw refusalOf(caller.brand, refusal, oneClick);
  }
}
