import { isCode, type Rule } from "./rule.ts";
import type { Source, Tree } from "./source.ts";

/** Names that say nothing about what a file or folder contains. */
const drawers = new Set([
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "shared",
  "misc",
  "lib",
  "core",
  "services",
  "managers",
]);

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const segmentsOf = ({ path }: Source) => path.split("/").map((segment) => segment.replace(/^\.|(?:\.[a-z]+)+$/g, ""));

const noDrawers: Rule = {
  name: "file and folder names say what is inside",
  applies: (path) => !path.startsWith("docs/"),
  find: (source) => [
    ...segmentsOf(source)
      .filter((segment) => drawers.has(segment))
      .map((segment) => ({ line: 1, message: `"${segment}": name it after its noun or its action` })),
    ...(/(?:^|\/)index\.tsx?$/.test(source.path) && !/^packages\/sdk\/src\/index\.ts$/.test(source.path)
      ? [{ line: 1, message: "index: name the file after its content, and import that file" }]
      : []),
  ],
  offending: { "packages/service/src/http/utils/text.ts": "", "packages/service/src/http/index.ts": "" },
  clean: { "packages/service/src/http/envelope.ts": "", "packages/sdk/src/index.ts": "" },
};

const kebabCase: Rule = {
  name: "file names are in kebab-case",
  applies: isCode,
  find: (source) =>
    segmentsOf(source)
      .filter((segment) => !kebab.test(segment))
      .map((segment) => ({ line: 1, message: `"${segment}": write it in kebab-case` })),
  offending: { "packages/service/src/http/sendText.ts": "" },
  clean: { "packages/service/src/store/migrations/0001-ground.ts": "", "tools/tidy.test.ts": "" },
};

const exported = /^export (?:abstract )?(?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm;
const packageOf = (path: string) => /^packages\/(?:service|contract|sdk)\/src\/(?!test\/)/.exec(path)?.[0];
const namesIn = ({ code }: Source) => new Set([...code.matchAll(exported)].map(([, name = ""]) => name));

/** Files of a package by the names that they export. Made once for each tree. */
const exporters = new WeakMap<Tree, Map<string, string[]>>();
function exportersIn(tree: Tree): Map<string, string[]> {
  const known = exporters.get(tree);
  if (known !== undefined) return known;
  const found = new Map<string, string[]>();
  for (const source of tree.values()) {
    const folder = packageOf(source.path);
    if (folder === undefined) continue;
    for (const name of namesIn(source)) found.set(folder + name, [...(found.get(folder + name) ?? []), source.path]);
  }
  exporters.set(tree, found);
  return found;
}

const onceExported: Rule = {
  name: "one file of a package exports a name",
  applies: (path) => isCode(path) && packageOf(path) !== undefined,
  find: (source, tree) =>
    [...namesIn(source)].flatMap((name) => {
      const others = exportersIn(tree).get((packageOf(source.path) ?? "") + name) ?? [];
      return others[0] === source.path ? [] : [{ line: 1, message: `${name}: ${others[0]} exports this name too` }];
    }),
  offending: {
    "packages/service/src/store/seal.ts": "export function keyOf() {}",
    "packages/service/src/http/auth.ts": "export const keyOf = 1;",
  },
  clean: {
    "packages/service/src/store/seal.ts": "export function asKey() {}",
    "packages/contract/src/auth.ts": "export const asKey = 1;",
  },
};

export const nameRules: readonly Rule[] = [noDrawers, kebabCase, onceExported];
