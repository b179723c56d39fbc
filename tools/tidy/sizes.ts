import { isCode, isTest, type Rule } from "./rule.ts";

const fileLinesMax = 400;
const testLinesMax = 300;
const decisionLinesMax = 40;
const trackedBytesMax = 1024 * 1024;

const lines = (text: string) => text.split("\n").length - 1;
const blank = (count: number) => "\n".repeat(count);

function longerThan(max: number, name: string, applies: (path: string) => boolean, path: string): Rule {
  return {
    name,
    applies,
    find: ({ text }) =>
      lines(text) > max && !text.startsWith("// Generated")
        ? [{ line: max + 1, message: `${lines(text)} lines: split it; the limit is ${max}` }]
        : [],
    offending: { [path]: blank(max + 1) },
    clean: { [path]: blank(max) },
  };
}

const small: Rule = {
  name: "nothing tracked is larger than 1 MB",
  applies: (path) => path !== "package-lock.json",
  find: ({ bytes }) =>
    bytes > trackedBytesMax ? [{ line: 1, message: `${bytes} bytes: generate it, or keep it elsewhere` }] : [],
  offending: { "docs/picture.svg": "x".repeat(trackedBytesMax + 1) },
  clean: { "docs/picture.svg": "x" },
};

const isSource = (path: string) => isCode(path) && !isTest(path);
const isDecision = (path: string) => /^docs\/decisions\/\d{4}-[^/]+\.md$/.test(path);

export const sizeRules: readonly Rule[] = [
  longerThan(fileLinesMax, `files have at most ${fileLinesMax} lines`, isSource, "tools/a.ts"),
  longerThan(testLinesMax, `test files have at most ${testLinesMax} lines`, isTest, "packages/sdk/src/test/a.test.ts"),
  longerThan(
    decisionLinesMax,
    `decisions have at most ${decisionLinesMax} lines`,
    isDecision,
    "docs/decisions/0001-a.md",
  ),
  small,
];
