import type { RequestNode } from "../credential/request.ts";
import type { Caller, Deps } from "../deps.ts";
import { issuedCredentials } from "../issuance/sourced.ts";
import type { Phone } from "../ports.ts";
import type { Sourced } from "./source.ts";

/** Whose values, on which proof. */
type About = { phone: Phone; requestTree: RequestNode[]; verificationUuid?: string };

/**
 * Puts what brands issued before what the source found, where the phone is proven. Issued values satisfy no challenge:
 * where the source wants more, or refutes an input, they are not looked at. For a person whom no source knows they are
 * the whole answer, unless an input was given that nothing could be compared with.
 */
export async function withIssued(deps: Deps, caller: Caller, about: About, answer: Sourced): Promise<Sourced> {
  if (answer.kind !== "found" && (answer.kind !== "unknown" || answer.challenged)) return answer;
  if (!(await isProven(deps, caller, about))) return answer;
  const types = about.requestTree.map(({ type }) => type);
  const issued = await issuedCredentials(deps, about.phone, { types });
  if (answer.kind === "found") return { kind: "found", credentials: [...issued, ...answer.credentials] };
  return issued.length === 0 ? answer : { kind: "found", credentials: issued };
}

/**
 * Whether the service proved the phone, or the operator trusts the brand's word for it (`barePhone`). A code that the
 * brand was given to text proves nothing: the brand could type it itself.
 */
async function isProven(deps: Deps, { brand }: Caller, { verificationUuid }: About): Promise<boolean> {
  if (brand.approvals.has("barePhone")) return true;
  if (verificationUuid === undefined) return false;
  const proof = await deps.db
    .selectFrom("verification")
    .select("uuid")
    .where("uuid", "=", verificationUuid)
    .where("status", "=", "verified")
    .where("code_shown_to_brand", "is", false)
    .executeTakeFirst();
  return proof !== undefined;
}
