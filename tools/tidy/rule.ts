import type { Source, Tree } from "./source.ts";

/** What is wrong where. The message names the replacement. */
export type Finding = { line: number; message: string };

/** One rule of the style guide, with what it must catch and what it must not: the rules are tested by their own table. */
export type Rule = {
  name: string;
  applies(path: string): boolean;
  find(source: Source, tree: Tree): Finding[];
  /** Small trees, path → text: in `offending` the rule finds something, in `clean` nothing. */
  offending: Record<string, string>;
  clean: Record<string, string>;
};

export function isCode(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path);
}

/** Tests and what serves only them. */
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
