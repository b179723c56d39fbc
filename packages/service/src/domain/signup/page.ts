/**
 * The person's page of a 1-Click. Its address shows who asks and takes the code; once the phone is proven, only the
 * session that proved it goes on: an address travels through a brand's hands, a session does not.
 */
import type { ChallengeInput } from "@countersign/contract/errors";
import type { Database, Trx } from "../../store/database.ts";
import { declaredConsent } from "../audit/record.ts";
import { allowedTarget, withParameter } from "../brand/redirect.ts";
import { findActiveBrand } from "../brand/store.ts";
import type { Caller, Deps } from "../deps.ts";
import { Failure, fail } from "../failure.ts";
import { journeys } from "../journey.ts";
import { ensurePerson } from "../person.ts";
import type { PersonInputs } from "../ports.ts";
import { randomWord, wordHash } from "../token.ts";
import { statusAt } from "../verification/states.ts";
import { findVerificationUnbound } from "../verification/store.ts";
import { isAcceptedCode, tryCode } from "../verification/try-code.ts";
import { release } from "./release.ts";
import { settle } from "./settle.ts";
import { oneClickLifeMs } from "./states.ts";
import { findOneClick, type OneClick, saveOneClick, savePage } from "./store.ts";
import { subjectOf } from "./subject.ts";

/** A page that was found: on whose behalf, and the 1-Click it belongs to. */
export type Page = { caller: Caller; oneClick: OneClick };
const sessionLength = 43;
const challengeInputs: ChallengeInput[] = ["fullName.firstName", "birthDate", "ssn4"];

/** The page at an address, or of a session; OCE015 when it is unknown or over. */
export async function findPage(
  deps: Deps,
  by: { page: string } | { session: string },
  requestId: string,
): Promise<Page> {
  const [column, word] =
    "page" in by ? (["page_hash", by.page] as const) : (["page_session_hash", by.session] as const);
  const row = await deps.db
    .selectFrom("one_click")
    .select(["uuid", "brand_uuid"])
    .where(column, "=", wordHash(word))
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  const page = row === undefined ? null : await pageOf(deps, row, requestId);
  if (page === null) throw fail("OCE015", {});
  return page;
}

/** The page whose phone a verification proves, if it belongs to one. */
export async function findPageOf(deps: Deps, verificationUuid: string, requestId: string): Promise<Page | null> {
  const row = await deps.db
    .selectFrom("one_click")
    .select(["uuid", "brand_uuid"])
    .where("verification_uuid", "=", verificationUuid)
    .where("page_hash", "is not", null)
    .executeTakeFirst();
  return row === undefined ? null : await pageOf(deps, row, requestId);
}

async function pageOf(deps: Deps, row: { uuid: string; brand_uuid: string }, requestId: string): Promise<Page | null> {
  const brand = await findActiveBrand(deps.db, deps.environment, row.brand_uuid);
  if (brand === null) return null;
  const caller = { brand, apiKeyUuid: null, requestId };
  const oneClick = await findOneClick(deps, deps.db, caller, row.uuid);
  return oneClick === null ? null : { caller, oneClick };
}

/** Proves the phone on its page; answers the token of the session that goes on. */
export async function provePage(deps: Deps, page: Page, { code, redirectUrl }: Proof): Promise<string> {
  const { caller, oneClick } = page;
  const uuid = oneClick.verificationUuid;
  if (uuid === null) throw fail("OCE015", {});
  let token = "";
  const tried = await tryCode(deps, caller, {
    uuid,
    code: code.replace("-", ""),
    phone: oneClick.facts.phone,
    async open(trx) {
      await takeRedirect(deps, trx, page, redirectUrl);
      token = await openPageSession(deps, oneClick, trx);
    },
  });
  if (tried.kind === "right") return token;
  const { row } = await findVerificationUnbound(deps, uuid);
  const about = { expiresAt: row.expires_at };
  if (tried.kind === "wrong") throw fail("OCV001", { ...about, attemptsRemaining: tried.attemptsRemaining });
  if (tried.status === "expired") throw fail("OCV007", { ...about, attemptsRemaining: 0 });
  if (tried.status === "failed") throw fail("OCV002", { ...about, attemptsRemaining: 0 });
  throw fail("OCV001", { ...about, attemptsRemaining: 0 });
}

