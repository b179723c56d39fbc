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
