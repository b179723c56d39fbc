/**
 * A person's insurance, after they shared their details: the lookup, the plans that it finds, and the person's choice.
 * The brand gets no plan and no event until the person has decided.
 */
import type { HealthPlan } from "@countersign/contract/health";
import type { Reader } from "../../store/database.ts";
import { consentTo, recordConsent } from "../audit/consent.ts";
import { withParameter } from "../brand/redirect.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../failure.ts";
import { journeys } from "../journey.ts";
import type { OneClickFacts } from "../signup/one-click.ts";
import { changeFacts, findOneClick, lockOneClick } from "../signup/one-click-rows.ts";
import type { PageStep } from "../signup/page/advance.ts";
import type { Page, PageOutcome } from "../signup/page/page.ts";
import { type ConsentOnView, changedSince, shownPlans } from "../signup/page/shown.ts";
import { listEnabledEndpoints } from "../webhook/endpoint-rows.ts";
import { healthLookupEvent } from "../webhook/publish.ts";
import { type HealthLookup, type HealthResult, isAtWork, isFinal, messages } from "./lookup.ts";
import { eraseLookupStartedByPerson, findLookupStartedByPerson } from "./lookup-rows.ts";
import { releaseResult } from "./outcome.ts";
import { deletePaidCalls } from "./paid-call-rows.ts";
import { payersById } from "./payers.ts";
import { typedPlan, withoutMember } from "./plan.ts";
import { changedDetails, type HealthAsk, hydrate, type NamedBy, startLookup } from "./request.ts";
import { memberIdOf } from "./x12/compose.ts";

/** The details that a lookup starts with, as the brand knows them. The birth year is masked. */
type KnownDetails = { firstName?: string; lastName?: string; birthDate?: string };
export type InsuranceStep =
  | { state: "details"; known: KnownDetails; fixed: NamedBy[] }
  | { state: "loading" }
  | { state: "plans"; plans: HealthPlan[] };
/** `insured`: the person shared details and a plan. `uninsured`: they shared details, and no plan was found. */
type WalletOutcome = PageOutcome | "insured" | "uninsured";
export type WalletStep =
  | Exclude<PageStep, { step: "done" }>
  | { step: "health"; insurance: InsuranceStep }
  | { step: "done"; outcome: WalletOutcome; redirectUrl: string | null; healthDataUuid?: string };

function offersHealth(deps: Deps, { caller, oneClick }: Page): boolean {
  return deps.policy.offers.health && journeys[oneClick.journey].offersHealth && caller.brand.settings.health.enabled;
}

/** The step of a page. If the brand uses 1-Click Health, the insurance comes between sharing and the end. */
export async function withInsurance(deps: Deps, page: Page, step: PageStep): Promise<WalletStep> {
  const { oneClick } = page;
  const offers = offersHealth(deps, page);
  if (step.step !== "done" || step.outcome !== "shared" || !offers) return step;
  if (oneClick.facts.page?.insurance === "skipped") return step;
  const lookup = await findLookupStartedByPerson(deps, oneClick.uuid);
  if (lookup === null)
    return { step: "health", insurance: { state: "details", ...(await knownOf(deps, page, oneClick.uuid)) } };
  if (isAtWork(lookup.state)) return { step: "health", insurance: { state: "loading" } };
  if (!isFinal(lookup.state)) return { step: "health", insurance: { state: "plans", plans: plansToShow(lookup) } };
  const { redirectUrl } = step;
  return {
    step: "done",
    outcome: lookup.state === "failed" ? "uninsured" : "insured",
    redirectUrl: redirectUrl === null ? null : withParameter(redirectUrl, "healthDataUuid", lookup.uuid),
    healthDataUuid: lookup.uuid,
  };
}

async function knownOf(
  deps: Deps,
  { caller }: Page,
  identityUuid: string,
): Promise<{ known: KnownDetails; fixed: NamedBy[] }> {
  const { person, sourced } = await hydrate(deps, caller, identityUuid);
  const { firstName, lastName, birthDate } = person;
  const known = {
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(birthDate === undefined ? {} : { birthDate: `${birthDate.slice(5, 7)}/${birthDate.slice(8, 10)}/••••` }),
  };
  return { known, fixed: sourced };
}

/**
 * The plans that are shown. A plan of a person who typed their name shows no member data, because the name may be
 * another person's.
 */
export function plansToShow({ question, result }: Pick<HealthLookup, "question" | "result">): HealthPlan[] {
  const plans = result?.results ?? [];
  return question.isHolder === true ? plans : plans.map(withoutMember);
}

/**
 * Starts the lookup with the shared details and what the person typed. Details from a source cannot be replaced,
 * because the person could then read someone else's insurance. A birth date from a source is refused whatever its value,
 * because its year is masked and the answer would confirm a guess. A page starts at most one lookup.
 */
