import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../process.ts";
import { addresses } from "./addresses.ts";
import { challenges } from "./challenges.ts";
import { codes } from "./codes.ts";
import { keys } from "./keys.ts";
import type { Mutant, Weakened } from "./mutant.ts";
import { restrictions } from "./restrictions.ts";
import { sessions } from "./sessions.ts";
import { placeOf } from "./tree.ts";

export const allWeakened: readonly Weakened[] = [
  ...codes,
  ...challenges,
  ...sessions,
  ...addresses,
  ...keys,
  ...restrictions,
];

/** Why a mutant is invalid: its `from` does not occur exactly once, it changes nothing, or a test is missing. */
export function problemsOf({ file, mutants }: Weakened): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return mutants.flatMap((mutant) => {
    const { from, to } = mutant;
    const places = text.split(from).length - 1;
    if (places !== 1) return [`${file}: ${JSON.stringify(from)} occurs ${places} times instead of once`];
    if (from === to) return [`${file}: ${JSON.stringify(from)} is not changed`];
    return missingTests(mutant).map((test) => `${file}: there is no test "${test}"`);
  });
}

/** Tests whose names are in no title of their file. A parameter of a title can be any text. */
function missingTests({ tests }: Mutant): string[] {
  return tests.filter((test) => {
    const { file, name } = placeOf(test);
    const text = readFileSync(join(root, file), "utf8");
    return name !== undefined && !text.includes(name) && !templatesIn(text).some((title) => title.test(name));
  });
}

/** Patterns of the titles with parameters. */
function templatesIn(text: string): RegExp[] {
  return Array.from(text.matchAll(/\btest\(`([^`]*)`/g), ([, title = ""]) => {
    const fixed = title.split(/\$\{[^}]*\}/).map((part) => part.replace(/\W/g, "\\$&"));
    return new RegExp(fixed.join(".*"));
  });
}
