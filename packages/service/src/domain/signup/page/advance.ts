/** The steps of a page after the phone is proven: find the identity, ask for more inputs, or send the person back. */
import type { CredentialType } from "@countersign/contract/credential";
import {
  type ChallengeInput,
  type ChallengeMember,
  challengeInputs,
  givenChallenges,
} from "@countersign/contract/errors";
import type { Caller, Deps } from "../../deps.ts";
import { Failure, fail } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import type { PersonInputs } from "../../ports.ts";
import { StateIdRefusal } from "../../state-id/refusal.ts";
import { countHoldersQuestion } from "../../verification/limits/caps.ts";
import { type OneClick, type StoredOneClick, withInputs } from "../one-click.ts";
import { type Outcome, saveOpen, saveOutcome, type Unfound } from "../outcome.ts";
import { isVerified } from "../phone-proof.ts";
import { endedValues, findIdentity } from "../steps.ts";
import { endOf, outcomeOf, type Page, type PageOutcome } from "./page.ts";
import { factsWithId } from "./state-id-values.ts";

export type PageStep =
  | { step: "inputs"; inputs: ChallengeInput[]; oneClick: OneClick }
  | { step: "review"; oneClick: OneClick }
  | { step: "done"; outcome: PageOutcome; redirectUrl: string | null }
  | { step: "error"; errorCode: string; redirectUrl: string | null; missing?: CredentialType[]; oneClick: OneClick };

/**
 * Advances a page as far as possible. Finds the identity if it is not found yet, or if a found value counts no longer,
 * and returns what the person sees next.
 */
export async function advancePage(deps: Deps, page: Page, further: PersonInputs = {}): Promise<PageStep> {
  const { caller, oneClick } = page;
  const { review } = journeys[oneClick.journey];
  if (oneClick.state === "declined" || oneClick.state === "released")
    return { step: "done", outcome: outcomeOf(oneClick), redirectUrl: endOf(deps, page) };
  if (oneClick.state === "refused") {
    const { refusal, facts } = oneClick;
    return {
      step: "error",
      errorCode: refusal ?? "OCE001",
      redirectUrl: endOf(deps, page),
      missing: facts.missing,
      oneClick,
    };
  }
  if (oneClick.state === "awaitingDecision") {
    if ((await endedValues(deps, caller, oneClick)).size === 0) return { step: "review", oneClick };
    return await advancePage(deps, { caller, oneClick: await forgetFound(deps, page) }, further);
  }
  if (!(await isPhoneProven(deps, oneClick))) throw fail("OCE015", {});
  if (review === "brand") return { step: "done", outcome: "returned", redirectUrl: await finishHeadless(deps, page) };
  const added = addable(oneClick, further);
  const isAsked = oneClick.state === "awaitingInputs" && oneClick.facts.refusedInputs !== undefined;
  if (isAsked && givenChallenges(added).length === 0)
    return stepAfter({ code: "OCE011", oneClick }, page, endOf(deps, page));
  await countHoldersQuestion(deps, oneClick.facts.phone, caller.brand.uuid);
  const outcome = await findIdentity.run(deps, caller, withTyped(oneClick, added));
  const saved = await saveOutcome(deps, caller, withHeldId(deps, caller, outcome));
  if (saved.kind === "released") throw new Error("a review in the wallet was released without the person");
  // Another tab got further while the sources were asked, for example to the decision.
  if (saved.kind === "overtaken") return await advancePage(deps, { caller, oneClick: saved.oneClick });
  return saved.kind === "review"
    ? { step: "review", oneClick: saved.oneClick }
    : stepAfter(saved, page, endOf(deps, page));
}

/**
 * Lets the page find the identity again, because a value of the review counts no longer. Another source may have one;
 * without a required one, the page ends with OCE007. Returns what is stored, which another tab may have decided.
 */
export async function forgetFound(deps: Deps, { caller, oneClick }: Page): Promise<StoredOneClick> {
  const facts = { ...oneClick.facts, credentials: [] };
  const unfound: StoredOneClick = { ...oneClick, state: "awaitingInputs", facts };
  const save = await deps.db.inTransaction((trx) => saveOpen(deps, trx, caller, { oneClick: unfound }));
  return save.isSaved ? unfound : save.now;
}

