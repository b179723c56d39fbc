import type { BrandSettings } from "@countersign/contract/brand";
import type { HealthPlan } from "@countersign/contract/health";
import { enqueue, type NewJob } from "../../store/queue.ts";
import { findBrand } from "../brand/brand-rows.ts";
import { may } from "../brand/permission.ts";
import { settingsAt } from "../brand/settings-rows.ts";
import { today } from "../day.ts";
import type { Deps } from "../deps.ts";
import type { DirectoryPayer, DiscoveryAnswer } from "../ports.ts";
import { listEnabledEndpoints } from "../webhook/endpoint-rows.ts";
import { checkPlan } from "./check.ts";
import { isWanted, plansMax, type Wanted, withoutDuplicates } from "./filters.ts";
import { ambiguousPayer, type HealthLookup, type HealthResult, isAtWork, messages } from "./lookup.ts";
import { findLookup, markProcessing } from "./lookup-rows.ts";
import { byNetwork, compiledRules, decideNetwork } from "./network.ts";
import { payersById, payersByName } from "./payers.ts";
import { checkedPlan, discoveredPlan, planFacts, typedPlan } from "./plan.ts";
import { offerResult, releaseResult } from "./release.ts";
import { callDeadlineMs, discoveryStep, runStep, StepDelayed } from "./steps.ts";

/** Maximum number of discovered plans to check with their payers. Each check costs money. */
const checkedMax = 4;

type Candidate = { payer: DirectoryPayer; plan: HealthPlan };
/** The result for a candidate. `plan` is null if the candidate is dropped. */
type Outcome = { plan: HealthPlan | null; errors: string[] };

/** The job that runs `runLookup`. Only a few lookups of a brand run at the same time. */
export function lookupJob(
  { environment }: Deps,
  { uuid, brandUuid, dueAt }: { uuid: string; brandUuid: string; dueAt: number },
): NewJob {
  const payload = { healthDataUuid: uuid };
  return { environment, name: "health.run", subject: uuid, dueAt, payload, concurrencyGroup: `health:${brandUuid}` };
}

/** Job: does the work of a lookup, or continues after an earlier run. */
export async function runLookup(deps: Deps, { healthDataUuid }: { healthDataUuid: string }): Promise<void> {
  const lookup = await findLookup(deps, deps.db, healthDataUuid);
  if (lookup === null || !isAtWork(lookup.state)) return;
  // Never ask payers for a stopped brand: each call costs money and tells a payer about the person.
  const brand = await findBrand(deps.home, deps.environment, lookup.brandUuid);
  if (brand === null || !may(brand, "read")) return await endLookup(deps, lookup, failed(messages.unfinished));
  await markProcessing(deps, lookup.uuid);
  try {
    const settings = await settingsAt(deps.home, deps.environment, {
      brandUuid: lookup.brandUuid,
      version: lookup.settingsVersion,
    });
    await endLookup(deps, lookup, await resultOf(deps, lookup, settings));
  } catch (error) {
    if (!(error instanceof StepDelayed)) throw error;
    const { dueAt } = error;
    await deps.db.inTransaction((trx) => enqueue(deps, trx, lookupJob(deps, { ...lookup, dueAt })));
  }
}

/** Job, after all runs failed: ends the lookup and notifies the brand. */
export async function giveUpLookup(deps: Deps, { healthDataUuid }: { healthDataUuid: string }): Promise<void> {
  const lookup = await findLookup(deps, deps.db, healthDataUuid);
  if (lookup === null || !isAtWork(lookup.state)) return;
  await endLookup(deps, lookup, failed(messages.unfinished));
}

async function endLookup(deps: Deps, lookup: HealthLookup, result: HealthResult): Promise<void> {
  if (lookup.startedByPerson) {
    await deps.db.inTransaction((trx) => offerResult(deps, trx, lookup, result));
    return;
  }
  const endpointUuids = await listEnabledEndpoints(deps, lookup.brandUuid);
  await deps.db.inTransaction((trx) => releaseResult(deps, trx, lookup, result, { endpointUuids }));
}

const failed = (...errors: string[]): HealthResult => ({ results: [], errors: errors.map((message) => ({ message })) });

/** The result of a lookup: of the plan with the given member id, or of the plans that a discovery finds. */
async function resultOf(deps: Deps, lookup: HealthLookup, settings: BrandSettings): Promise<HealthResult> {
  const { payer, memberId } = lookup.question;
  const named = namedPayers(deps, payer);
  if (named !== null && named.length === 0) return failed(messages.payerUnknown);
  if (memberId !== undefined) return await checkTyped(deps, lookup, settings, { payers: named ?? [], memberId });
  const isClear = named === null || named.length === 1 || payer?.id !== undefined || isWholeGroup(deps, named);
  if (!isClear) return failed(ambiguousPayer(named));
  const found = await discover(deps, lookup, named);
  if ("error" in found) return failed(found.error);
  const wanted = wantedPlans(lookup, settings);
  const candidates = found.candidates.filter(({ plan }) => isWanted(plan, wanted));
  if (!lookup.question.checks) {
    const unchecked = candidates.map(({ plan }) => ({ plan, errors: [] }));
    return resultFrom(unchecked, wanted);
  }
  const outcomes: Outcome[] = [];
  for (const candidate of candidates.slice(0, checkedMax))
    outcomes.push(await checkFound(deps, lookup, settings, candidate));
  return resultFrom(outcomes, wanted);
}

const wantedPlans = ({ question }: HealthLookup, settings: BrandSettings): Wanted => ({
  coverageTypes: settings.health.coverageTypes,
  serviceTypeCodes: question.serviceTypeCodes,
});

