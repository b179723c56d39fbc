import type { Source, Tree } from "./source.ts";

/** A problem and its line. The message names the fix. */
export type Finding = { line: number; message: string };

/** A rule of the style guide, with examples that it must report and must not report. A test checks the examples. */
export type Rule = {
  name: string;
  applies(path: string): boolean;
  find(source: Source, tree: Tree): Finding[];
  /** Small trees, path → text. The rule must report something in `offending`, and nothing in `clean`. */
  offending: Record<string, string>;
  clean: Record<string, string>;
};

export function isCode(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path);
}

/** Test files, and files that only tests use. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/src\/test\//.test(path);
}

export function isTool(path: string): boolean {
  return path.startsWith("tools/") || path.startsWith("bench/");
}

/** Code that is shipped. */
export function isProduct(path: string): boolean {
  return isCode(path) && /^packages\/[^/]+\/src\//.test(path) && !isTest(path);
}
