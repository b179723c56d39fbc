import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const root = resolve(import.meta.dirname, "..");

/** A file that takes longer hangs: on a leaked pool, a worker, or a condition that never comes true. */
const fileTimeoutMs = 5 * 60_000;

/** So many of the slowest files are named when all of them have run. */
const slowestMax = 12;

export type Counts = { passed: number; failed: number; skipped: number };

/** Test files, relative to the root; with filters, those whose path holds one of them. */
export function testFiles(filters: readonly string[] = []): string[] {
  const files = globSync(["packages/*/src/test/**/*.test.ts", "tools/*.test.ts"], { cwd: root });
  const paths = files.map((path) => path.replaceAll("\\", "/")).sort();
  return filters.length === 0 ? paths : paths.filter((path) => filters.some((filter) => path.includes(filter)));
}

/** Runs test files, each in a process of its own, reports to the terminal and counts; `alone`: one at a time, however long. */
export async function runTests(
  files: readonly string[],
  options: { signal?: AbortSignal; namePatterns?: string[]; alone?: true } = {},
): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0) return counts;
  const tests = run({
    files: files.map((file) => resolve(root, file)),
    // One more than two cores: a file waits for its browser, its disk and its processes more than it computes.
    concurrency: options.alone ? 1 : Math.min(4, Math.max(3, availableParallelism())),
    timeout: options.alone ? Number.POSITIVE_INFINITY : fileTimeoutMs,
    testNamePatterns: options.namePatterns,
    signal: options.signal,
  });
  const taken: [file: string, seconds: number][] = [];
  tests.on("test:summary", (summary) => {
    if (summary.file !== undefined) {
      taken.push([relative(root, summary.file), summary.duration_ms / 1_000]);
      return; // one file's; the sum of all comes last
    }
    const { passed, skipped, todo, tests: all } = summary.counts;
    counts.passed = passed;
    counts.skipped = skipped + todo;
    counts.failed = all - passed - skipped - todo;
    // A file that does not load counts as no test.
    if (!summary.success) counts.failed = Math.max(1, counts.failed);
  });
  for await (const text of tests.compose(spec)) process.stdout.write(text);
  if (taken.length > slowestMax) {
    const slowest = taken.toSorted(([, a], [, b]) => b - a).slice(0, slowestMax);
    process.stdout.write(
      `\nThe slowest:\n${slowest.map(([file, s]) => `${s.toFixed(0).padStart(5)} s  ${file}\n`).join("")}`,
    );
  }
  return counts;
}

/** The run passes when something ran and nothing failed or was left out. */
export function isGreen({ passed, failed, skipped }: Counts): boolean {
  return passed > 0 && failed === 0 && skipped === 0;
}
