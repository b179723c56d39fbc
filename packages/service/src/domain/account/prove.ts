import type { ChallengeInput } from "@countersign/contract/errors";
import { birthDateProblems } from "../day.ts";
import { type Deps, sourceDeadlineMs } from "../deps.ts";
import { answerOf, fail, invalid } from "../failure.ts";
import type { PersonInputs } from "../ports.ts";
import { countChallenges, givenChallenges, uncountChallenges } from "../signup/challenges.ts";
import { mismatchMessage } from "../signup/refusal.ts";
import { setProvenUntil } from "./account-session-rows.ts";
import { type Account, provenMs } from "./session.ts";

/**
 * What the holder of a phone has to know to see values in full: a birth date or the last digits of an SSN, held against
 * an outside source under the limits of every challenge. The service counts as the one who asks.
 */
export async function proveAccount(
  deps: Deps,
  account: Account,
  inputs: Pick<PersonInputs, "birthDate" | "ssn4">,
): Promise<Account> {
  const given = givenChallenges(inputs);
  if (given.length === 0) throw invalid([{ path: "body.birthDate", message: "is required: it or ssn4" }]);
  const problems = birthDateProblems(deps.clock, inputs.birthDate);
  if (problems.length > 0) throw invalid(problems);
  const { phone } = account;
  const whose = { brandUuid: deps.identity.issuerUuid, phone };
  const exceeded = await countChallenges(deps, whose, given);
  if (exceeded.length > 0) throw fail("OCE019", { inputAttemptsExceeded: exceeded });
  const compare: ChallengeInput[] = given.map((one) => one.input);
  const answer = await answerOf(
    deps.identity.lookUp({ phone, inputs, compare, narrow: [], deadlineMs: sourceDeadlineMs }),
  );
  const refuted = answer.kind === "mismatch" ? answer.inputs : [];
  await uncountChallenges(
    deps,
    whose,
    given.filter((one) => !refuted.includes(one.input)),
  );
  if (answer.kind === "mismatch") throw fail("OCE012", {}, mismatchMessage(answer.inputs));
  if (answer.kind === "needs") throw fail("OCE012", {}, "That alone does not single out one person.");
  if (answer.kind === "unknown") throw fail("OCE013", {});
  const provenUntil = deps.clock.now() + provenMs;
  await setProvenUntil(deps, account.sessionUuid, provenUntil);
  return { ...account, provenUntil };
}

/** Whether no source could ever tell the person apart: then the phone is all there is, and deleting must be possible. */
export async function cannotProve(deps: Deps, { phone }: Account): Promise<boolean> {
  const answer = await answerOf(
    deps.identity.lookUp({ phone, inputs: {}, compare: [], narrow: [], deadlineMs: sourceDeadlineMs }),
  );
  return answer.kind === "unknown";
}
