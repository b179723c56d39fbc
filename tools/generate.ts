import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorsMarkdown } from "./errors-doc.ts";
import { openapiDocuments } from "./openapi.ts";
import { testPeopleMarkdown } from "./test-people.ts";

/** The project's root. */
export const root = resolve(import.meta.dirname, "..");

/** Every generated file: what it is made by, and where it goes. A new one is a new entry. */
const generators: (() => Promise<Record<string, string>> | Record<string, string>)[] = [
  () => ({ "docs/errors.md": errorsMarkdown() }),
  () => ({ "docs/test-people.md": testPeopleMarkdown() }),
  openapiDocuments,
];

/** Repository path → what should stand there. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const made = await Promise.all(generators.map((generate) => generate()));
  return Object.assign({}, ...made);
}

/** Repository paths whose file is missing or says something else. */
export async function staleFiles(): Promise<string[]> {
  const files = Object.entries(await generatedFiles());
  return files.filter(([path, text]) => readIfThere(path) !== text).map(([path]) => path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(resolve(root, path), "utf8");
  } catch {
    return undefined;
  }
}

async function writeStaleFiles(): Promise<string[]> {
  const files = await generatedFiles();
  const stale = await staleFiles();
  for (const path of stale) {
    mkdirSync(dirname(resolve(root, path)), { recursive: true });
    writeFileSync(resolve(root, path), files[path] ?? "");
  }
  return stale;
}

if (import.meta.main) {
  const check = process.argv.includes("--check");
  const stale = check ? await staleFiles() : await writeStaleFiles();
  for (const path of stale) process.stdout.write(`${check ? "stale" : "written"}: ${path}\n`);
  if (stale.length === 0) process.stdout.write("Every generated file is up to date.\n");
  else if (check) process.exitCode = 1;
}
