/** ARCHITECTURE.md lists the steps of a flow as the code does, and names only files that exist. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { findIdentity } from "../../domain/signup/steps.ts";

const page = readFileSync(new URL("../../../../../ARCHITECTURE.md", import.meta.url), "utf8");

/** The first cells of the rows whose first cell is a function's name, under a heading. */
function stepsUnder(heading: string): string[] {
  const [, section = ""] = page.split(`${heading}\n`);
  const [table = ""] = section.trimStart().split("\n\n");
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
}

test("the table of a 1-Click lists the steps in their order", () => {
  assert.deepEqual(stepsUnder("The table shows `POST /v2/1-click` step by step."), findIdentity.names);
});

test("every file that a table of ARCHITECTURE.md names exists", () => {
  const src = new URL("../../", import.meta.url);
  const rows = page.split("\n").filter((line) => line.startsWith("|"));
  const named = rows.flatMap((row) =>
    [...row.matchAll(/`([a-z0-9-]+(?:\/[a-z0-9-]+)+)`/g)].map(([, name = ""]) => name),
  );
  const missing = named.filter(
    (name) => !["", "domain/"].some((root) => existsSync(new URL(`${root}${name}.ts`, src))),
  );
  assert.ok(named.length > 30);
  assert.deepEqual(missing, []);
});
