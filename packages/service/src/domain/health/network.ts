import type { BrandSettings } from "@countersign/contract/brand";
import type { NetworkDecision } from "@countersign/contract/health";

type Rule = BrandSettings["networkRules"][number];
type Key =
  | "payerId"
  | "payerName"
  | "state"
  | "insuranceTypeCodes"
  | "planName"
  | "relatedEntities"
  | "groupNumber"
  | "groupName";
/** Known facts about a plan. A missing fact is unknown: it is neither a match nor a mismatch. */
export type PlanFacts = Partial<Record<Key, readonly string[]>>;

type Truth = "true" | "false" | "unknown";
type Folded = Map<string, readonly string[]>;
type Test = { key: string; holds(values: readonly string[]): boolean };
type CompiledRule = { rule: NetworkDecision["rules"][number]; tests: Test[]; startDate: string; endDate: string };
export type CompiledRules = readonly CompiledRule[];

/** Codes are compared as a whole, even by INCLUDE operators: no code is part of another. */
const wholeValues = new Set(["payerId", "state", "insuranceTypeCodes"]);
/** Limits of the facts that are compared. X12 allows shorter texts, so only a broken or hostile answer has more. */
const factCharactersMax = 200;
const factValuesMax = 500;
/** Limits of the cache. One brand's rules weigh up to about 20,000 texts, which need about 8 MB. */
const compiledMax = 200;
const compiledTextsMax = 200_000;
const compiled = new Map<string, { rules: CompiledRules; texts: number }>();

/** A brand's rules, compiled once per settings version and cached. */
export function compiledRules(
  settings: { environment: string; brandUuid: string; version: number },
  rules: readonly Rule[],
): CompiledRules {
  const key = `${settings.environment}|${settings.brandUuid}|${settings.version}`;
  const known = compiled.get(key);
  if (known !== undefined) return known.rules;
  const fresh = { rules: compileRules(rules), texts: textsIn(rules) };
  compiled.set(key, fresh);
  let texts = [...compiled.values()].reduce((sum, one) => sum + one.texts, 0);
  for (const [oldest, one] of compiled) {
    if (oldest === key || (texts <= compiledTextsMax && compiled.size <= compiledMax)) break;
    compiled.delete(oldest);
    texts -= one.texts;
  }
  return fresh.rules;
}

function textsIn(rules: readonly Rule[]): number {
  return rules.reduce((sum, rule) => rule.conditions.reduce((more, { values }) => more + values.length, sum + 1), 0);
}

export function compileRules(rules: readonly Rule[]): CompiledRules {
  return (
    rules
      .filter(({ enabled }) => enabled !== false)
      .map((rule) => ({
        rule: shown(rule),
        tests: rule.conditions.map(testOf),
        startDate: rule.startDate ?? "",
        endDate: rule.endDate ?? "9999-12-31",
      }))
      // Most conditions first, so the search can stop at rules that cannot outrank the winner.
      .sort((a, b) => b.tests.length - a.tests.length)
  );
}

/**
 * The most specific matching rules decide. The result is INDETERMINATE if they disagree, if no rule matches, or if a
 * more specific rule with another status might match. `day`: rules apply from their start to before their end.
 */
export function decideNetwork(rules: CompiledRules, facts: PlanFacts, day: string): NetworkDecision {
  const comparable = (values: readonly string[]) =>
    values.slice(0, factValuesMax).map((value) => fold(value.slice(0, factCharactersMax)));
  const folded: Folded = new Map(Object.entries(facts).map(([key, values]) => [key, comparable(values)]));
  const winners: CompiledRule[] = [];
  const unknown: CompiledRule[] = [];
  for (const one of rules) {
    const [winner] = winners;
    if (winner !== undefined && one.tests.length < winner.tests.length) break;
    if (one.startDate > day || day >= one.endDate) continue;
    const truth = truthOf(one, folded);
    if (truth === "true") winners.push(one);
    else if (truth === "unknown") unknown.push(one);
  }
  const [winner] = winners;
  if (winner === undefined) return { status: "INDETERMINATE", rules: [] };
  const { status } = winner.rule;
  const agreed = winners.every((one) => one.rule.status === status);
  const anotherRuleMayWin = unknown.some((one) => one.tests.length > winner.tests.length && one.rule.status !== status);
  return { status: agreed && !anotherRuleMayWin ? status : "INDETERMINATE", rules: winners.map(({ rule }) => rule) };
}

const order = { IN_NETWORK: 0, INDETERMINATE: 1, OUT_OF_NETWORK: 2 };

/** In network first, then indeterminate, then out of network. Otherwise the order stays. */
export function byNetwork<Plan extends { network?: NetworkDecision }>(plans: readonly Plan[]): Plan[] {
  const place = ({ network }: Plan) => (network === undefined ? order.INDETERMINATE : order[network.status]);
  return [...plans].sort((a, b) => place(a) - place(b));
}

function truthOf({ tests }: CompiledRule, facts: Folded): Truth {
  let truth: Truth = "true";
  for (const { key, holds } of tests) {
    const values = facts.get(key);
    if (values === undefined) truth = "unknown";
    else if (!holds(values)) return "false";
  }
  return truth;
}

function testOf({ key, operator, values }: Rule["conditions"][number]): Test {
  const wanted = values.map(fold).filter((value) => value !== "");
  const matches =
    operator.endsWith("EQUAL") || wholeValues.has(key)
      ? isOneOf(wanted)
      : (fact: string) => wanted.some((value) => fact.includes(value));
  if (wanted.length === 0) return { key, holds: () => false };
  const negated = operator.startsWith("NOT_");
  return { key, holds: (facts) => facts.some(matches) !== negated };
}

function isOneOf(wanted: readonly string[]): (fact: string) => boolean {
  const [only] = wanted;
  if (wanted.length === 1) return (fact) => fact === only;
  const all = new Set(wanted);
  return (fact) => all.has(fact);
}

/** The fast path: most texts only need lower case. */
const plain = /^[!-~]+(?: [!-~]+)*$/;

/** Normalizes a text for comparison: width, case and whitespace are ignored. */
function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** A rule as shown with its decision, without missing members. */
function shown({ uuid, name, status, notes, metadata, startDate, endDate, conditions }: Rule): CompiledRule["rule"] {
  return {
    ...(uuid === undefined ? {} : { uuid }),
    ...(name === undefined ? {} : { name }),
    status,
    ...(notes === undefined || notes === null ? {} : { notes }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(startDate === undefined || startDate === null ? {} : { startDate }),
    ...(endDate === undefined || endDate === null ? {} : { endDate }),
    conditions,
  };
}
