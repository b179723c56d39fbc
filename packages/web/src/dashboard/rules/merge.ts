/** Compares and merges lists of network rules that two members edited at the same time. */
import type { Rule } from "./rules.ts";

/** The path of the rules in the settings. */
export const rulesPath = "networkRules";

type Member = "name" | "status" | "enabled" | "conditions" | "startDate" | "endDate" | "notes" | "metadata";
const members: readonly Member[] = [
  "name",
  "status",
  "enabled",
  "conditions",
  "startDate",
  "endDate",
  "notes",
  "metadata",
];

/** What happened to a rule. `members` names what changed within it. */
export type RuleChange = { rule: Rule; how: "added" | "deleted" | "changed"; members: readonly Member[] };

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
const find = (rules: readonly Rule[], { uuid }: Rule) => rules.find((one) => uuid !== undefined && one.uuid === uuid);

/** The rules that differ between two lists. The service gives each saved rule a uuid. */
export function ruleChanges(from: readonly Rule[], to: readonly Rule[]): RuleChange[] {
  const deleted = from.filter((rule) => find(to, rule) === undefined);
  return [
    ...deleted.map((rule): RuleChange => ({ rule, how: "deleted", members: [] })),
    ...to.flatMap((rule): RuleChange[] => {
      const before = find(from, rule);
      if (before === undefined) return [{ rule, how: "added", members: [] }];
      const differing = members.filter((member) => !same(before[member], rule[member]));
      return differing.length === 0 ? [] : [{ rule: before, how: "changed", members: differing }];
    }),
  ];
}

/**
 * Applies the changes between `base` and `mine` to `theirs`. If both changed a rule, mine is used, even if they deleted
 * it. Added rules are at the end.
 */
export function mergedRules(base: readonly Rule[], mine: readonly Rule[], theirs: readonly Rule[]): Rule[] {
  const edited = mine.filter((rule) => !same(find(base, rule), rule));
  const kept = theirs.flatMap((rule) => {
    const isDeleted = find(base, rule) !== undefined && find(mine, rule) === undefined;
    return isDeleted ? [] : [find(edited, rule) ?? rule];
  });
  return [...kept, ...edited.filter((rule) => !kept.includes(rule))];
}
