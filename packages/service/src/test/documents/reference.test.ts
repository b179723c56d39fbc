/** Checks the reference pages that are written by hand against the code. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { approvals } from "@countersign/contract/brand";
import { catalog } from "@countersign/contract/errors";
import { reasonCodes } from "@countersign/contract/reason-codes";
import { productionCaps, sandboxCaps } from "../../providers/caps.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
const headingsOf = (text: string) => [...text.matchAll(/^### (\S+)$/gm)].map(([, name = ""]) => name).sort();

/** The variables that the service reads, apart from the parts of names that the code puts together. */
function variables(): string[] {
  const code = globSync("packages/service/src/config/*.ts", { cwd: root }).map(read).join("\n");
  const named = [...code.matchAll(/"([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*)"/g)].map(([, name = ""]) => name);
  const own = new Set(
    named.filter((name) => name.includes("_") || ["HOST", "DEMO", "ROLES", "HA", "PROCESSES"].includes(name)),
  );
  // Names of regions and of CAMARA's parts, which the code puts together.
  const parts = ["AUTHORIZE_URL", "TOKEN_URL", "API_URL", "REDIRECT_URL", "PRIVATE_KEY", "CLIENT_SECRET"];
  return [...own].filter((name) => !parts.includes(name) && !name.endsWith("_FILE")).sort();
}

test("the settings page has each variable that the service reads, and no other", () => {
  assert.deepEqual(headingsOf(read("docs/reference/settings.md")), variables());
});

test("the page about production names each variable, alone or by the vendor's prefix, and each approval", () => {
  const page = read("docs/guides/production.md");
  const named = [...page.matchAll(/`([A-Z][A-Z0-9_]+)(…)?`/g)].map(([, name = "", more]) => ({ name, more }));
  const isNamed = (one: string) =>
    named.some(({ name, more }) => one === name || (more !== undefined && one.startsWith(name)));
  const onlyAtHome = ["DATA_DIR"];
  assert.deepEqual(
    variables().filter((one) => !isNamed(one) && !onlyAtHome.includes(one)),
    [],
  );
  const [table = ""] = (page.split("### Approvals")[1] ?? "").split("Grant `barePhone`");
  const listed = [...table.matchAll(/^\| `([a-zA-Z]+)`(?:, `([a-zA-Z]+)`)? \|/gm)];
  assert.deepEqual(
    listed.flatMap(([, one, other]) => [one, other].filter((name) => name !== undefined)).sort(),
    [...approvals].sort(),
  );
});

test("step 6 of the API guide has each code of the guide to errors that a signup by the API meets", () => {
  const codes = (text: string) => new Set(text.match(/\b(?:OCE|OCV|SKE|ERR)\d{3}\b/g));
  const errors = read("docs/guides/errors.md");
  const [, tables = ""] = /^## The errors of a signup$(.*?)^## Invalid requests$/ms.exec(errors) ?? [];
  // Of brands with another integration type: Semi-Hosted and SDK.
  const others = new Set(["OCE008", "OCE009", "OCE014", "OCE018", "OCE020", "SKE001", "SKE002"]);
  const [, step = ""] = /^## 6\.(.*?)^## /ms.exec(read("docs/guides/signup-api.md")) ?? [];
  const met = [...codes(tables.replace(/^[^|].*$/gm, ""))].filter((code) => !others.has(code));
  assert.ok(met.length > 15, met.join());
  assert.deepEqual([...codes(step)].sort(), met.sort());
});

test("the guide to errors lists every error of a verification, and the reference lists every error", () => {
  const guide = read("docs/guides/errors.md");
  const reference = read("docs/reference/errors.md");
  const codes = Object.keys(catalog);
  assert.ok(codes.length > 30);
  for (const code of codes) assert.ok(reference.includes(`### ${code}\n`), code);
  for (const code of codes.filter((one) => one.startsWith("OCV"))) assert.ok(guide.includes(code), code);
});

test("the pages, the package and the installer agree on the versions of Node", () => {
  assert.equal(JSON.parse(read("package.json")).engines.node, "^20.19.0 || >=22.12.0");
  const [, rule = ""] = /const canInstall = (.*);\n/.exec(read("tools/bootstrap.mjs")) ?? [];
  assert.equal(rule, "(major, minor) => (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22");
  const pages = globSync(
    ["*.md", "docs/{start,how,guides,quickstarts,operate}/**/*.md", "{examples,packages}/*/README.md"],
    {
      cwd: root,
    },
  );
  const said = pages.flatMap((path) =>
    [...read(path).matchAll(/Node(?:\.js)? 2\d[^:|;(]{0,24}/g)].map(
      ([text]) => `${path}: ${text.replace(/\s+/g, " ")}`,
    ),
  );
  assert.ok(said.length > 5);
  for (const one of said)
    assert.match(one, /: Node 20\.19, or 22\.12 and newer|^packages\/sdk\/README\.md: Node 20 and newer, Deno/);
});

test("every reason code that the code names is in the catalog, and every one has a sentence", () => {
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
    ["wrong codes of one brand, per hour", productionCaps.wrongCodesOfBrand.max, sandboxCaps.wrongCodesOfBrand.max],
    [
      "lookups at the identity source that a person causes for one phone, per hour, on one brand's pages or on their own page",
      productionCaps.questionsAboutPhone.max,
      sandboxCaps.questionsAboutPhone.max,
    ],
    [
      "authorization requests at the OpenID Provider from one IP address, per hour",
      productionCaps.authorizations.fromAddress.max,
      sandboxCaps.authorizations.fromAddress.max,
    ],
  ];
  for (const [what, production = 0, sandbox = 0] of rows)
    assert.ok(page.includes(`| ${what} | ${number(production)} | ${number(sandbox)} |`), what);
});
