/** The steps of a page after the phone is proven: find the identity, ask for more inputs, or send the person back. */
import type { CredentialType } from "@countersign/contract/credential";
import type { ChallengeInput } from "@countersign/contract/errors";
import { declaredConsent } from "../../audit/consent.ts";
import type { Deps } from "../../deps.ts";
import { Failure, fail } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import type { PersonInputs } from "../../ports.ts";
import { findVerificationUnbound } from "../../verification/find.ts";
import { statusAt } from "../../verification/verification.ts";
import { findIdentity } from "../find-identity.ts";
import { type OneClick, withInputs } from "../one-click.ts";
import { MissingCredentials } from "../refusal.ts";
import { release } from "../release.ts";
import { saveSourced } from "../save-sourced.ts";
import { endOf, outcomeOf, type Page, type PageOutcome } from "./page.ts";

export type PageStep =
  | { step: "inputs"; inputs: ChallengeInput[] }
  | { step: "review"; oneClick: OneClick }
  | { step: "done"; outcome: PageOutcome; redirectUrl: string | null }
  | { step: "error"; errorCode: string; redirectUrl: string | null; missing?: CredentialType[] };

/**
 * Advances a page as far as possible. Finds the identity if it is not found yet, and returns what the person sees next.
 */
export async function advancePage(deps: Deps, page: Page, further: PersonInputs = {}): Promise<PageStep> {
  const { caller, oneClick } = page;
  const { review } = journeys[oneClick.journey];
  if (oneClick.state === "declined" || oneClick.state === "released")
    return { step: "done", outcome: outcomeOf(oneClick), redirectUrl: endOf(deps, page) };
  if (oneClick.state === "refused") {
    const { refusal, facts } = oneClick;
    return { step: "error", errorCode: refusal ?? "OCE001", redirectUrl: endOf(deps, page), missing: facts.missing };
  }
  if (oneClick.state === "awaitingDecision") return { step: "review", oneClick };
  if (!(await isProven(deps, oneClick))) throw fail("OCE015", {});
  if (review === "brand") return { step: "done", outcome: "returned", redirectUrl: await finishHeadless(deps, page) };
  try {
    const identified = await findIdentity(deps, caller, withInputs(oneClick, further));
    const found: OneClick = { ...identified, state: "awaitingDecision" };
    await deps.db.inTransaction((trx) => saveSourced(deps, trx, caller, found));
    return { step: "review", oneClick: found };
  } catch (error) {
    return stepAfter(error, page, endOf(deps, page));
  }
}

/**
 * A birthday has one spelling, but a first name may differ from the record. An order in the brand's settings has
 * priority.
 */
const easiestFirst: readonly ChallengeInput[] = ["birthDate", "fullName.firstName", "ssn4"];

/**
 * Maps a failed identity lookup to a page step. Rethrows OCE012, which the person can correct, and unexpected errors.
 */
function stepAfter(error: unknown, { caller }: Page, redirectUrl: string | null): PageStep {
  if (!(error instanceof Failure)) throw error;
  const { errorCode } = error.data;
  const asked = error.data.additionalInputs;
  const inOrder = [...caller.brand.settings.challenges.map((one) => one.input), ...easiestFirst];
  const inputs = [...new Set(inOrder)].filter((one) => Array.isArray(asked) && asked.includes(one));
  if (errorCode === "OCE011") return { step: "inputs", inputs };
  // Only the brand may see the identifiers and the risk signals, so the browser gets the error code alone.
  if (errorCode === "OCE012") throw fail("OCE012", {});
  // OCE015: the person has ended this page, so it must not redirect to the brand.
  if (typeof errorCode !== "string" || errorCode === "ERR001" || errorCode === "OCE015") throw error;
  const missing = error instanceof MissingCredentials ? error.types : undefined;
  return { step: "error", errorCode, redirectUrl, missing };
}

/**
 * Finds the identity for a brand that reviews the data on its own pages. Returns the redirect URL, even if the 1-Click
 * is refused; null if there is no URL.
 */
export async function finishHeadless(deps: Deps, page: Page): Promise<string | null> {
  const { caller, oneClick } = page;
  if (oneClick.state === "awaitingProof" || oneClick.state === "awaitingInputs") {
    try {
      const found = await findIdentity(deps, caller, oneClick);
      await release(deps, caller, found, declaredConsent(caller.brand));
    } catch (error) {
      // The refusal is stored, and the brand reads it later. A server error (5xx) stores none, so rethrow it.
      if (!(error instanceof Failure) || error.status >= 500) throw error;
    }
  }
  return endOf(deps, page);
}

/** Whether the phone is proven. Without a verification, only the brand's own OTP (`customer_otp`) counts. */
async function isProven(deps: Deps, { verificationUuid, phoneMethod }: OneClick): Promise<boolean> {
  if (verificationUuid === null) return phoneMethod === "customer_otp";
  const { row } = await findVerificationUnbound(deps, verificationUuid);
  return statusAt(row, deps.clock.now()) === "verified";
}
