/** ARCHITECTURE.md lists the steps of a flow as the code does, and names only files that exist. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
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

test("the tree of ARCHITECTURE.md has every folder of the service, of the pages and of the tools", () => {
  const [, tree = ""] = /^## The tree$[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const cwd = resolve(import.meta.dirname, "../../../../..");
  const folders = globSync(
    ["packages/service/src/*/", "packages/service/src/{domain,http,store}/*/", "packages/web/src/*/", "tools/*/"],
    { cwd, withFileTypes: true },
  ).flatMap((one) => (one.isDirectory() && one.name !== "test" ? [basename(one.name)] : []));
  assert.ok(folders.length > 40);
  assert.deepEqual(
    folders.filter((name) => !new RegExp(`(^|[\\s])${name}/`, "m").test(tree)),
    [],
  );
});
