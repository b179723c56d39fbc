import type { RequestNode } from "../credential/request.ts";
import type { Deps } from "../deps.ts";
import { issuedCredentials } from "../issuance/sourced.ts";
import type { Phone } from "../ports.ts";
import type { Sourced } from "./source.ts";

/**
 * Puts what brands issued before what the source found. It satisfies no challenge: where the source wants more, or
 * refutes what was given, it is not even looked at. Of a person whom the source does not know it is all there is, and
 * then it is given on the proof of the phone alone; with an input that nothing could be held against, nothing is given.
 */
export async function withIssued(
  deps: Deps,
  about: { phone: Phone; requestTree: RequestNode[] },
  answer: Sourced,
): Promise<Sourced> {
  if (answer.kind !== "found" && (answer.kind !== "unknown" || answer.challenged)) return answer;
  const issued = await issuedCredentials(deps, about.phone, { types: about.requestTree.map(({ type }) => type) });
  if (answer.kind === "found") return { kind: "found", credentials: [...issued, ...answer.credentials] };
  return issued.length === 0 ? answer : { kind: "found", credentials: issued };
}