/** Checks a plan that the user typed. An inactive plan is also a result. */
async function checkTyped(
  deps: Deps,
  lookup: HealthLookup,
  settings: BrandSettings,
  { payers, memberId }: { payers: readonly DirectoryPayer[]; memberId: string },
): Promise<HealthResult> {
  // A check goes to one payer. For the Medicare group, that is the national payer.
  const payer = payers.length === 1 ? payers[0] : payers.find(({ ids }) => ids[0] === "MEDICARE");
  if (payer === undefined) return failed(ambiguousPayer(payers));
  const typed = typedPlan(deps, payer, memberId);
  const wanted = wantedPlans(lookup, settings);
  if (payer.eligibilitySupport === "NOT_SUPPORTED")
    return resultFrom([{ plan: typed, errors: [messages.payerUnsupported] }], wanted);
  const reading = await checkPlan(deps, lookup, { payer, memberId });
  if (reading.kind !== "plan") return resultFrom([{ plan: null, errors: reading.errors }], wanted);
  const plan = withNetworkDecision(deps, lookup, settings, {
    payer,
    plan: checkedPlan(payer, typed, reading),
    reading,
  });
  return resultFrom([{ plan, errors: reading.errors }], wanted);
}

/** Checks a plan from discovery. A plan is dropped if its payer does not know it or calls it inactive. */
async function checkFound(
  deps: Deps,
  lookup: HealthLookup,
  settings: BrandSettings,
  { payer, plan }: Candidate,
): Promise<Outcome> {
  if (payer.eligibilitySupport === "NOT_SUPPORTED") return { plan, errors: [messages.payerUnsupported] };
  const reading = await checkPlan(deps, lookup, { payer, memberId: plan.memberId });
  if (reading.kind === "none") return { plan, errors: reading.errors };
  if (reading.kind !== "plan") return { plan: null, errors: reading.errors };
  if (reading.eligibility.coverageStatus === "inactive") return { plan: null, errors: [] };
  return {
    plan: withNetworkDecision(deps, lookup, settings, { payer, plan: checkedPlan(payer, plan, reading), reading }),
    errors: reading.errors,
  };
}

type Reading = Parameters<typeof planFacts>[1];

/** Adds the decision of the brand's rules. The decision is stored and stays the same if the rules change later. */
function withNetworkDecision(
  deps: Deps,
  lookup: HealthLookup,
  settings: BrandSettings,
  { payer, plan, reading }: Candidate & { reading: Reading },
): HealthPlan {
  if (settings.networkRules.length === 0) return plan;
  const rules = compiledRules(
    { environment: deps.environment, brandUuid: lookup.brandUuid, version: lookup.settingsVersion },
    settings.networkRules,
  );
  const facts = planFacts(payer, reading, lookup.question.person.address?.state);
  return { ...plan, network: decideNetwork(rules, facts, today(deps.clock)) };
}

/** Filters, deduplicates and sorts plans, and then limits them to `plansMax`. */
function resultFrom(outcomes: readonly Outcome[], wanted: Wanted): HealthResult {
  const plans = outcomes.flatMap(({ plan }) => (plan !== null && isWanted(plan, wanted) ? [plan] : []));
  const results = byNetwork(withoutDuplicates(plans)).slice(0, plansMax);
  const texts = [...new Set(outcomes.flatMap(({ errors }) => errors))];
  if (results.length > 0) return { results, errors: texts.map((message) => ({ message })) };
  const hasFoundNone =
    outcomes.length === 0 || outcomes.some(({ errors }) => errors.length === 0) || texts.includes(messages.noCoverage);
  const others = texts.filter((text) => text !== messages.noCoverage);
  return failed(...(hasFoundNone || others.length === 0 ? [messages.noCoverage] : []), ...others);
}

/** The payers that a request names; null if it names none. */
function namedPayers(deps: Deps, payer: { id?: string; name?: string } | undefined): DirectoryPayer[] | null {
  if (payer?.id !== undefined) return payersById(deps.payers, payer.id);
  return payer?.name === undefined ? null : payersByName(deps.payers, payer.name);
}

/** Whether the named payers are a whole group, not several payers that match the name equally well. */
function isWholeGroup(deps: Deps, named: readonly DirectoryPayer[]): boolean {
  const groups = named[0]?.groups ?? [];
  return groups.some((group) => {
    const members = deps.payers.payers.filter((payer) => payer.groups.includes(group));
    return members.length === named.length && members.every((payer) => named.includes(payer));
  });
}

async function discover(
  deps: Deps,
  lookup: HealthLookup,
  payers: readonly DirectoryPayer[] | null,
): Promise<{ candidates: Candidate[] } | { error: string }> {
  const { person, provider } = lookup.question;
  const onlyPayers = payers === null ? {} : { payerIds: payers.flatMap(({ ids }) => ids) };
  const outcome = await runStep<DiscoveryAnswer>(deps, lookup, {
    name: discoveryStep,
    isTemporary: (answer) => answer.kind === "failed" && answer.retryable,
    call: () => deps.clearinghouse.discover({ person, npi: provider.npi, ...onlyPayers, deadlineMs: callDeadlineMs }),
  });
  if (outcome.kind === "lost") return { error: messages.discoveryLost };
  if (outcome.answer.kind === "failed") return { error: messages.discoveryUnavailable };
  const candidates = outcome.answer.coverages.flatMap((found): Candidate[] => {
    const [payer] = payersById(deps.payers, found.payerId);
    if (payer === undefined) return [];
    return payers === null || payers.includes(payer) ? [{ payer, plan: discoveredPlan(deps, payer, found) }] : [];
  });
  const distinct = withoutDuplicates(candidates.map(({ plan }) => plan));
  return { candidates: candidates.filter(({ plan }) => distinct.includes(plan)) };
}
