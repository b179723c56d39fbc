/** Tests network rules against made-up plans, with the code that decides real plans. */
import type { BrandSettings } from "@countersign/contract/brand";
import { type SamplePlan, trialRulesMax } from "@countersign/contract/dashboard-rules";
import { networkRuleProblems } from "../brand/network-rules.ts";
import { today } from "../day.ts";
import type { HomeDeps, Vendors } from "../deps.ts";
import { invalid } from "../failure.ts";
import { networkExplainer, type PlanFacts } from "./network.ts";
import { payersById } from "./payers.ts";
import { planFacts } from "./plan.ts";

type Trial = {
  rules: BrandSettings["networkRules"];
  plans: readonly SamplePlan[];
  /** Indexes of the rules to explain. */
  explain?: readonly number[];
  day?: string;
};
type Problem = { path: string; message: string };
type Decision = ReturnType<ReturnType<typeof networkExplainer>>;

/** A rule with a problem takes no part, so that a half-written rule does not hide what the others do. */
export function tryRules(
  { clock, vendors }: Pick<HomeDeps, "clock" | "vendors">,
  { rules, plans, explain = [], day = today(clock) }: Trial,
): { day: string; decisions: Decision[]; problems: Problem[] } {
  const problems = networkRuleProblems(rules).map(({ path, message }) => ({
    path: path.replace("settings.networkRules.", "rules."),
    message,
  }));
  const incomplete = new Set(problems.map(({ path }) => Number(path.split(".")[1])));
  const isComplete = (at: number) => !incomplete.has(at);
  const decisionOn = networkExplainer(rules, { day, explain, max: trialRulesMax, isComplete });
  return { day, decisions: plans.map((plan, at) => decisionOn(factsOf(vendors, plan, at))), problems };
}

function factsOf({ payers }: Vendors, plan: SamplePlan, at: number): PlanFacts {
  const [payer] = payersById(payers, plan.payerId);
  if (payer === undefined)
    throw invalid([{ path: `body.plans.${at}.payerId`, message: "Use a payer in the directory." }]);
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
