import type { ChallengeInput } from "@countersign/contract/errors";
import type { Caller, Deps } from "../deps.ts";
import { sourceDeadlineMs } from "../deps.ts";
import { answerOf } from "../failure.ts";
import type { Journey } from "../journey.ts";
import type { PersonInputs, Phone, SourceAnswer, SourcedCredential } from "../ports.ts";
import { countChallenges, type GivenChallenge, givenChallenges, uncountChallenges } from "./challenges.ts";

export type Sourced =
  | { kind: "found"; credentials: SourcedCredential[] }
  | { kind: "needs" | "mismatch" | "exceeded"; inputs: ChallengeInput[] }
  /** `challenged`: the request included challenge inputs. */
  | { kind: "unknown"; challenged: boolean };

type About = { phone: Phone; inputs: PersonInputs; journey: Journey };

/**
 * Asks the source for a person. A given birth date or SSN4 is compared with the records, except that v1 uses the birth
 * date only to find the person. A first name is compared only if the brand's settings name it or the source needs it to
 * identify the person.
 */
export async function source(deps: Deps, caller: Caller, about: About): Promise<Sourced> {
  const all = givenChallenges(about.inputs);
  const narrow = all.filter((one) => one.input === "birthDate" && !about.journey.comparesBirthDate);
  const given = all.filter((one) => !narrow.includes(one));
  const named = caller.brand.settings.challenges.some((one) => one.input === "fullName.firstName");
  const compared = given.filter((one) => one.input !== "fullName.firstName" || named);
  const answer = await ask(deps, caller, about, { compared, narrow });
  const rest = given.filter((one) => !compared.includes(one));
  const helps = answer.kind === "needs" && rest.some((one) => answer.inputs.includes(one.input));
  const final = helps ? await ask(deps, caller, about, { compared: given, narrow }) : answer;
  return withRequired(final, caller, all);
}

async function ask(
  deps: Deps,
  caller: Caller,
  about: About,
  { compared, narrow }: { compared: GivenChallenge[]; narrow: GivenChallenge[] },
): Promise<Sourced> {
  const whose = { brandUuid: caller.brand.uuid, phone: about.phone };
  const exceeded = await countChallenges(deps, whose, compared);
  if (exceeded.length > 0) return { kind: "exceeded", inputs: exceeded };
  const answer: SourceAnswer = await answerOf(
    deps.identity.lookUp({
      phone: about.phone,
      inputs: about.inputs,
      compare: compared.map((one) => one.input),
      narrow: narrow.map((one) => one.input),
      deadlineMs: sourceDeadlineMs,
    }),
  );
  const refuted = answer.kind === "mismatch" ? answer.inputs : [];
  await uncountChallenges(
    deps,
    whose,
    compared.filter((one) => !refuted.includes(one.input)),
  );
  if (answer.kind === "unknown") return { ...answer, challenged: compared.length + narrow.length > 0 };
  return answer;
}

/**
 * Returns `needs` if a challenge is missing that the brand's settings always require, even if the source found the
 * person.
 */
function withRequired(answer: Sourced, caller: Caller, given: GivenChallenge[]): Sourced {
  if (answer.kind === "mismatch" || answer.kind === "exceeded") return answer;
  const missing = caller.brand.settings.challenges
    .filter((one) => one.when === "always" && !given.some((other) => other.input === one.input))
    .map((one) => one.input);
  if (missing.length === 0) return answer;
  const needed = answer.kind === "needs" ? answer.inputs : [];
  return { kind: "needs", inputs: [...new Set([...needed, ...missing])] };
}
