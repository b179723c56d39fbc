import type { Rule } from "./rule.ts";
import type { Tree } from "./source.ts";

/** Prefixes that the paths of `docs/contribute/open-questions.md` may omit. */
const starts = ["", "packages/", "packages/service/src/"];
const pathText =
  /(?:^|[ |,(`])((?:domain|http|store|jobs|providers|compose|config|commands|contract|web|sdk|tools)\/[\w./-]+\.tsx?)/gm;

function findMissing(text: string, tree: Tree) {
  return text
    .split("\n")
    .flatMap((line, at) =>
      [...line.matchAll(pathText)].flatMap(([, path = ""]) =>
        starts.some((start) => tree.has(start + path)) ? [] : [{ line: at + 1, message: `${path} does not exist` }],
      ),
    );
}

export const documents: Rule = {
  name: "the open questions name files that exist",
  applies: (path) => path === "docs/contribute/open-questions.md",
  find: ({ text }, tree) => findMissing(text, tree),
  offending: { "docs/contribute/open-questions.md": "| a | b | domain/signup/gone.ts |" },
  clean: {
    "docs/contribute/open-questions.md": "| a | b | domain/signup/read.ts |",
    "packages/service/src/domain/signup/read.ts": "",
  },
};

const bareNode = /(?:^|[^\w./-])node (?:--\S+ )*tools\/[\w./-]+\.ts\b/;

export const pinnedNode: Rule = {
  name: "commands of the documents run TypeScript with the Node that the project installs",
  applies: (path) => /^(?:docs|CONTRIBUTING|README)\b.*\.md$/.test(path),
  find: ({ text }) =>
    text
      .split("\n")
      .flatMap((line, at) =>
        bareNode.test(line)
          ? [{ line: at + 1, message: "use node_modules/.bin/node: the reader's Node may not run TypeScript" }]
          : [],
      ),
  offending: { "docs/operate/backup.md": "Run `node tools/prove/restore.ts`." },
  clean: { "docs/operate/backup.md": "Run `node_modules/.bin/node tools/prove/restore.ts`." },
};

const conflictMark = /^(?:<{7}|>{7}) /;

export const unmerged: Rule = {
  name: "no file has the marks of a merge conflict",
  applies: () => true,
  find: ({ text }) =>
    text
      .split("\n")
      .flatMap((line, at) => (conflictMark.test(line) ? [{ line: at + 1, message: "finish the merge" }] : [])),
  offending: { "docs/operate/retention.md": `${"<".repeat(7)} HEAD\n| a |\n` },
  clean: { "docs/operate/retention.md": "| a |\n" },
};
