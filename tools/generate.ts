import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { brandSettingsMarkdown } from "./brand-settings-doc.ts";
import { browserEndpoints } from "./browser-endpoints.ts";
import { columnTypes } from "./column-types.ts";
import { commandLineMarkdown } from "./command-line-doc.ts";
import { errorsMarkdown } from "./errors-doc.ts";
import { openapiDocuments } from "./openapi.ts";
import { reasonCodesMarkdown } from "./reason-codes-doc.ts";
import { schemaSql } from "./schema-sql.ts";
import { sdkMethodsMarkdown } from "./sdk-methods-doc.ts";
import { sdkTypes } from "./sdk-types.ts";
import { testPeopleMarkdown } from "./test-people.ts";

const root = resolve(import.meta.dirname, "..");

type Generator = () => Promise<Record<string, string>> | Record<string, string>;

/** Generated files and their generators. Add an entry for a new file. */
const fromSources: readonly Generator[] = [
  () => ({ "docs/reference/errors.md": errorsMarkdown() }),
  () => ({ "docs/reference/test-people.md": testPeopleMarkdown() }),
  () => ({ "docs/reference/command-line.md": commandLineMarkdown() }),
  () => ({ "docs/reference/reason-codes.md": reasonCodesMarkdown() }),
  () => ({ "docs/reference/brand-settings.md": brandSettingsMarkdown() }),
  columnTypes,
  openapiDocuments,
  sdkTypes,
  sdkMethodsMarkdown,
  browserEndpoints,
];

/** Generators that need a PostgreSQL server. Tests with a server compare their files (`migrations.test.ts`). */
const fromServer: readonly Generator[] = [async () => ({ "docs/schema.sql": await schemaSql() })];

/** Repository path → expected text. */
async function generatedFiles(generators: readonly Generator[]): Promise<Record<string, string>> {
  const made = await Promise.all(generators.map((generate) => generate()));
  return Object.assign({}, ...made);
}

/** Repository path → new text, for each file that is missing or outdated. */
export async function staleFiles(generators = fromSources): Promise<Record<string, string>> {
  const files = Object.entries(await generatedFiles(generators));
  return Object.fromEntries(files.filter(([path, text]) => readIfThere(path) !== text));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(resolve(root, path), "utf8");
  } catch {
    return undefined;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(resolve(root, path)), { recursive: true });
  writeFileSync(resolve(root, path), text);
}

if (import.meta.main) {
  const check = process.argv.includes("--check");
  const stale = await staleFiles([...fromSources, ...fromServer]);
  for (const [path, text] of Object.entries(stale)) {
    if (!check) write(path, text);
    process.stdout.write(`${check ? "stale" : "written"}: ${path}\n`);
  }
  if (Object.keys(stale).length === 0) process.stdout.write("Every generated file is up to date.\n");
  else if (check) process.exitCode = 1;
}
