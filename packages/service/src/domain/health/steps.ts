/** The job that does the work of a lookup: the steps from the question to its result. */
import type { HealthPlan } from "@countersign/contract/health";
import { findBrand } from "../brand/brand-rows.ts";
import { may } from "../brand/permission.ts";
import { settingsAt } from "../brand/settings-rows.ts";
import { today } from "../day.ts";
import type { Caller, Deps } from "../deps.ts";
import type { DirectoryPayer, DiscoveryAnswer } from "../ports.ts";
import { End, stepsFrom } from "../steps.ts";
import { checkPlan } from "./check.ts";
import { ambiguousPayer, type HealthLookup, isAtWork, messages } from "./lookup.ts";
import { findLookup, markProcessing } from "./lookup-rows.ts";
import { byNetwork, compiledRules, decideNetwork } from "./network.ts";
import { failed, type LookupOutcome, saveLookupOutcome } from "./outcome.ts";
import { callDeadlineMs, callOnce, discoveryCall } from "./paid-call.ts";
import { payersById, payersByName } from "./payers.ts";
import { checkedPlan, discoveredPlan, planFacts, typedPlan } from "./plan.ts";
import { wholePlan } from "./x12/codes.ts";

/** Maximum number of discovered plans to check with their payers. Each check costs money. */
const checkedMax = 4;
/** Maximum number of plans in a result. */
const plansMax = 2;

/** From a lookup to its outcome. Calls that an earlier run made are not made again. */
export const findPlans = stepsFrom<HealthLookup, LookupOutcome>()
  .add(findPayers)
  .add(checkTypedPlan)
  .add(refuseSeveralPayers)
  .add(discoverPlans)
  .add(keepWantedPlans)
  .add(checkPlans)
  .end(chooseResult);

/** Job: does the work of a lookup, or continues after an earlier run. */
export async function runLookup(deps: Deps, { healthDataUuid }: { healthDataUuid: string }): Promise<void> {
  const lookup = await findLookup(deps, deps.db, healthDataUuid);
  if (lookup === null || !isAtWork(lookup.state)) return;
  const { brandUuid, apiKeyUuid, requestId, settingsVersion } = lookup;
  // Never ask payers for a stopped brand: each call costs money and tells a payer about the person.
  const brand = await findBrand(deps.home, deps.environment, brandUuid);
  if (brand === null || !may(brand, "read")) return await saveLookupOutcome(deps, lookup, failed(messages.unfinished));
  await markProcessing(deps, lookup.uuid);
  // The settings in force when the lookup was requested.
  const settings = await settingsAt(deps.home, deps.environment, { brandUuid, version: settingsVersion });
  const caller: Caller = { brand: { ...brand, settings, settingsVersion }, apiKeyUuid, requestId };
  await saveLookupOutcome(deps, lookup, await findPlans.run(deps, caller, lookup));
}

/** Job, after all runs failed: ends the lookup and notifies the brand. */
export async function giveUpLookup(deps: Deps, { healthDataUuid }: { healthDataUuid: string }): Promise<void> {
  const lookup = await findLookup(deps, deps.db, healthDataUuid);
  if (lookup === null || !isAtWork(lookup.state)) return;
  await saveLookupOutcome(deps, lookup, failed(messages.unfinished));
}

/** `payers`: those that the question names. Null if it names none. */
type WithPayers = { lookup: HealthLookup; payers: readonly DirectoryPayer[] | null };
type Candidate = { payer: DirectoryPayer; plan: HealthPlan };
type WithCandidates = { lookup: HealthLookup; candidates: readonly Candidate[] };
/** The result for a plan. `plan` is null if the plan is dropped. */
type PlanResult = { plan: HealthPlan | null; errors: string[] };
type WithResults = { lookup: HealthLookup; results: readonly PlanResult[] };

