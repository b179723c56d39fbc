/** Network rules as they are edited: the facts they are about, and lists that keep their order. */
import type { BrandSettings } from "@countersign/contract/brand";
import { isRecord } from "./api.ts";
import { ruleWords } from "./words-rules.ts";

export type Rule = BrandSettings["networkRules"][number];
export type Condition = Rule["conditions"][number];
export type Metadata = NonNullable<Rule["metadata"]>;
export type Problem = { path: string; message: string };

const equal = ["EQUAL", "NOT_EQUAL"] as const;
const include = ["INCLUDE", "NOT_INCLUDE"] as const;
const both = [...equal, ...include] as const;
/** What the service accepts; it decides again when the rules are saved. */
export const operatorsOf: Readonly<Record<string, readonly (typeof both)[number][]>> = {
  payerId: equal,
  payerName: both,
  state: equal,
  insuranceTypeCodes: include,
  planName: both,
  relatedEntities: both,
  groupNumber: both,
  groupName: both,
};
export const ruleStatuses = ["IN_NETWORK", "OUT_OF_NETWORK", "INDETERMINATE"] as const;
const keyNames: Readonly<Record<string, string>> = ruleWords.keys;
const operatorNames: Readonly<Record<string, string>> = ruleWords.operators;

export const keyName = (key: string): string => keyNames[key] ?? key;
export const operatorName = (operator: string): string => operatorNames[operator] ?? operator;

export function rulesIn(value: unknown): Rule[] {
  return Array.isArray(value) ? value.filter(isRule) : [];
}

function isRule(value: unknown): value is Rule {
  return isRecord(value) && Array.isArray(value.conditions) && typeof value.status === "string";
}

export function newCondition(key = "payerId"): Condition {
  return { key, operator: operatorsOf[key]?.[0] ?? "EQUAL", values: [""] };
}

/** Numbered above every rule that is still called by its number. */
export function newRule(rules: readonly Rule[]): Rule {
  const numbers = rules.map(({ name = "" }) => Number(/^Rule (\d{1,9})$/.exec(name)?.[1] ?? 0));
  const name = ruleWords.unnamed(Math.max(rules.length, ...numbers) + 1);
  return { name, status: "IN_NETWORK", enabled: true, conditions: [newCondition()] };
}

/** The same rule below itself; it gets a uuid of its own when it is saved. */
export function duplicated(rules: readonly Rule[], at: number): Rule[] {
  return rules.flatMap((rule, index) => {
    if (index !== at) return [rule];
    const { uuid: _uuid, ...rest } = rule;
    return [rule, { ...rest, name: ruleWords.copyOf(nameOf(rule, at)) }];
  });
}

export function nameOf(rule: Rule, at: number): string {
  return rule.name === undefined || rule.name === "" ? ruleWords.unnamed(at + 1) : rule.name;
}

/** What is wrong below a path, without the code that programs read: `networkRules.0`, with paths from there on. */
export function problemsBelow(problems: readonly Problem[], path: string): Problem[] {
  return problems
    .filter((one) => one.path === path || one.path.startsWith(`${path}.`))
    .map((one) => ({ path: one.path.slice(path.length + 1), message: one.message.replace(/^[A-Z_]+: /, "") }));
}

export function saidOf(problems: readonly Problem[], ...paths: string[]): string | undefined {
  const said = problems.filter(({ path }) => paths.some((one) => path === one || path.startsWith(`${one}.values`)));
  return said.length === 0 ? undefined : [...new Set(said.map(({ message }) => message))].join("; ");
}

/** Texts as they are typed: parts between separators, blanks around them gone; one blank where there is nothing. */
export function partsOf(text: string, separator: string): string[] {
  const parts = text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return parts.length === 0 ? [""] : parts;
}
