import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const root = resolve(import.meta.dirname, "..");

/** Timeout of a test in milliseconds. A longer test hangs, such as on a condition that never becomes true. */
const testTimeoutMs = 5 * 60_000;

/** Number of slowest files to list at the end of a run. */
const slowestMax = 12;

export type Counts = { passed: number; failed: number; skipped: number };

/** Test files, relative to the root. With filters, only files whose path contains one of the filters. */
export function testFiles(filters: readonly string[] = []): string[] {
  const files = globSync(["packages/*/src/test/**/*.test.ts", "tools/*.test.ts"], { cwd: root });
  const paths = files.map((path) => path.replaceAll("\\", "/")).sort();
  return filters.length === 0 ? paths : paths.filter((path) => filters.some((filter) => path.includes(filter)));
}

/**
 * Runs each test file in its own process, reports to the terminal and counts results. `alone`: one file at a time,
 * without a timeout.
 */
export async function runTests(
  files: readonly string[],
  options: { signal?: AbortSignal; namePatterns?: string[]; alone?: true } = {},
): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0) return counts;
  const tests = run({
    files: spread(files).map((file) => resolve(root, file)),
    // At least three files at once, because tests mostly wait for browsers, disks and processes.
    concurrency: options.alone ? 1 : Math.min(4, Math.max(3, availableParallelism())),
    timeout: options.alone ? Number.POSITIVE_INFINITY : testTimeoutMs,
    testNamePatterns: options.namePatterns,
    signal: options.signal,
  });
  let withoutTests = 0;
  const taken: [file: string, seconds: number][] = [];
  tests.on("test:summary", (summary) => {
    if (summary.file !== undefined) {
      taken.push([relative(root, summary.file), summary.duration_ms / 1_000]);
      // node:test counts a file without a matching test as one passed test.
      if (summary.success && summary.counts.tests === 0) withoutTests += 1;
      return; // one file's summary; the summary of all files comes last
    }
    const { passed, skipped, todo, tests: all } = summary.counts;
    counts.passed = passed - withoutTests;
    counts.skipped = skipped + todo;
    counts.failed = all - passed - skipped - todo;
    // A file that fails to load counts as one failed test.
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

/** Alternates files that need a browser with others, because concurrent browsers slow each other down. */
function spread(files: readonly string[]): string[] {
  const isBrowser = (file: string) => file.includes("/browser-");
  const browsers = files.filter(isBrowser);
  const others = files.filter((file) => !isBrowser(file));
  const step = Math.max(1, Math.floor(others.length / (browsers.length + 1)));
  return [...others.flatMap((file, at) => (at % step === 0 ? [...browsers.splice(0, 1), file] : [file])), ...browsers];
}

/** A run passes if at least one test ran, none failed and none was skipped. */
export function isGreen({ passed, failed, skipped }: Counts): boolean {
  return passed > 0 && failed === 0 && skipped === 0;
}
