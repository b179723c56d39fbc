import type { ChallengeInput } from "@countersign/contract/errors";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { orUnavailable } from "../failure.ts";
import { issuedCredentials } from "../issuance/sourced.ts";
import { journeys } from "../journey.ts";
import type { SourcedCredential } from "../ports.ts";
import { isProvenByService } from "../verification/verification-rows.ts";
import { compareChallenges, type GivenChallenge, givenChallenges } from "./challenges.ts";
import type { OneClick } from "./one-click.ts";

export type Sourced =
  /** `holderUuid`: whose issued credentials are among them. */
  | { kind: "found"; credentials: SourcedCredential[]; holderUuid?: string }
  | { kind: "needs" | "mismatch" | "exceeded"; inputs: ChallengeInput[] }
  | { kind: "unknown" };

/** `compare`: challenges to compare with the records. `narrow`: challenges that only help to find the person. */
type Challenges = { compare: GivenChallenge[]; narrow: GivenChallenge[] };

/** Asks the sources for a person, and adds what brands issued. */
export async function source(deps: Deps, caller: Caller, oneClick: OneClick): Promise<Sourced> {
  const given = givenChallenges(oneClick.facts.inputs ?? {});
  const { answer, isCompared } = await lookUp(deps, caller, oneClick, given);
  const required = withRequired(answer, caller, given);
  if (required.kind === "found") return await withIssued(deps, caller, oneClick, required);
  // Inputs that had to be compared are unconfirmed without a record, so issued values must not be added then.
  if (required.kind === "unknown" && !isCompared) return await withIssued(deps, caller, oneClick, required);
  return required;
}

/**
 * A given birth date or SSN4 is compared with the records, except that v1 uses the birth date only to find the person.
 * A first name is compared if the brand's settings name it. If not, it is compared in a second call, and only if the
 * source needs it to identify the person.
 */
async function lookUp(
  deps: Deps,
  caller: Caller,
  oneClick: OneClick,
  given: readonly GivenChallenge[],
): Promise<{ answer: Sourced; isCompared: boolean }> {
  const { comparesBirthDate } = journeys[oneClick.journey];
  const isNamed = caller.brand.settings.challenges.some(({ input }) => input === "fullName.firstName");
  const narrow = given.filter(({ input }) => input === "birthDate" && !comparesBirthDate);
  const comparable = given.filter((one) => !narrow.includes(one));
  const compare = comparable.filter(({ input }) => input !== "fullName.firstName" || isNamed);
  const answer = await ask(deps, caller, oneClick, { compare, narrow });
  const left = comparable.filter((one) => !compare.includes(one));
  if (answer.kind !== "needs" || !left.some(({ input }) => answer.inputs.includes(input)))
    return { answer, isCompared: compare.length + narrow.length > 0 };
  return { answer: await ask(deps, caller, oneClick, { compare: comparable, narrow }), isCompared: true };
}

async function ask(
  deps: Deps,
  caller: Caller,
  { facts: { phone, inputs = {} } }: OneClick,
  { compare, narrow }: Challenges,
): Promise<Sourced> {
  return await compareChallenges(deps, { brandUuid: caller.brand.uuid, phone, given: compare }, async (compared) =>
    orUnavailable(
      deps.identity.lookUp({
        phone,
        inputs,
        compare: compared,
        narrow: narrow.map((one) => one.input),
        deadlineMs: sourceDeadlineMs,
      }),
    ),
  );
}

/** Returns `needs` if a challenge is missing that the brand's settings require, even if the source found the person. */
function withRequired(answer: Sourced, caller: Caller, given: GivenChallenge[]): Sourced {
  if (answer.kind === "mismatch" || answer.kind === "exceeded") return answer;
  const missing = caller.brand.settings.challenges
    .filter((one) => one.when === "always" && !given.some((other) => other.input === one.input))
    .map((one) => one.input);
  if (missing.length === 0) return answer;
  const needed = answer.kind === "needs" ? answer.inputs : [];
  return { kind: "needs", inputs: [...new Set([...needed, ...missing])] };
}

/**
 * Puts credentials issued by brands before those from the source, if the phone is proven. If no source knows the
 * person, only issued credentials are returned. They answer no challenge, so the caller must not call this if the
 * source needs inputs, found a mismatch, or had to compare inputs of an unknown person.
 */
async function withIssued(
  deps: Deps,
  caller: Caller,
  oneClick: OneClick,
  answer: Extract<Sourced, { kind: "found" | "unknown" }>,
): Promise<Sourced> {
  if (!(await mayAddIssued(deps, caller, oneClick))) return answer;
  const types = oneClick.requestTree.map(({ type }) => type);
  const issued = await issuedCredentials(deps, oneClick.facts.phone, {
    types,
    customerUuid: caller.brand.customerUuid,
  });
  if (issued === null) return answer;
  const { holderUuid, credentials } = issued;
  const sourced = answer.kind === "found" ? answer.credentials : [];
  return { kind: "found", credentials: [...credentials, ...sourced], holderUuid };
}

/**
 * Whether issued credentials may be added: the service proved the phone, or the operator lets the brand assert it
 * (approval `barePhone`). A code that the brand texts itself proves nothing, because the brand could enter it.
 */
async function mayAddIssued(deps: Deps, { brand }: Caller, { verificationUuid }: OneClick): Promise<boolean> {
  if (brand.approvals.has("barePhone")) return true;
  if (verificationUuid === null) return false;
  return await isProvenByService(deps.db, verificationUuid);
}
