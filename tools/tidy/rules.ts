import { cycles } from "./cycles.ts";
import { documents, pinnedNode, unmerged } from "./documents.ts";
import { keeperRules } from "./keepers.ts";
import { layers } from "./layers.ts";
import { nameRules } from "./names.ts";
import { exactVersions, lockWithoutAddresses, noInstallScripts, noScriptsApart } from "./packages.ts";
import type { Rule } from "./rule.ts";
import { sizeRules } from "./sizes.ts";
import type { Tree } from "./source.ts";
import { oneSheet } from "./styles.ts";
import { tokenRules } from "./tokens.ts";
import { transactions } from "./transactions.ts";

/**
 * The rules of our style guide that are checked here. Biome checks others (biome.json): functions of at most 70 lines,
 * no `any`, `!`, enum, namespace, default export, barrel, console, focused test, or undeclared dependency. Knip finds
 * unused files, exports and dependencies (knip.json).
 */
export const rules: readonly Rule[] = [
  layers,
  cycles,
  exactVersions,
  lockWithoutAddresses,
  noInstallScripts,
  noScriptsApart,
  ...tokenRules,
  transactions,
  documents,
  pinnedNode,
  unmerged,
  ...keeperRules,
  ...sizeRules,
  oneSheet,
  ...nameRules,
];

/** `path:line: message` for each finding of a rule. */
export function findingsOf(rule: Rule, tree: Tree): string[] {
  return [...tree.values()]
    .filter(({ path }) => rule.applies(path))
    .flatMap((source) => rule.find(source, tree).map(({ line, message }) => `${source.path}:${line}: ${message}`));
}
