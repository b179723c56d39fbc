/** The editor's model of network rules: their facts, and lists that keep their order. */
import type { BrandSettings } from "@countersign/contract/brand";
import { isRecord } from "../../api/client.ts";
import { isBelow } from "../api.ts";
import { ruleWords } from "./words-rules.ts";

export type Rule = BrandSettings["networkRules"][number];
export type Condition = Rule["conditions"][number];
export type Metadata = NonNullable<Rule["metadata"]>;
export type Problem = { path: string; message: string };

const equal = ["EQUAL", "NOT_EQUAL"] as const;
const include = ["INCLUDE", "NOT_INCLUDE"] as const;
const both = [...equal, ...include] as const;
/** The operators that the service accepts for each fact. The service checks them again when the rules are saved. */
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

/** A new rule with the next number after all rules that have a default name. */
export function newRule(rules: readonly Rule[]): Rule {
  const numbers = rules.map(({ name = "" }) => Number(/^Rule (\d{1,9})$/.exec(name)?.[1] ?? 0));
  const name = ruleWords.unnamed(Math.max(rules.length, ...numbers) + 1);
  return { name, status: "IN_NETWORK", enabled: true, conditions: [newCondition()] };
}

/** Inserts a copy of the rule below it. The service assigns the copy a UUID when it is saved. */
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

/** The problems below a path such as `networkRules.0`, with relative paths. */
export function problemsBelow(problems: readonly Problem[], path: string): Problem[] {
  return problems
    .filter((one) => isBelow(one.path, path))
    .map(({ path: whole, message }) => ({ path: whole.slice(path.length + 1), message }));
}

export function saidOf(problems: readonly Problem[], ...paths: string[]): string | undefined {
  const matching = problems.filter(({ path }) => paths.some((one) => path === one || path.startsWith(`${one}.values`)));
  return matching.length === 0 ? undefined : [...new Set(matching.map(({ message }) => message))].join(" ");
}

/** Splits typed text at a separator and trims the parts. Returns one empty part for empty text. */
export function partsOf(text: string, separator: string): string[] {
  const parts = text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return parts.length === 0 ? [""] : parts;
}
