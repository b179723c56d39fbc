import type { RequestNode } from "../credential/request.ts";
import type { Caller, Deps } from "../deps.ts";
import { issuedCredentials } from "../issuance/sourced.ts";
import type { Phone } from "../ports.ts";
import type { Sourced } from "./source.ts";

/** The person, the requested types, and the verification that proves the phone. */
type About = { phone: Phone; requestTree: RequestNode[]; verificationUuid?: string };

/**
 * Puts credentials issued by brands before those from the source, if the phone is proven. Issued values answer no
 * challenge, so they are ignored if the source needs more inputs or finds a mismatch. If no source knows the person,
 * they are the whole answer, unless a challenge input was given that nothing could be compared with.
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
 * Whether the service proved the phone, or the operator accepts the brand's word for it (approval `barePhone`). A code
 * that the brand received in order to text it proves nothing, because the brand could enter it itself.
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
