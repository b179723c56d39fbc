/** Tests network rules against a made-up plan, with the code that decides real plans. */
import type { BrandSettings } from "@countersign/contract/brand";
import type { SamplePlan } from "@countersign/contract/dashboard-rules";
import type { NetworkDecision } from "@countersign/contract/health";
import { namedRules, networkRuleProblems } from "../brand/network-rules.ts";
import { today } from "../day.ts";
import type { HomeDeps, Vendors } from "../deps.ts";
import { invalid } from "../failure.ts";
import { compileRules, decideNetwork, type PlanFacts } from "./network.ts";
import { payersById } from "./payers.ts";
import { planFacts } from "./plan.ts";

type Trial = { rules: BrandSettings["networkRules"]; plan: SamplePlan; day?: string };

export function tryRules(
  deps: Pick<HomeDeps, "random" | "clock" | "vendors">,
  { rules, plan, day }: Trial,
): { decision: NetworkDecision; places: number[]; day: string } {
  const problems = networkRuleProblems(rules).map((one) => ({
    ...one,
    path: one.path.replace(/^settings\./, "body."),
  }));
  if (problems.length > 0)
    throw invalid(problems.map((one) => ({ ...one, path: one.path.replace("networkRules", "rules") })));
  const named = namedRules(rules, deps.random.uuid);
  const asOf = day ?? today(deps.clock);
  const decision = decideNetwork(compileRules(named), factsOf(deps.vendors, plan), asOf);
  const deciding = new Set(decision.rules.map(({ uuid }) => uuid));
  return { decision, places: named.flatMap(({ uuid }, at) => (deciding.has(uuid) ? [at] : [])), day: asOf };
}

function factsOf({ payers }: Vendors, plan: SamplePlan): PlanFacts {
  const [payer] = payersById(payers, plan.payerId);
  if (payer === undefined) throw invalid([{ path: "body.plan.payerId", message: "Use a payer in the directory." }]);
  const { planName, groupNumber, groupName, state, insuranceTypeCodes = [], relatedEntities = [] } = plan;
  const eligibility = {
    coverageStatus: "active" as const,
    plan: {
      ...known("name", planName),
      ...known("groupNumber", groupNumber),
      ...known("groupName", groupName),
      insuranceTypeCodes,
    },
  };
  return planFacts(payer, { eligibility, relatedEntities: relatedEntities.filter((one) => one.trim() !== "") }, state);
}

/** Omits an empty field. */
function known<Key extends string>(key: Key, text: string | undefined): Partial<Record<Key, string>> {
  const result: Partial<Record<Key, string>> = {};
  if (text !== undefined && text.trim() !== "") result[key] = text;
  return result;
}
