import { givenChallenges } from "@countersign/contract/errors";
import { birthDateProblems } from "../day.ts";
import { type Deps, sourceDeadlineMs } from "../deps.ts";
import { fail, invalid, orUnavailable } from "../failure.ts";
import { isKnownToSource } from "../phone.ts";
import type { PersonInputs, SourceAnswer } from "../ports.ts";
import { compareChallenges } from "../signup/challenges.ts";
import { mismatchMessage } from "../signup/refusal.ts";
import { countHoldersQuestion } from "../verification/limits/caps.ts";
import { callerKey, countUses, readUses, type Use, useOf } from "../verification/limits/use-count-rows.ts";
import { hideProven, setProvenUntil } from "./account-session-rows.ts";
import { type Account, provenMs, requireProven } from "./session.ts";

type Proofs = Pick<PersonInputs, "birthDate" | "ssn4">;

/**
 * Checks a birth date, or the last digits of an SSN if no source has a birth date, and then shows the values in full.
 * The limits of challenges apply. The attempts count as the service's own.
 */
export async function proveAccount(deps: Deps, account: Account, inputs: Proofs): Promise<void> {
  const given = givenChallenges(inputs);
  if (given.length === 0) throw invalid([{ path: "body.birthDate", message: "Enter birthDate or ssn4." }]);
  const problems = birthDateProblems(deps.clock, inputs.birthDate);
  if (problems.length > 0) throw invalid(problems);
  const { phone } = account;
  // A value that was tried before is no new attempt, but the source is asked about it again.
  await countHoldersQuestion(deps, phone, null);
  const answer = await compareChallenges(
    deps,
    { brandUuid: deps.vendors.identity.issuerUuid, phone, given },
    async (compare) =>
      orUnavailable(deps.vendors.identity.lookUp({ phone, inputs, compare, narrow: [], deadlineMs: sourceDeadlineMs })),
  );
  if (answer.kind === "exceeded") throw fail("OCE019", { inputAttemptsExceeded: answer.inputs });
  if (answer.kind === "mismatch") throw fail("OCE012", {}, mismatchMessage(answer.inputs));
  const missing = missingProof(answer, inputs);
  if (missing !== null) throw invalid([{ path: `body.${missing}`, message: "This is also needed." }]);
  if (answer.kind === "needs") throw fail("OCE012", {}, "This alone does not identify one person.");
  if (answer.kind === "unknown") throw fail("OCE013", {});
  // The person may have signed this device out, or hidden the values, while the source was asked. Then this changes
  // nothing, and the view that follows says which it was.
  await setProvenUntil(deps, account, deps.clock.now() + provenMs);
}

/**
 * The input that the person must give too. A review shows the last digits of the SSN to everyone who reads the person's
 * texts, so they prove nothing if the source has a birth date.
 */
function missingProof(answer: SourceAnswer, given: Proofs): keyof Proofs | null {
  if (answer.kind === "found") {
    const hasBirthDate = answer.credentials.some(({ type }) => type === "BirthDateCredential");
    return hasBirthDate && given.birthDate === undefined ? "birthDate" : null;
  }
  if (answer.kind !== "needs") return null;
  const helpful = (["birthDate", "ssn4"] as const).filter((input) => answer.inputs.includes(input));
  return helpful.find((input) => given[input] === undefined) ?? null;
}

/** Ends the proof of this session, so that its values are hidden again. */
export async function hideValues(deps: Deps, account: Account): Promise<void> {
  await hideProven(deps, account.sessionUuid);
}

/**
 * Refuses a person who could prove who they are and has not. A person whom no source knows can prove only the phone,
 * but must still be able to delete the data.
 */
export async function requireProvenIfPossible(deps: Deps, account: Account): Promise<void> {
  const { provenUntil, phone } = account;
  if (provenUntil !== null) return;
  const counter = knownCounter(deps, account);
  if ((await readUses(deps.home, [counter]))(counter) === 0) {
    await countHoldersQuestion(deps, phone, null);
    if (!(await isKnownToSource(deps, phone))) return;
    await countUses(deps.home, [counter]);
  }
  requireProven(account);
}

/** Above zero if the source knew the holder in this hour, so that repeated calls of a session do not ask it again. */
function knownCounter(deps: Deps, { sessionUuid }: Account): Use {
  const window = deps.policy.caps.questionsAboutPhone;
  return useOf(deps, { scope: "source.knows", key: callerKey(deps, sessionUuid), window });
}