function withTyped(oneClick: OneClick, added: PersonInputs): OneClick {
  const asked = withInputs(oneClick, added);
  return added.birthDate === undefined ? asked : { ...asked, facts: { ...asked.facts, isBirthDateTyped: true } };
}

/**
 * What the person may add. What the brand passed stays, because the brand may know its customer by it. After OCE011,
 * only the inputs that it asked for are taken.
 */
function addable({ facts }: OneClick, { birthDate, ssn4, fullName }: PersonInputs): PersonInputs {
  const { inputs = {}, refusedInputs = challengeInputs } = facts;
  const given = givenChallenges(inputs).map(({ input }) => input);
  const isFree = (input: ChallengeInput) => refusedInputs.includes(input) && !given.includes(input);
  return {
    birthDate: isFree("birthDate") ? birthDate : undefined,
    ssn4: isFree("ssn4") ? ssn4 : undefined,
    fullName: fullName !== undefined && isFree("fullName.firstName") ? { ...inputs.fullName, ...fullName } : undefined,
  } satisfies Record<ChallengeMember, unknown>;
}

/**
 * The order in which to ask, unless the brand's settings have one. A birthday is easier than a first name, whose
 * spelling may differ from the records.
 */
const askedAt: Record<ChallengeInput, number> = { birthDate: 1, "fullName.firstName": 2, ssn4: 3 };
const easiestFirst = challengeInputs.toSorted((one, other) => askedAt[one] - askedAt[other]);

/** What the person sees if the identity was not found. Throws OCE012, because the person can correct the input. */
function stepAfter(
  { code, oneClick }: Pick<Unfound, "code" | "oneClick">,
  { caller }: Page,
  redirectUrl: string | null,
): PageStep {
  const { refusedInputs = [], missing } = oneClick.facts;
  if (code === "OCE011") {
    const inOrder = [...caller.brand.settings.challenges.map((one) => one.input), ...easiestFirst];
    const inputs = [...new Set(inOrder)].filter((one) => refusedInputs.includes(one));
    return { step: "inputs", inputs, oneClick };
  }
  // Only the brand may see the identifiers and the risk signals, so the browser gets the error code alone.
  if (code === "OCE012") throw fail("OCE012", {});
  return { step: "error", errorCode: code, redirectUrl, missing, oneClick };
}

/** What was found, with the state ID that answered a question. One that is refused here is asked for again. */
function withHeldId(deps: Deps, { brand }: Caller, outcome: Outcome): Outcome {
  if (outcome.kind !== "found") return outcome;
  const { heldId, ...facts } = outcome.oneClick.facts;
  const oneClick = { ...outcome.oneClick, facts };
  if (heldId === undefined) return outcome;
  try {
    return { ...outcome, oneClick: { ...oneClick, facts: factsWithId(deps, brand, oneClick, heldId) } };
  } catch (error) {
    if (error instanceof StateIdRefusal) return { ...outcome, oneClick };
    throw error;
  }
}

/**
 * Finds the identity for a brand that reviews the data on its own pages. Returns the redirect URL, even if the 1-Click
 * is refused; null if there is no URL.
 */
export async function finishHeadless(deps: Deps, page: Page): Promise<string | null> {
  const { caller, oneClick } = page;
  if (oneClick.state === "awaitingProof" || oneClick.state === "awaitingInputs") {
    await countHoldersQuestion(deps, oneClick.facts.phone, caller.brand.uuid);
    try {
      await saveOutcome(deps, caller, await findIdentity.run(deps, caller, oneClick));
    } catch (error) {
      // Another request may have ended the 1-Click. The brand's read then returns the error. After a server error,
      // nothing is stored, so the person must be able to try again.
      if (!(error instanceof Failure) || error.status >= 500) throw error;
    }
  }
  return endOf(deps, page);
}

/** Whether the phone is proven. Without a verification, only the brand's own OTP (`customer_otp`) counts. */
async function isPhoneProven(deps: Deps, oneClick: OneClick): Promise<boolean> {
  if (oneClick.verificationUuid === null) return oneClick.phoneMethod === "customer_otp";
  return await isVerified(deps, oneClick);
}
