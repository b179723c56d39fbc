import type { AmendRequest } from "@countersign/contract/v2";

/** What OCE011 can ask for, out of a body: every member of it, and no other. */
export function readAdditionalInputs({ birthDate, ssn4, fullName }: AmendRequest): AmendRequest {
  return { birthDate, ssn4, fullName } satisfies Record<keyof AmendRequest, unknown>;
}