/** What the person brings: the code, and the address that a v1 brand added to the page's. */
type Proof = { code: string; redirectUrl?: string };

/** Keeps the address to go back to, where the settings allow it; whatever else stands there is not followed. */
async function takeRedirect(
  deps: Deps,
  trx: Trx,
  { caller, oneClick }: Page,
  redirectUrl: string | undefined,
): Promise<void> {
  if (redirectUrl === undefined || journeys[oneClick.journey].comesBackAs !== "1ClickUuid") return;
  if (allowedTarget(caller.brand.settings, redirectUrl, { loopback: deps.loopbackRedirects }) === null) return;
  await savePage(deps, trx, oneClick, { ...oneClick.facts.page, redirectUrl });
}

/** Opens the session of a page whose phone was proven just now. */
export async function openPageSession(deps: Deps, oneClick: OneClick, db: Database = deps.db): Promise<string> {
  const token = randomWord(deps.random, sessionLength);
  await db
    .updateTable("one_click")
    .set({ page_session_hash: wordHash(token) })
    .where("uuid", "=", oneClick.uuid)
    .execute();
  return token;
}

/** How a page ended. Where nothing was asked for, the proof is all that was given. */
export type PageOutcome = "shared" | "declined" | "returned" | "verified";

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

export function outcomeOf({ state, journey, requestTree }: OneClick): PageOutcome {
  if (state === "declined") return "declined";
  if (journeys[journey].review === "brand") return "returned";
  return requestTree.length === 0 ? "verified" : "shared";
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

/** The headless way: a right code on the address sources and leads on; the same one again only leads on. */
export async function redirectByCode(deps: Deps, page: Page, code: string): Promise<string | null> {
  const { caller, oneClick } = page;
  const uuid = oneClick.verificationUuid;
  if (uuid === null || journeys[oneClick.journey].proof !== "redirectCode") return null;
  const digits = code.replace("-", "");
  const tried = await tryCode(deps, caller, { uuid, code: digits, phone: oneClick.facts.phone });
  const right =
    tried.kind === "right" ||
    (tried.kind === "over" && tried.status === "verified" && (await isAcceptedCode(deps, { uuid, code: digits })));
  return right ? await finishHeadless(deps, page) : null;
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

/** Where a person goes who proved nothing: back, and where they rather type everything themselves, saying so. */
export function wayBack(deps: Deps, page: Page): { backUrl: string | null; optOutUrl: string | null } {
  const backUrl = endOf(deps, page);
  const offered = page.caller.brand.settings.manualSignup === "useYourOwn";
  return { backUrl, optOutUrl: offered && backUrl !== null ? withParameter(backUrl, "optedOut", "true") : null };
}

/** Where the person goes in the end: the brand's address with one parameter, and a word when they declined. */
export function endOf(deps: Deps, { caller, oneClick }: Page): string | null {
  const { settings } = caller.brand;
  const wanted = oneClick.facts.page?.redirectUrl ?? settings.redirectUrl;
  const target = wanted === null ? null : allowedTarget(settings, wanted, { loopback: deps.loopbackRedirects });
  const name = journeys[oneClick.journey].comesBackAs;
  if (target === null || name === null) return null;
  const back = withParameter(target.toString(), name, oneClick.uuid);
  return oneClick.state === "declined" ? withParameter(back, "optedOut", "true") : back;
}

/** Without a verification it is the brand's word that counts. */
async function isProven(deps: Deps, { verificationUuid, phoneMethod }: OneClick): Promise<boolean> {
  if (verificationUuid === null) return phoneMethod === "customer_otp";
  const { row } = await findVerificationUnbound(deps, verificationUuid);
  return statusAt(row, deps.clock.now()) === "verified";
}
