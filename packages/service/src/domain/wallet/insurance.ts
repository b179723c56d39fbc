/**
 * The person's insurance, after they shared their details: what they are looked up by, the plans that were found, and
 * which of them the brand gets. Until they say so the brand gets none, and is told of none.
 */
import type { HealthPlan } from "@countersign/contract/health";
import type { Reader } from "../../store/database.ts";
import { consentTo, recordConsent, type Shown } from "../audit/consent.ts";
import { withParameter } from "../brand/redirect.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../failure.ts";
import { hydrate } from "../health/hydrate.ts";
import { messages } from "../health/messages.ts";
import { payersById } from "../health/payers.ts";
import { typedPlan } from "../health/plan.ts";
import { publishHealthResult } from "../health/publish.ts";
import { type HealthAsk, startLookup } from "../health/request.ts";
import { isAtWork, isFinal } from "../health/states.ts";
import { findHeldLookup, type HealthLookup, type HealthResult, saveResult } from "../health/store.ts";
import { journeys } from "../journey.ts";
import type { PageStep } from "../signup/advance-page.ts";
import { findOneClick, lockOneClick, saveFacts } from "../signup/one-click-rows.ts";
import type { Page, PageOutcome } from "../signup/page.ts";

/** What the person is looked up by, as the brand has it now: hidden digits stay hidden. */
export type KnownDetails = { firstName?: string; lastName?: string; birthDate?: string };
export type InsuranceStep =
  | { state: "details"; known: KnownDetails }
  | { state: "loading" }
  | { state: "plans"; plans: HealthPlan[] };
/** `insured` and `uninsured`: shared, and a plan with it, or none that was found. */
export type WalletOutcome = PageOutcome | "insured" | "uninsured";
export type WalletStep =
  | Exclude<PageStep, { step: "done" }>
  | { step: "health"; insurance: InsuranceStep }
  | { step: "done"; outcome: WalletOutcome; redirectUrl: string | null; healthDataUuid?: string };

function offersHealth(deps: Deps, { caller, oneClick }: Page): boolean {
  return deps.offers.health && journeys[oneClick.journey].offersHealth && caller.brand.settings.health.enabled;
}

/** The step of a page, with the insurance between sharing and the end, where the brand has 1-Click Health. */
export async function withInsurance(deps: Deps, page: Page, step: PageStep): Promise<WalletStep> {
  const { oneClick } = page;
  const offers = offersHealth(deps, page);
  if (step.step !== "done" || step.outcome !== "shared" || !offers) return step;
  if (oneClick.facts.page?.insurance === "skipped") return step;
  const lookup = await findHeldLookup(deps, oneClick.uuid);
  if (lookup === null)
    return { step: "health", insurance: { state: "details", known: await knownOf(deps, page, oneClick.uuid) } };
  if (isAtWork(lookup.state)) return { step: "health", insurance: { state: "loading" } };
  if (!isFinal(lookup.state))
    return { step: "health", insurance: { state: "plans", plans: lookup.result?.results ?? [] } };
  const { redirectUrl } = step;
  return {
    step: "done",
    outcome: lookup.state === "failed" ? "uninsured" : "insured",
    redirectUrl: redirectUrl === null ? null : withParameter(redirectUrl, "healthDataUuid", lookup.uuid),
    healthDataUuid: lookup.uuid,
  };
}

async function knownOf(deps: Deps, { caller }: Page, identityUuid: string): Promise<KnownDetails> {
  const { firstName, lastName, birthDate } = (await hydrate(deps, caller, identityUuid)).person;
  return {
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(birthDate === undefined ? {} : { birthDate: `${birthDate.slice(5, 7)}/${birthDate.slice(8, 10)}/••••` }),
  };
}

/** Looks the insurance up, by what was shared and what the person changed of it; once. */
export async function findInsurance(deps: Deps, page: Page, ask: HealthAsk): Promise<void> {
  const { caller, oneClick } = page;
  if (!(await mayOffer(deps, page))) return;
  if ((await findHeldLookup(deps, oneClick.uuid)) !== null) return;
  await startLookup(deps, caller, { ...ask, identityUuid: oneClick.uuid }, { held: true });
}

/** Whether a page has come to its insurance and has not gone on without it, as it stands now. */
async function mayOffer(deps: Deps, page: Page, reader: Reader = deps.db): Promise<boolean> {
  const { caller, oneClick } = page;
  const offers = offersHealth(deps, page);
  const now = offers ? await findOneClick(deps, reader, caller, oneClick.uuid) : null;
  return now?.state === "released" && now.facts.page?.insurance !== "skipped";
}

export type InsuranceChoice =
  /** One of the plans that were found, by its place. */
  | { kind: "plan"; index: number }
  /** One that the person names themselves. */
  | { kind: "typed"; payerId: string; memberId: string }
  /** None. */
  | { kind: "none" };

/** The person's word about their insurance. Said once; what was said first stays. Answers the page as it is then. */
export async function chooseInsurance(
  deps: Deps,
  { caller, oneClick }: Page,
  { choice, consent }: { choice: InsuranceChoice; consent: Shown },
): Promise<Page> {
  const given = consentTo("insurance", consent, caller.brand.settings.externalName);
  const page = { caller, oneClick };
  if (!(await mayOffer(deps, page))) return page;
  const lookup = await findHeldLookup(deps, oneClick.uuid);
  const found = lookup?.state === "offered" ? lookup : null;
  const foundNothing = found !== null && found.result?.results.length === 0;
  if (choice.kind === "none" && !foundNothing) {
    return lookup === null || !isFinal(lookup.state) ? await skip(deps, page) : page;
  }
  if (found === null) return page;
  const result = resultOf(deps, found, choice);
  await deps.db.inTransaction(async (trx) => {
    // If the person skips the insurance at the same moment, the first of the two calls counts.
    await lockOneClick(trx, oneClick.uuid);
    if (!(await mayOffer(deps, page, trx))) return;
    const uuid = choice.kind === "none" ? undefined : deps.random.uuid();
    const final = await saveResult(deps, trx, found, result, uuid);
    if (final === null) return;
    const { phone } = oneClick.facts;
    const about = { phone, personUuid: oneClick.personUuid, oneClickUuid: oneClick.uuid, given };
    if (uuid !== undefined) await recordConsent(deps, trx, caller, { ...about, action: "share", uuid });
    await publishHealthResult(deps, trx, final);
  });
  deps.wakeJobs();
  return page;
}

/** The person goes on without it; whatever is still found is the brand's no more than before. */
async function skip(deps: Deps, { caller, oneClick }: Page): Promise<Page> {
  const facts = { ...oneClick.facts, page: { ...oneClick.facts.page, insurance: "skipped" as const } };
  await deps.db.inTransaction((trx) => saveFacts(deps, trx, oneClick, facts));
  return { caller, oneClick: { ...oneClick, facts } };
}

function resultOf(deps: Deps, { result }: HealthLookup, choice: InsuranceChoice): HealthResult {
  if (choice.kind === "none") return { results: [], errors: [{ message: messages.noCoverage }] };
  if (choice.kind === "plan") {
    const plan = result?.results[choice.index];
    if (plan === undefined) throw invalid([{ path: "body.plan", message: "is none of the plans that were found" }]);
    return { results: [plan], errors: result?.errors ?? [] };
  }
  const [payer, ...more] = payersById(deps.payers, choice.payerId);
  if (payer === undefined || more.length > 0)
    throw invalid([{ path: "body.payerId", message: "must be the id of one payer" }]);
  return { results: [typedPlan(payer, choice.memberId.trim())], errors: [] };
}
