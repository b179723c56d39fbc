/** Checks that each test that `docs/security.md` names exists under exactly that name. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";

const root = resolve(import.meta.dirname, "../../../../..");
const text = readFileSync(join(root, "docs/security.md"), "utf8");
const casesMax = 72;

/** The rows of the table of cases: the number, and the tests that show what must happen. */
const rows = text
  .split("\n")
  .map((line) => /^\| (\d+) \| (.+) \| (.+) \|$/.exec(line))
  .flatMap((found) => (found === null ? [] : [{ number: Number(found[1]), tests: (found[3] ?? "").split("<br>") }]));

/** A test file and names of its tests: `caps.test.ts`: "one", "another". */
const reference = /`([\w./-]+\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g;
const references = [...text.matchAll(reference)].flatMap(([, file = "", names = ""]) =>
  [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
);

/** A test file is named without its folder, which is unique. A package's name may stand before it. */
function pathOf(file: string): string {
  if (file.startsWith("tools/")) return join(root, file);
  const [first = "", ...rest] = file.split("/");
  const [owner, path] = ["contract", "sdk", "web"].includes(first) ? [first, rest.join("/")] : ["*", file];
  const [found = `${file} is in no folder of tests`] = globSync(`packages/${owner}/src/test/**/${path}`, { cwd: root });
  return join(root, found);
}

/** Returns the test names of a file as written. Templates keep their placeholders. */
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

/** ASVS 5.0.0: the numbers of the requirements of levels 1 and 2, one line per chapter. Level 3 is left out. */
const standard = [
  "1.1-2 2.1-9 3.1-11 4.1-3 5.1-2",
  "1.1-3 2.1-3 3.1-4 4.1",
  "2.1-2 3.1-4 4.1-6 5.1-5 7.1-2",
  "1.1-3 2.1 3.1-2 4.1-4",
  "1.1 2.1-3 3.1-2 4.1-3",
  "1.1-3 2.1-12 3.1-4 4.1-4 5.1-5 6.1-3 8.1-4",
  "1.1-3 2.1-4 3.1-2 4.1-5 5.1-2 6.1-2",
  "1.1-2 2.1-3 3.1 4.1",
  "1.1-3 2.1-4",
  "1.1-2 2.1-2 3.1-4 4.1-11 5.1-5 6.1-2 7.1-3",
  "1.1-2 2.1-3 3.1-3 4.1-4 5.1 6.1",
  "1.1-3 2.1-2 3.1-4",
  "1.1 2.1-5 3.1-2 4.1-5",
  "1.1-2 2.1-4 3.1-3",
  "1.1-3 2.1-3 3.1-7",
  "1.1 2.1-5 3.1-4 4.1-3 5.1-3",
  "1.1 2.1-4 3.1-2",
].flatMap((chapter, index) =>
  chapter.split(" ").flatMap((part) => {
    const [section = "", first = "", last = first] = part.split(/[.-]/);
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, at) => `${index + 1}.${section}.${Number(first) + at}`);
  }),
);

const states = ["met", "operator", "does not apply", "not met"] as const;
const requirement = new RegExp(`^\\| (\\d[\\d.,– ]*) .*\\| (${states.join("|")}) \\| (.+) \\|$`);
const asvs = text.slice(text.indexOf("## OWASP ASVS")).split("\n");
const answers = asvs
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, numbers = "", state = "", shown = ""] = requirement.exec(line) ?? assert.fail(line);
    return { numbers: numbers.split(", ").flatMap(expanded), state, shown };
  });

/** Expands `1.2.3`, `1.2.3–1.2.5`, a section or a chapter to the numbers of its requirements. */
function expanded(what: string): string[] {
  const [first = "", last] = what.trim().split("–");
  if (last !== undefined) return standard.slice(standard.indexOf(first), standard.indexOf(last) + 1);
  return first.split(".").length === 3 ? [first] : standard.filter((one) => one.startsWith(`${first}.`));
}

test("every requirement of ASVS 5.0.0 of levels 1 and 2 is answered once, under its number, and counted by its state", () => {
  const answered = answers.flatMap(({ numbers }) => numbers);
  assert.equal(standard.length, 253);
  assert.deepEqual([...answered].sort(), [...standard].sort());
  const counted = states.map((state) =>
    answers.filter((one) => one.state === state).reduce((sum, { numbers }) => sum + numbers.length, 0),
  );
  assert.ok(
    asvs.includes(`| Requirements | ${[...counted, standard.length].join(" | ")} |`),
    `the table says otherwise: ${counted}`,
  );
});

test("what is met names what shows it: a test, a file, or a page that is there", () => {
  const anchors = new Set(
    [...text.matchAll(/^##+ (.+)$/gm)].map(
      ([, title = ""]) =>
        `#${title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-")}`,
    ),
  );
  for (const { numbers, state, shown } of answers) {
    const pages = [...shown.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    for (const page of pages) {
      const [path = ""] = page.split("#");
      assert.ok(path === "" ? anchors.has(page) : existsSync(resolve(root, "docs", path)), page);
    }
    if (state === "met") assert.ok(pages.length > 0 || /`[\w./-]+`/.test(shown), numbers.join());
  }
});
