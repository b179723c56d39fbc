/**
 * `node tools/prove/mutants.ts [word…]`: puts one mutant at a time into a copy of the tree and runs the tests that
 * should fail. Exits with 1 if a mutant survives unless it is marked as equivalent. A word is an area or part of a
 * file's path. The tree itself is never changed; run `npm run build` before, because tests need its pages.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { prepareTemplate, useServer } from "../../packages/service/src/test/harness/database-template.ts";
import { startTestServer } from "../test-server.ts";
import { allWeakened, problemsOf } from "./mutants/all.ts";
import type { Mutant, Weakened } from "./mutants/mutant.ts";
import { copyTree, placeOf, runTests, type Tree } from "./mutants/tree.ts";
import { say } from "./process.ts";

/** Number of copies of the tree, each with one mutant at a time. */
const treesMax = 2;

const words = process.argv.slice(2);
const chosen = allWeakened.filter(
  ({ area, file }) => words.length === 0 || words.some((word) => area === word || file.includes(word)),
);
const problems = chosen.flatMap(problemsOf);
if (chosen.length === 0) problems.push(`no mutants match ${words.join(" or ")}`);
for (const problem of problems) say(problem);
if (problems.length > 0) process.exit(1);

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interruption.abort());
const server = await startTestServer();
const folder = mkdtempSync(join(tmpdir(), "countersign-mutants-"));
try {
  useServer(server.url);
  await prepareTemplate();
  const trees = Array.from({ length: treesMax }, (_, i) => copyTree(join(folder, String(i)), interruption.signal));
  const isProven = (await isGreenAsItIs(trees, chosen)) && (await isNoticed(trees, chosen));
  process.exitCode = isProven ? 0 : 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs `work` for each item, in all trees concurrently. */
async function inTrees<One>(
  trees: readonly Tree[],
  all: readonly One[],
  work: (tree: Tree, one: One) => Promise<void>,
) {
  const rest = all.values();
  await Promise.all(
    trees.map(async (tree) => {
      for (const one of rest) if (!tree.signal.aborted) await work(tree, one);
    }),
  );
}

/**
 * Runs the tests without mutants. A test that always fails would detect every mutant, and a missing test would detect
 * none.
 */
async function isGreenAsItIs(trees: readonly Tree[], these: readonly Weakened[]): Promise<boolean> {
  const places = these.flatMap(({ mutants }) => mutants.flatMap(({ tests }) => tests.map(placeOf)));
  let isGreen = true;
  await inTrees(trees, [...new Set(places.map(({ file }) => file))], async (tree, file) => {
    const ofFile = places.filter((place) => place.file === file).map(({ name }) => name);
    const names = [...new Set(ofFile.filter((name) => name !== undefined))];
    const { outcome, said } = await runTests(tree, file, ofFile.includes(undefined) ? [] : names);
    const missing = names.filter((name) => !said.split("\n").some((line) => isOf(line, name)));
    if (outcome !== "passed") say(`${file} ${outcome} before anything was changed:\n${said}`);
    else for (const name of missing) say(`${file} has no test "${name}"`);
    isGreen &&= outcome === "passed" && missing.length === 0;
  });
  return isGreen && !interruption.signal.aborted;
}

/**
 * Whether a line of the report is a passed test with this name. Ignores special characters, because reports spell them
 * differently.
 */
function isOf(line: string, name: string): boolean {
  const plain = (text: string) => text.replace(/[^\w ]/g, "");
  return /^ok /.test(line) && plain(line).includes(plain(name));
}

async function isNoticed(trees: readonly Tree[], these: readonly Weakened[]): Promise<boolean> {
  const counts = { killed: 0, equivalent: 0, wrong: 0 };
  const all = these.flatMap(({ file, mutants }) => mutants.map((mutant) => ({ file, mutant })));
  await inTrees(trees, all, async (tree, { file, mutant }) => {
    const { kind, why } = await judged(tree, file, mutant);
    if (tree.signal.aborted) return;
    counts[kind === "killed" || kind === "equivalent" ? kind : "wrong"] += 1;
    say(`${kind.padEnd(12)}${basename(file)}: ${inShort(mutant.from)} → ${inShort(mutant.to)} (${why})`);
  });
  const { killed, equivalent, wrong } = counts;
  say("\n| Made | Killed | Equivalent | Wrong |\n|--:|--:|--:|--:|");
  say(`| ${killed + equivalent + wrong} | ${killed} | ${equivalent} | ${wrong} |`);
  return wrong === 0 && !interruption.signal.aborted;
}

function inShort(text: string): string {
  return text.trim() === "" ? "nothing" : text.replace(/\s+/g, " ").trim().slice(0, 90);
}

type Judged = { kind: "killed" | "equivalent" | "SURVIVED" | "NOTICED" | "BROKEN"; why: string };

async function judged(tree: Tree, file: string, mutant: Mutant): Promise<Judged> {
  const path = join(tree.path, file);
  const text = readFileSync(path, "utf8");
  // A function, because `replace` interprets `$` in a string.
  const to = () => mutant.to;
  writeFileSync(path, text.replace(mutant.from, to));
  try {
    for (const test of mutant.tests) {
      const { file: tests, name } = placeOf(test);
      const { outcome, said } = await runTests(tree, tests, name === undefined ? [] : [name]);
      if (outcome === "broken") return { kind: "BROKEN", why: said };
      if (outcome === "passed") continue;
      const why = outcome === "hung" ? `${test}, which hangs` : test;
      return mutant.survives === undefined
        ? { kind: "killed", why }
        : { kind: "NOTICED", why: `${why}, though ${mutant.survives}` };
    }
  } finally {
    writeFileSync(path, text);
  }
  return mutant.survives === undefined
    ? { kind: "SURVIVED", why: mutant.tests.join(", ") }
    : { kind: "equivalent", why: mutant.survives };
}