export async function findInsurance(deps: Deps, page: Page, ask: HealthAsk): Promise<void> {
  const { caller, oneClick } = page;
  if (!(await mayOffer(deps, page))) return;
  if ((await findLookupStartedByPerson(deps, oneClick.uuid)) !== null) return;
  const hydrated = await hydrate(deps, caller, oneClick.uuid);
  const given: NamedBy[] = [
    ...changedDetails(ask, hydrated).filter((detail) => detail !== "birthDate"),
    ...(ask.birthDate === undefined ? [] : (["birthDate"] as const)),
  ];
  const refused = given.filter((detail) => hydrated.sourced.includes(detail));
  if (refused.length > 0)
    throw invalid(refused.map((detail) => ({ path: `body.${detail}`, message: "Use the value that was shared." })));
  await startLookup(deps, caller, { ...ask, identityUuid: oneClick.uuid }, { startedByPerson: true });
}

/** Whether a page has reached its insurance step and the person has not skipped it. */
async function mayOffer(deps: Deps, page: Page, reader: Reader = deps.db): Promise<boolean> {
  const { caller, oneClick } = page;
  const offers = offersHealth(deps, page);
  const now = offers ? await findOneClick(deps, reader, caller, oneClick.uuid) : null;
  return now?.state === "released" && now.facts.page?.insurance !== "skipped";
}

export type InsuranceChoice =
  /** A plan that was found, by its index. */
  | { kind: "plan"; index: number }
  /** A plan that the person entered. */
  | { kind: "typed"; payerId: string; memberId: string }
  /** No plan. */
  | { kind: "none" };

/** Stores the person's choice and returns the page. Only the first choice counts. */
export async function chooseInsurance(
  deps: Deps,
  { caller, oneClick }: Page,
  { choice, consent }: { choice: InsuranceChoice; consent: ConsentOnView },
): Promise<Page> {
  const given = consentTo("insurance", consent, caller.brand.settings.externalName);
  const page = { caller, oneClick };
  if (!(await mayOffer(deps, page))) return page;
  const lookup = await findLookupStartedByPerson(deps, oneClick.uuid);
  const found = lookup?.state === "offered" ? lookup : null;
  const foundNothing = found !== null && found.result?.results.length === 0;
  if (choice.kind === "none" && !foundNothing) {
    return lookup === null || !isFinal(lookup.state) ? await skip(deps, page) : page;
  }
  if (found === null) return page;
  if (choice.kind !== "none" && consent.shown !== shownPlans(deps, page, plansToShow(found))) throw changedSince();
  const result = resultOf(deps, found, choice);
  const endpointUuids = await listEnabledEndpoints(deps, caller.brand.uuid, healthLookupEvent);
  await deps.db.inTransaction(async (trx) => {
    // If the person chooses and skips at once, the first call counts.
    await lockOneClick(trx, oneClick.uuid);
    if (!(await mayOffer(deps, page, trx))) return;
    const uuid = choice.kind === "none" ? undefined : deps.random.uuid();
    const decision = uuid === undefined ? undefined : { consent: uuid, brandName: caller.brand.settings.externalName };
    if (!(await releaseResult(deps, trx, found, result, { endpointUuids, decision }))) return;
    const { phone } = oneClick.facts;
    const subject = { phone, personUuid: oneClick.personUuid, oneClickUuid: oneClick.uuid, given };
    if (uuid !== undefined) await recordConsent(deps, trx, caller, { ...subject, action: "share", uuid });
  });
  return page;
}

/** The person continues without insurance. Ends their search, so that no more payers are asked. */
async function skip(deps: Deps, { caller, oneClick }: Page): Promise<Page> {
  const { uuid } = oneClick;
  const skipped = (facts: OneClickFacts) => ({ ...facts, page: { ...facts.page, insurance: "skipped" as const } });
  const isSkipped = await deps.db.inTransaction(async (trx) => {
    await lockOneClick(trx, uuid);
    const lookup = await findLookupStartedByPerson(deps, uuid, trx);
    // If the person chooses and skips at once, the first call counts.
    if (lookup !== null && isFinal(lookup.state)) return false;
    // Null if the person has stopped sharing, which ends the search, too.
    const kept = await changeFacts(deps, trx, { caller, oneClick: { uuid, state: "released" } }, skipped);
    if (kept === null) return false;
    const search = { oneClickUuid: uuid, now: deps.clock.now() };
    await deletePaidCalls(trx, await eraseLookupStartedByPerson(trx, search));
    return true;
  });
  return { caller, oneClick: isSkipped ? { ...oneClick, facts: skipped(oneClick.facts) } : oneClick };
}

function resultOf(deps: Deps, { result }: HealthLookup, choice: InsuranceChoice): HealthResult {
  if (choice.kind === "none") return { results: [], errors: [{ message: messages.noCoverage }] };
  if (choice.kind === "plan") {
    const plan = result?.results[choice.index];
    if (plan === undefined) throw invalid([{ path: "body.plan", message: "Use one of the plans that were found." }]);
    return { results: [plan], errors: result?.errors ?? [] };
  }
  const [payer, ...more] = payersById(deps.vendors.payers, choice.payerId);
  if (payer === undefined || more.length > 0)
    throw invalid([{ path: "body.payerId", message: "Use the ID of one payer." }]);
  return { results: [typedPlan(deps, payer, memberIdOf(choice.memberId))], errors: [] };
}
