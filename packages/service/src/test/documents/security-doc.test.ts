/** Checks that each test that `docs/operate/security.md` names exists under exactly that name. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";

const root = resolve(import.meta.dirname, "../../../../..");
const text = readFileSync(join(root, "docs/operate/security.md"), "utf8");
const casesMax = 73;

/** The rows of the table of cases: each has a number and the tests that cover it. */
const rows = text
  .split("\n")
  .map((line) => /^\| (\d+) \| (.+) \| (.+) \|$/.exec(line))
  .flatMap((found) => (found === null ? [] : [{ number: Number(found[1]), tests: (found[3] ?? "").split("<br>") }]));

/** A test file and names of its tests: `caps.test.ts`: "one", "another". */
const reference = /`([\w./-]+\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g;
const references = [...text.matchAll(reference)].flatMap(([, file = "", names = ""]) =>
  [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
);

/** The document names a test file without its folder, or with its package. File names are unique. */
function pathOf(file: string): string {
  if (file.startsWith("tools/")) return join(root, file);
  const [first = "", ...rest] = file.split("/");
  const [owner, path] = ["contract", "sdk", "web"].includes(first) ? [first, rest.join("/")] : ["*", file];
  const [found = `${file} is in no test folder`] = globSync(`packages/${owner}/src/test/**/${path}`, { cwd: root });
  return join(root, found);
}

/** Returns the test names of a file as written. Templates keep their placeholders. */
function namesIn(file: string): Set<string> {
  const code = readFileSync(pathOf(file), "utf8");
  const found = code.matchAll(/\btest\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g);
  return new Set([...found].map(([, plain, template]) => template ?? JSON.parse(`"${plain}"`)));
}

test("the table lists every case from 1 to 73 exactly once, in order", () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: casesMax }, (_, index) => index + 1),
  );
});

test("every test that the document names exists in its file under exactly that name", () => {
  assert.ok(references.length > casesMax, `${references.length} references`);
  const known = new Map([...new Set(references.map(({ file }) => file))].map((file) => [file, namesIn(file)]));
  const missing = references.filter(({ file, name }) => known.get(file)?.has(name) !== true);
  assert.deepEqual(missing, []);
});

test("every test file that the document names exists", () => {
  const files = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  assert.deepEqual(
    files.filter((file) => !existsSync(pathOf(file))),
    [],
  );
});

test("every row names a test or says why the case does not apply", () => {
  const whole = new RegExp(`^${reference.source}$`);
  const bare = rows.filter(({ tests }) => !tests.some((one) => whole.test(one) || /^Does not apply: /.test(one)));
  assert.deepEqual(bare, []);
  const others = rows.flatMap(({ number, tests }) =>
    tests.filter((one) => !whole.test(one) && !/^(Does not apply|Note): /.test(one)).map((one) => [number, one]),
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

test("every ASVS 5.0.0 requirement of levels 1 and 2 is answered once, and the counts by state are right", () => {
  const answered = answers.flatMap(({ numbers }) => numbers);
  assert.equal(standard.length, 253);
  assert.deepEqual([...answered].sort(), [...standard].sort());
  const counted = states.map((state) =>
    answers.filter((one) => one.state === state).reduce((sum, { numbers }) => sum + numbers.length, 0),
  );
  assert.ok(
    asvs.includes(`| Requirements | ${[...counted, standard.length].join(" | ")} |`),
    `the table has other counts than ${counted}`,
  );
});

test("every requirement that is met names a test, a file or a page, and every page exists", () => {
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
      assert.ok(path === "" ? anchors.has(page) : existsSync(resolve(root, "docs/operate", path)), page);
    }
    if (state === "met") assert.ok(pages.length > 0 || /`[\w./-]+`/.test(shown), numbers.join());
  }
});

const vendors = "texts, carrier, clearinghouse, identity and risk sources";
/** The files that call other servers, each with its row of the table. */
const callers = new Map([
  ["compose/audit-stream.ts", "receiver of the audit log"],
  ["providers/camara/carrier.ts", vendors],
  ["providers/identity-http/conformance.ts", vendors],
  ["providers/identity-http/identity.ts", vendors],
  ["providers/openid/openid.ts", "OpenID provider"],
  ["providers/outbound.ts", "brands' webhook receivers, v1 push"],
  ["providers/risk-http/conformance.ts", vendors],
  ["providers/risk-http/risk.ts", vendors],
  ["providers/sms-gateway/sms.ts", vendors],
  ["providers/status-lists.ts", "status lists of state IDs"],
  ["providers/stedi/clearinghouse.ts", vendors],
  ["providers/stedi/payers.ts", vendors],
  ["providers/twilio/sms.ts", vendors],
]);

test("the table of outgoing connections has each place that the service calls by HTTP", () => {
  const src = join(root, "packages/service/src");
  const calls = /\bopenVendor\(|\bimport \{[^}]*\brequest\b[^}]*\} from "undici"|\.dispatch\(/;
  const mechanism = ["providers/vendor.ts", "providers/call.ts"];
  const found = globSync("{compose,domain,http,jobs,providers,store}/**/*.ts", { cwd: src })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !mechanism.includes(path) && calls.test(readFileSync(join(src, path), "utf8")));
  assert.deepEqual(found.sort(), [...callers.keys()]);
  const [, table = ""] = /^## Outgoing connections$([\s\S]*?)^## /m.exec(text) ?? [];
  for (const row of new Set(callers.values())) assert.ok(table.includes(`| ${row} |`), row);
});