function findPayers(
  { vendors: { payers: directory } }: Deps,
  _caller: Caller,
  lookup: HealthLookup,
): WithPayers | End<LookupOutcome> {
  const { id, name } = lookup.question.payer ?? {};
  const payers =
    id !== undefined ? payersById(directory, id) : name === undefined ? null : payersByName(directory, name);
  return payers?.length === 0 ? new End(failed(messages.payerUnknown)) : { lookup, payers };
}

/** Ends with the plan of a typed member id. An inactive plan is also a result. Without a member id, goes on. */
async function checkTypedPlan(deps: Deps, caller: Caller, found: WithPayers): Promise<WithPayers | End<LookupOutcome>> {
  const { lookup } = found;
  const { memberId } = lookup.question;
  if (memberId === undefined) return found;
  // A check goes to one payer. For the Medicare group, that is the national payer.
  const payers = found.payers ?? [];
  const payer = payers.length === 1 ? payers[0] : payers.find(({ ids }) => ids[0] === "MEDICARE");
  if (payer === undefined) return new End(failed(ambiguousPayer(payers)));
  const typed = typedPlan(deps, payer, memberId);
  const ended = (one: PlanResult) => chooseResult(deps, caller, { lookup, results: [one] });
  if (payer.eligibilitySupport === "NOT_SUPPORTED") return ended({ plan: typed, errors: [messages.payerUnsupported] });
  const reading = await checkPlan(deps, lookup, { payer, memberId });
  if (reading.kind === "delayed") return new End(reading);
  if (reading.kind !== "plan") return ended({ plan: null, errors: reading.errors });
  const plan = withNetworkDecision(deps, caller, lookup, { payer, plan: checkedPlan(payer, typed, reading), reading });
  return ended({ plan, errors: reading.errors });
}

/** Ends if the named payers are neither one payer nor a whole group. */
function refuseSeveralPayers({ vendors: { payers: directory } }: Deps, _caller: Caller, found: WithPayers) {
  const { lookup, payers } = found;
  const isClear =
    payers === null ||
    payers.length === 1 ||
    lookup.question.payer?.id !== undefined ||
    (payers[0]?.groups ?? []).some((group) => {
      const members = directory.payers.filter((payer) => payer.groups.includes(group));
      return members.length === payers.length && members.every((payer) => payers.includes(payer));
    });
  return isClear ? found : new End<LookupOutcome>(failed(ambiguousPayer(payers)));
}

/** Asks the clearinghouse for the person's plans. */
async function discoverPlans(
  deps: Deps,
  _caller: Caller,
  { lookup, payers }: WithPayers,
): Promise<WithCandidates | End<LookupOutcome>> {
  const { person, provider } = lookup.question;
  const onlyPayers = payers === null ? {} : { payerIds: payers.flatMap(({ ids }) => ids) };
  const outcome = await callOnce<DiscoveryAnswer>(deps, lookup, {
    name: discoveryCall,
    isTemporary: (answer) => answer.kind === "failed" && answer.retryable,
    call: () =>
      deps.vendors.clearinghouse.discover({ person, npi: provider.npi, ...onlyPayers, deadlineMs: callDeadlineMs }),
  });
  if (outcome.kind === "delayed") return new End(outcome);
  if (outcome.kind === "lost") return new End(failed(messages.discoveryLost));
  if (outcome.answer.kind === "failed") return new End(failed(messages.discoveryUnavailable));
  const candidates = outcome.answer.coverages.flatMap((found): Candidate[] => {
    const [payer] = payersById(deps.vendors.payers, found.payerId);
    if (payer === undefined) return [];
    return payers === null || payers.includes(payer) ? [{ payer, plan: discoveredPlan(deps, payer, found) }] : [];
  });
  const distinct = withoutDuplicates(candidates.map(({ plan }) => plan));
  return { lookup, candidates: candidates.filter(({ plan }) => distinct.includes(plan)) };
}

/** Leaves out plans that the brand does not accept, before a check costs money. */
function keepWantedPlans(_deps: Deps, caller: Caller, { lookup, candidates }: WithCandidates): WithCandidates {
  return { lookup, candidates: candidates.filter(({ plan }) => isWanted(plan, caller, lookup)) };
}

