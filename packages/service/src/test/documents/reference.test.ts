/** Checks the reference pages that are written by hand against the code. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { reasonCodes } from "@countersign/contract/reason-codes";
import { productionCaps, sandboxCaps } from "../../providers/caps.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
const headingsOf = (text: string) => [...text.matchAll(/^### (\S+)$/gm)].map(([, name = ""]) => name).sort();

test("the settings page has each variable that the service reads, and no other", () => {
  const code = globSync("packages/service/src/config/*.ts", { cwd: root }).map(read).join("\n");
  const named = [...code.matchAll(/"([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*)"/g)].map(([, name = ""]) => name);
  const own = new Set(
    named.filter((name) => name.includes("_") || ["HOST", "DEMO", "ROLES", "HA", "PROCESSES"].includes(name)),
  );
  // Names of regions and of CAMARA's parts, which the code puts together.
  const parts = ["AUTHORIZE_URL", "TOKEN_URL", "API_URL", "REDIRECT_URL", "PRIVATE_KEY", "CLIENT_SECRET"];
  const expected = [...own].filter((name) => !parts.includes(name) && !name.endsWith("_FILE"));
  assert.deepEqual(headingsOf(read("docs/reference/settings.md")), expected.sort());
});

test("every reason code that the code names is in the catalogue, and every one has a sentence", () => {
  const files = globSync("packages/{service,contract}/src/**/*.ts", { cwd: root, exclude: (name) => name === "test" });
  const used = new Set(files.flatMap((path) => read(path).match(/\bOCR\d{5}\b/g) ?? []));
  assert.ok(used.size > 20);
  assert.deepEqual(
    [...used].filter((code) => !reasonCodes.has(code)),
    [],
  );
  for (const [code, { meaning }] of reasonCodes) assert.match(meaning, /^[A-Z].{10,}\.$/, code);
});

test("the limits page has the limits of the code", () => {
  const page = read("docs/reference/limits.md");
  const number = (value: number) => value.toLocaleString("en-US");
  const rows: [string, number | undefined, number | undefined][] = [
    ["texts to one phone, per hour", productionCaps.textsToPhone[0]?.max, sandboxCaps.textsToPhone[0]?.max],
    ["texts to a block of a thousand numbers, per hour", productionCaps.textsToBlock.max, sandboxCaps.textsToBlock.max],
    ["texts of one brand, per hour", productionCaps.textsOfBrand.max, sandboxCaps.textsOfBrand.max],
    ["texts of all brands, per hour", productionCaps.textsInAll.max, sandboxCaps.textsInAll.max],
    ["wrong codes of one phone, per hour", productionCaps.wrongCodesOfPhone.max, sandboxCaps.wrongCodesOfPhone.max],
  ];
  for (const [what, production = 0, sandbox = 0] of rows)
    assert.ok(page.includes(`| ${what} | ${number(production)} | ${number(sandbox)} |`), what);
});
