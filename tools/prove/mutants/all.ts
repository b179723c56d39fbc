import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../process.ts";
import { addresses } from "./addresses.ts";
import { challenges } from "./challenges.ts";
import { codes } from "./codes.ts";
import { keys } from "./keys.ts";
import type { Weakened } from "./mutant.ts";
import { sessions } from "./sessions.ts";

export const allWeakened: readonly Weakened[] = [...codes, ...challenges, ...sessions, ...addresses, ...keys];

/** Why a mutant is invalid: its `from` text does not occur exactly once, or it changes nothing. */
export function problemsOf({ file, mutants }: Weakened): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return mutants.flatMap(({ from, to }) => {
    const places = text.split(from).length - 1;
    if (places !== 1) return [`${file}: ${places} places, not one, are ${JSON.stringify(from)}`];
    return from === to ? [`${file}: ${JSON.stringify(from)} stays as it is`] : [];
  });
}
