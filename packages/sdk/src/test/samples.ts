/** The code blocks of the documents. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../../..");

/** A code block with the language of its fence, and its document. */
export type Sample = { from: string; language: string; code: string };

/** The code blocks of the READMEs and guides. */
export function samples(): Sample[] {
  const documents = globSync(["README.md", "docs/**/*.md", "packages/*/README.md", "examples/*/README.md"], {
    cwd: root,
    exclude: ["**/node_modules/**"],
  });
  return documents.sort().flatMap((from) => {
    const blocks = readFileSync(resolve(root, from), "utf8").matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm);
    return [...blocks].map(([, language = "", code = ""]) => ({ from, language, code }));
  });
}
