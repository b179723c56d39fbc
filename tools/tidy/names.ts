import { isCode, type Rule } from "./rule.ts";
import type { Source } from "./source.ts";

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

const changelog: Rule = {
  name: "the changelog has a section for unreleased changes",
  applies: (path) => path === "package.json",
  find: (_, tree) =>
    /^## \[?Unreleased\]?\s*$/m.test(tree.get("CHANGELOG.md")?.text ?? "")
      ? []
      : [{ line: 1, message: 'CHANGELOG.md needs a section "## Unreleased"' }],
  offending: { "package.json": "{}", "CHANGELOG.md": "# Changelog\n\n## 1.0.0\n" },
  clean: { "package.json": "{}", "CHANGELOG.md": "# Changelog\n\n## Unreleased\n" },
};

export const nameRules: readonly Rule[] = [noDrawers, kebabCase, changelog];
