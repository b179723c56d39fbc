/** ARCHITECTURE.md lists the steps of a health lookup and the functions of a verification as the code does. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { findPlans } from "../../domain/health/steps.ts";

const page = readFileSync(new URL("../../../../../ARCHITECTURE.md", import.meta.url), "utf8");

/** The rows of the table under a line whose first cell is a function's name: that name, and the files. */
function rowsUnder(heading: string): { name: string; files: string[] }[] {
  const [, section = ""] = page.split(`${heading}\n`);
  const [table = ""] = section.trimStart().split("\n\n");
  return [...table.matchAll(/^\| `(\w+)` \|.*\|(.*)\|$/gm)].map(([, name = "", files = ""]) => ({
    name,
    files: [...files.matchAll(/`([a-z0-9/-]+)`/g)].map(([, file = ""]) => file),
  }));
}

function declares(file: string, name: string): boolean {
  const source = new URL(`../../domain/${file}.ts`, import.meta.url);
  return (
    existsSync(source) &&
    new RegExp(`^(?:export )?(?:async )?function ${name}\\b`, "m").test(readFileSync(source, "utf8"))
  );
}

test("the table of a health lookup lists the steps in their order, each with the file that declares it", () => {
  const rows = rowsUnder("A health lookup passes through these files. Each step of the job may be the last:");
  assert.deepEqual(
    rows.map(({ name }) => name),
    findPlans.names,
  );
  assert.deepEqual(
    rows.filter(({ name, files: [file = ""] }) => !declares(file, name)),
    [],
  );
});

test("the table of a verification by text names functions, each with the file that declares it", () => {
  const rows = rowsUnder(
    "A verification by text passes through these functions. Every text, also one of a page or of a sign-in, passes through `textPhones`:",
  );
  assert.ok(rows.length > 5);
  assert.deepEqual(
    rows.filter(({ name, files: [file = ""] }) => !declares(file, name)),
    [],
  );
});
