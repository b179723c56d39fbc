/** What comes after the proof on a page: its person is sourced, asked for more, or led back. */
import { type ChallengeInput, challengeInputs } from "@countersign/contract/errors";
import { declaredConsent } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { Failure, fail } from "../failure.ts";
import { journeys } from "../journey.ts";
import { ensurePerson } from "../person.ts";
import type { PersonInputs } from "../ports.ts";
import { statusAt } from "../verification/states.ts";
import { findVerificationUnbound } from "../verification/store.ts";
import { endOf, outcomeOf, type Page, type PageOutcome } from "./page.ts";
import { release } from "./release.ts";
import { settle } from "./settle.ts";
import { oneClickLifeMs } from "./states.ts";
import { type OneClick, saveOneClick } from "./store.ts";
import { subjectOf } from "./subject.ts";

export type PageStep =
  | { step: "inputs"; inputs: ChallengeInput[] }
  | { step: "review"; oneClick: OneClick }
  | { step: "done"; outcome: PageOutcome; redirectUrl: string | null }
  | { step: "error"; errorCode: string; redirectUrl: string | null };

/** Goes on as far as it can: sources what has not been sourced, and says what the person sees next. */
export async function advancePage(deps: Deps, page: Page, further: PersonInputs = {}): Promise<PageStep> {
  const { caller, oneClick } = page;
  const { review } = journeys[oneClick.journey];
  if (oneClick.state === "declined" || oneClick.state === "released")
    return { step: "done", outcome: outcomeOf(oneClick), redirectUrl: endOf(deps, page) };
  if (oneClick.state === "refused")
    return { step: "error", errorCode: oneClick.refusal ?? "OCE001", redirectUrl: endOf(deps, page) };
  if (oneClick.state === "awaitingDecision") return { step: "review", oneClick };
  if (!(await isProven(deps, oneClick))) throw fail("OCE015", {});
  if (review === "brand") return { step: "done", outcome: "returned", redirectUrl: await finishHeadless(deps, page) };
  const subject = subjectOf(oneClick, further);
  try {
    const facts = await settle(deps, caller, subject);
    const state = "awaitingDecision" as const;
    await deps.db.transaction().execute(async (trx) => {
      const person = await ensurePerson(deps, trx, subject.phone);
      const expiresAt = deps.clock.now() + oneClickLifeMs;
      await saveOneClick(deps, trx, caller, { ...subject, state, refusal: null, facts, person, expiresAt });
    });
    return { step: "review", oneClick: { ...oneClick, state, facts } };
  } catch (error) {
    return stepAfter(error, page, endOf(deps, page));
  }
}

/** What a failure of sourcing means on the page; one that the person can mend goes on as an error. */
function stepAfter(error: unknown, { caller }: Page, redirectUrl: string | null): PageStep {
  if (!(error instanceof Failure)) throw error;
  const { errorCode } = error.data;
  const asked = error.data.additionalInputs;
  const inOrder = [...caller.brand.settings.challenges.map((one) => one.input), ...challengeInputs];
  const inputs = [...new Set(inOrder)].filter((one) => Array.isArray(asked) && asked.includes(one));
  if (errorCode === "OCE011") return { step: "inputs", inputs };
  // Whom the phone belongs to and how risky it is are the brand's to know: the browser gets the code alone.
  if (errorCode === "OCE012") throw fail("OCE012", {});
  if (typeof errorCode !== "string" || errorCode === "ERR001") throw error;
  return { step: "error", errorCode, redirectUrl };
}

/** Sources for a brand that asked the person itself, and leads back to it, whatever came of it. */
export async function finishHeadless(deps: Deps, page: Page): Promise<string | null> {
  const { caller, oneClick } = page;
  if (oneClick.state === "awaitingProof" || oneClick.state === "awaitingInputs") {
    const subject = subjectOf(oneClick);
    try {
      const facts = await settle(deps, caller, subject);
      await release(deps, caller, subject, { facts, consent: declaredConsent(caller.brand) });
    } catch (error) {
      // The refusal is kept: the brand's read says what it was. A source that broke down refused nothing.
      if (!(error instanceof Failure) || error.status >= 500) throw error;
    }
  }
  return endOf(deps, page);
}

/** Without a verification it is the brand's word that counts. */
async function isProven(deps: Deps, { verificationUuid, phoneMethod }: OneClick): Promise<boolean> {
  if (verificationUuid === null) return phoneMethod === "customer_otp";
  const { row } = await findVerificationUnbound(deps, verificationUuid);
  return statusAt(row, deps.clock.now()) === "verified";
}
