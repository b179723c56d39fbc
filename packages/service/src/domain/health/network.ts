import type { BrandSettings } from "@countersign/contract/brand";
import type { RuleMatch } from "@countersign/contract/dashboard-rules";
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
  const { status, winners } = decide(rules, foldFacts(facts), day);
  return { status, rules: winners.map(({ rule }) => rule) };
}

/** `preventing`: rules that might match, and because of which the status is INDETERMINATE. */
type Decided = { status: NetworkDecision["status"]; winners: CompiledRule[]; preventing: CompiledRule[] };

function decide(rules: CompiledRules, folded: Folded, day: string): Decided {
  const winners: CompiledRule[] = [];
  const unknown: CompiledRule[] = [];
  for (const one of rules) {
    const [winner] = winners;
    if (winner !== undefined && one.tests.length < winner.tests.length) break;
    if (!isInForce(one, day)) continue;
    const truth = truthOf(one, folded);
    if (truth === "true") winners.push(one);
    else if (truth === "unknown") unknown.push(one);
  }
  const [winner] = winners;
  if (winner === undefined) return { status: "INDETERMINATE", winners, preventing: [] };
  const { status } = winner.rule;
  const agreed = winners.every((one) => one.rule.status === status);
  const preventing = unknown.filter((one) => one.tests.length > winner.tests.length && one.rule.status !== status);
  return { status: agreed && preventing.length === 0 ? status : "INDETERMINATE", winners, preventing };
}

const wireTruth = { true: "matches", false: "differs", unknown: "unknown" } as const;

type Explained = { status: NetworkDecision["status"]; rules: RuleMatch[] };

/**
 * Returns a function that decides about a plan and says how rules compare with it: those at `explain`, and those that
 * decide, at most `max` of each. `isComplete`: whether a rule takes part.
 */
export function networkExplainer(
  rules: readonly Rule[],
  input: { day: string; explain: readonly number[]; max: number; isComplete(at: number): boolean },
): (facts: PlanFacts) => Explained {
  const { day, explain, max, isComplete } = input;
  // The index replaces the uuid, so that a compiled rule tells its place.
  const all = compileRules(
    rules.map((rule, at) => ({ ...rule, uuid: String(at), enabled: isComplete(at) && rule.enabled !== false })),
  );
  const placeOf = ({ rule }: CompiledRule) => Number(rule.uuid);
  const wanted = new Set(explain.filter((at) => at < rules.length));
  const compiledAt = new Map(all.flatMap((one) => (wanted.has(placeOf(one)) ? [[placeOf(one), one] as const] : [])));
  return (facts) => {
    const folded = foldFacts(facts);
    const { status, winners, preventing } = decide(all, folded, day);
    const deciding = [...winners, ...preventing].slice(0, max);
    const known = new Map([...compiledAt, ...deciding.map((one) => [placeOf(one), one] as const)]);
    const matchOf = (place: number): RuleMatch => {
      const one = known.get(place);
      if (one === undefined) return { place, match: isComplete(place) ? "off" : "incomplete", conditions: [] };
      const conditions = one.tests.map((test) => wireTruth[truthOfTest(test, folded)]);
      if (!isInForce(one, day)) return { place, match: "notInForce", conditions };
      const part = winners.includes(one) ? "decides" : preventing.includes(one) ? "prevents" : undefined;
      return { place, match: wireTruth[truthOf(one, folded)], conditions, ...(part === undefined ? {} : { part }) };
    };
    const places = [...new Set([...wanted, ...deciding.map(placeOf)])].sort((a, b) => a - b);
    return { status, rules: places.map(matchOf) };
  };
}

function isInForce({ startDate, endDate }: CompiledRule, day: string): boolean {
  return startDate <= day && day < endDate;
}

function foldFacts(facts: PlanFacts): Folded {
  const comparable = (values: readonly string[]) =>
    values.slice(0, factValuesMax).map((value) => fold(value.slice(0, factCharactersMax)));
  return new Map(Object.entries(facts).map(([key, values]) => [key, comparable(values)]));
}

const order = { IN_NETWORK: 0, INDETERMINATE: 1, OUT_OF_NETWORK: 2 };

/** In network first, then indeterminate, then out of network. Otherwise the order stays. */
export function byNetwork<Plan extends { network?: NetworkDecision }>(plans: readonly Plan[]): Plan[] {
  const place = ({ network }: Plan) => (network === undefined ? order.INDETERMINATE : order[network.status]);
  return [...plans].sort((a, b) => place(a) - place(b));
}

function truthOf({ tests }: CompiledRule, facts: Folded): Truth {
  let truth: Truth = "true";
  for (const test of tests) {
    const one = truthOfTest(test, facts);
    if (one === "false") return one;
    if (one === "unknown") truth = one;
  }
  return truth;
}

function truthOfTest({ key, holds }: Test, facts: Folded): Truth {
  const values = facts.get(key);
  if (values === undefined) return "unknown";
  return holds(values) ? "true" : "false";
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
