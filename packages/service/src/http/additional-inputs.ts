import type { AmendRequest } from "@countersign/contract/v2";

/** The inputs that OCE011 can ask for, read from a body. Drops all other members. */
export function readAdditionalInputs({ birthDate, ssn4, fullName }: AmendRequest): AmendRequest {
  return { birthDate, ssn4, fullName } satisfies Record<keyof AmendRequest, unknown>;
}
