import { importsOf, targetOf } from "./imports.ts";
import { type Finding, isCode, type Rule } from "./rule.ts";
import type { Source, Tree } from "./source.ts";

/** The shortest import path from a file back to itself. Type imports count, because they also couple files. */
function shortestCycle(start: string, tree: Tree): string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = tree.get(way.at(-1) ?? "");
    for (const target of last === undefined ? [] : targetsOf(last, tree)) {
      if (target === start) return way;
      if (seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return undefined;
}

/** What each file imports. Every search for a cycle visits most files. */
const targets = new WeakMap<Source, string[]>();

function targetsOf(source: Source, tree: Tree): string[] {
  const known = targets.get(source);
  if (known !== undefined) return known;
  const found = importsOf(source)
    .map(({ specifier }) => targetOf(source.path, specifier, tree))
    .filter((target) => target !== undefined);
  targets.set(source, found);
  return found;
}

/** Reports each cycle once, for its alphabetically first file. */
function findCycle(source: Source, tree: Tree): Finding[] {
  const cycle = shortestCycle(source.path, tree);
  if (cycle === undefined || cycle.some((path) => path < source.path)) return [];
  const way = [...cycle, source.path].join(" → ");
  return [
    { line: 1, message: `import cycle ${way}: move the shared code into the lower file, or into a separate file` },
  ];
}

export const cycles: Rule = {
  name: "no import cycles",
  applies: isCode,
  find: findCycle,
  offending: { "tools/a.ts": 'import { b } from "./b.ts";', "tools/b.ts": 'import type { A } from "./a.ts";' },
  clean: { "tools/a.ts": 'import { b } from "./b.ts";', "tools/b.ts": 'import { c } from "./c.ts";', "tools/c.ts": "" },
};