/** Checks plans with their payers, if the question asks for checks. */
async function checkPlans(
  deps: Deps,
  caller: Caller,
  { lookup, candidates }: WithCandidates,
): Promise<WithResults | End<LookupOutcome>> {
  if (!lookup.question.checks) return { lookup, results: candidates.map(({ plan }) => ({ plan, errors: [] })) };
  const results: PlanResult[] = [];
  for (const { payer, plan } of candidates.slice(0, checkedMax)) {
    if (payer.eligibilitySupport === "NOT_SUPPORTED") {
      results.push({ plan, errors: [messages.payerUnsupported] });
      continue;
    }
    const reading = await checkPlan(deps, lookup, { payer, memberId: plan.memberId });
    if (reading.kind === "delayed") return new End(reading);
    const { errors } = reading;
    if (reading.kind === "none") results.push({ plan, errors });
    else if (reading.kind !== "plan") results.push({ plan: null, errors });
    else if (reading.eligibility.coverageStatus === "inactive") results.push({ plan: null, errors: [] });
    else {
      const checked = checkedPlan(payer, plan, reading);
      results.push({ plan: withNetworkDecision(deps, caller, lookup, { payer, plan: checked, reading }), errors });
    }
  }
  return { lookup, results };
}

/** Ends with the plans that the brand accepts, in network first. */
function chooseResult(_deps: Deps, caller: Caller, { lookup, results }: WithResults): End<LookupOutcome> {
  const plans = results.flatMap(({ plan }) => (plan !== null && isWanted(plan, caller, lookup) ? [plan] : []));
  const chosen = byNetwork(withoutDuplicates(plans)).slice(0, plansMax);
  const texts = [...new Set(results.flatMap(({ errors }) => errors))];
  if (chosen.length > 0)
    return new End({ kind: "ended", result: { results: chosen, errors: texts.map((message) => ({ message })) } });
  const hasFoundNone =
    results.length === 0 || results.some(({ errors }) => errors.length === 0) || texts.includes(messages.noCoverage);
  const others = texts.filter((text) => text !== messages.noCoverage);
  return new End(failed(...(hasFoundNone || others.length === 0 ? [messages.noCoverage] : []), ...others));
}

/**
 * Whether the brand accepts the plan's coverage types and the plan covers a requested service. Service type 30 (the
 * whole plan) does not restrict the match.
 */
function isWanted(plan: HealthPlan, { brand }: Caller, { question }: HealthLookup): boolean {
  const types = plan.coverageTypes ?? [];
  if (types.length > 0 && !types.some((type) => brand.settings.health.coverageTypes.includes(type))) return false;
  const asked = question.serviceTypeCodes.filter((code) => code !== wholePlan);
  const answered = (plan.serviceTypeCodes ?? []).filter((code) => code !== wholePlan);
  return asked.length === 0 || answered.length === 0 || answered.some((code) => asked.includes(code));
}

/** Keeps the first of several plans with the same payer and member id. */
function withoutDuplicates(plans: readonly HealthPlan[]): HealthPlan[] {
  const seen = new Set<string>();
  return plans.filter(({ memberId, payer }) => {
    const key = `${payer.vendorId}|${memberId.toUpperCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}

type Reading = Parameters<typeof planFacts>[1];

/** Adds the decision of the brand's rules. The decision is stored and stays the same if the rules change later. */
function withNetworkDecision(
  deps: Deps,
  { brand }: Caller,
  { question }: HealthLookup,
  { payer, plan, reading }: Candidate & { reading: Reading },
): HealthPlan {
  const { settings, settingsVersion } = brand;
  if (settings.networkRules.length === 0) return plan;
  const rules = compiledRules(
    { environment: deps.environment, brandUuid: brand.uuid, version: settingsVersion },
    settings.networkRules,
  );
  const facts = planFacts(payer, reading, question.person.address?.state);
  return { ...plan, network: decideNetwork(rules, facts, today(deps.clock)) };
}
