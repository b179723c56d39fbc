/** Two members edit network rules at the same time. */
import assert from "node:assert/strict";
import test from "node:test";
import { mergedRules, ruleChanges } from "../../dashboard/rules/merge.ts";
import type { Rule } from "../../dashboard/rules/rules.ts";

const rule = (uuid: string | undefined, name: string): Rule => ({
  ...(uuid === undefined ? {} : { uuid }),
  name,
  status: "IN_NETWORK",
  conditions: [{ key: "state", operator: "EQUAL", values: ["MA"] }],
});
const [a, b, c] = [rule("a", "A"), rule("b", "B"), rule("c", "C")];
const base = [a, b, c];
const names = (rules: readonly Rule[]) => rules.map(({ name }) => name);

test("both members' changes to different rules stay", () => {
  const mine = [{ ...a, name: "A of mine" }, b, c, rule(undefined, "New")];
  const theirs = [a, { ...b, name: "B of theirs" }, rule("d", "D")];
  assert.deepEqual(names(mergedRules(base, mine, theirs)), ["A of mine", "B of theirs", "D", "New"]);
});

test("a rule that both changed is the member's own, also if the other one deleted it", () => {
  const mine = [{ ...a, name: "A of mine" }, { ...b, name: "B of mine" }, c];
  assert.deepEqual(names(mergedRules(base, mine, [{ ...a, name: "A of theirs" }, c])), ["A of mine", "C", "B of mine"]);
});

test("a rule that the member deleted is gone, even if the other one changed it", () => {
  assert.deepEqual(names(mergedRules(base, [a, c], [a, { ...b, name: "B of theirs" }, c])), ["A", "C"]);
});

test("names what happened to each rule that differs", () => {
  const to = [{ ...a, notes: "Signed", status: "OUT_OF_NETWORK" as const }, c, rule("d", "D")];
  assert.deepEqual(
    ruleChanges(base, to).map(({ rule: { name }, how, members }) => [name, how, members]),
    [
      ["B", "deleted", []],
      ["A", "changed", ["status", "notes"]],
      ["D", "added", []],
    ],
  );
});
