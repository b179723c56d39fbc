/** `docs/security.md` says what is tested: what it names is there, under that very name. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";

const root = resolve(import.meta.dirname, "../../../..");
const text = readFileSync(join(root, "docs/security.md"), "utf8");
const casesMax = 72;

/** The rows of the table of cases: the number, what must happen, and what shows it. */
const rows = text
  .split("\n")
  .map((line) => /^\| (\d+) \| (.+) \| (.+) \|$/.exec(line))
  .flatMap((found) => (found === null ? [] : [{ number: Number(found[1]), tests: (found[3] ?? "").split("<br>") }]));

/** A file of tests, and names of tests in it: `caps.test.ts`: "one", "another". */
const reference = /`([\w./-]+\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g;
const references = [...text.matchAll(reference)].flatMap(([, file = "", names = ""]) =>
  [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
);

/** Files stand beside this one, or are named with their package. */
function pathOf(file: string): string {
  const [first = "", ...rest] = file.split("/");
  if (first === "tools") return join(root, file);
  if (["contract", "sdk", "web"].includes(first)) return join(root, "packages", first, "src/test", ...rest);
  return join(import.meta.dirname, file);
}

/** Names of a file's tests as they are written; in a template the places of its values stand as they do in the code. */
function namesIn(file: string): Set<string> {
  const code = readFileSync(pathOf(file), "utf8");
  const found = code.matchAll(/\btest\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g);
  return new Set([...found].map(([, plain, template]) => template ?? JSON.parse(`"${plain}"`)));
}

test("every case from 1 to 72 stands in the table exactly once, in its order", () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: casesMax }, (_, index) => index + 1),
  );
});

test("every test that is named exists, with that very name, in that very file", () => {
  assert.ok(references.length > casesMax, `${references.length} references`);
  const known = new Map([...new Set(references.map(({ file }) => file))].map((file) => [file, namesIn(file)]));
  const missing = references.filter(({ file, name }) => known.get(file)?.has(name) !== true);
  assert.deepEqual(missing, []);
});

test("every file of tests that is named exists", () => {
  const files = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  assert.deepEqual(
    files.filter((file) => !existsSync(pathOf(file))),
    [],
  );
});

test("every row names a test or says why none applies", () => {
  const whole = new RegExp(`^${reference.source}$`);
  const bare = rows.filter(({ tests }) => !tests.some((one) => whole.test(one) || /^Does not apply: /.test(one)));
  assert.deepEqual(bare, []);
  const others = rows.flatMap(({ number, tests }) =>
    tests.filter((one) => !whole.test(one) && !/^(Does not apply|Besides): /.test(one)).map((one) => [number, one]),
  );
  assert.deepEqual(others, []);
  assert.doesNotMatch(text, /uncovered/i);
});
