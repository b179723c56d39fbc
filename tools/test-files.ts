/** The test files, and what their first lines say about how they run. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
/** Words before the colon of a first line. The reason follows the colon. */
const marks = ["alone", "rest", "desktop"] as const;

/** Test files, relative to the root. With filters, only files whose path contains one of the filters. */
export function testFiles(filters: readonly string[] = []): string[] {
  const files = globSync(["packages/*/src/test/**/*.test.ts", "tools/*.test.ts"], { cwd: root });
  const paths = files.map((path) => path.replaceAll("\\", "/")).sort();
  return filters.length === 0 ? paths : paths.filter((path) => filters.some((filter) => path.includes(filter)));
}

/** Whether the file needs a process of its own, which its line `// alone: why` says. */
export const isAlone = (file: string) => marksOf(file).has("alone");
/** Whether only `npm run test:rest` runs the file, which its line `// rest: why` says. */
export const isRest = (file: string) => marksOf(file).has("rest");
/** Whether `npm run test:rest` repeats tests of the file in a desktop's window, which its line `// desktop: why` says. */
export const isRepeatedOnDesktop = (file: string) => marksOf(file).has("desktop");

/** The marks in the first lines of a file, with their reasons. */
export function marksOf(file: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of readFileSync(resolve(root, file), "utf8").split("\n", marks.length)) {
    const [, mark = "", reason = ""] = /^\/\/ (\w+): ?(.*)$/.exec(line) ?? [];
    if (marks.some((one) => one === mark)) found.set(mark, reason);
  }
  return found;
}
