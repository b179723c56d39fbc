import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const root = resolve(import.meta.dirname, "..");
const worker = join(root, "tools/test-worker.ts");

/** A file that takes longer hangs, for example on a condition that never becomes true. */
const fileTimeoutMs = 5 * 60_000;
/** A run in which no test ends for longer hangs, for example on an endless loop, or a leaked pool after the last test. */
const silenceMaxMs = fileTimeoutMs + 60_000;

/** Number of slowest files to list at the end of a run. */
const slowestMax = 12;

const spawns = "starts processes of the service, which are ended with the test process";
const once = "its setup is a module that two files import, and each needs its own";
const replaces = "replaces a method of the database client for the whole process";
/** Files that have a process of their own, and why. The other files share processes. */
const alone: Readonly<Record<string, string>> = {
  "account-sign-in-answers": replaces,
  "account-sign-in-limits": once,
  "config-production": spawns,
  "dashboard-deliveries": once,
  "dashboard-webhooks": once,
  embedded: spawns,
  kill: spawns,
  "listen-command": spawns,
  "names-approval": spawns,
  operations: spawns,
  plans: replaces,
  process: spawns,
  processes: spawns,
  "production-start": spawns,
  "prove-database": spawns,
  "prove-leaks": spawns,
  rotation: spawns,
};

/** The files that take longest are claimed first, so that no worker begins one when the others have finished. */
const slowFirst = [
  "kill",
  "bad-input",
  "browser-dashboard-tour",
  "browser-sdk-look",
  "browser-look",
  "browser-failures",
];

const nameOf = (file: string) => basename(file, ".test.ts");
const isAlone = (file: string) => Object.hasOwn(alone, nameOf(file));
const rankOf = (file: string) =>
  slowFirst.includes(nameOf(file)) ? slowFirst.indexOf(nameOf(file)) : slowFirst.length;
const slowestFirst = (a: string, b: string) => rankOf(a) - rankOf(b);

export type Counts = { passed: number; failed: number; skipped: number };
type Options = { signal?: AbortSignal; namePatterns?: string[]; alone?: true };

/** Test files, relative to the root. With filters, only files whose path contains one of the filters. */
export function testFiles(filters: readonly string[] = []): string[] {
  const files = globSync(["packages/*/src/test/**/*.test.ts", "tools/*.test.ts"], { cwd: root });
  const paths = files.map((path) => path.replaceAll("\\", "/")).sort();
  return filters.length === 0 ? paths : paths.filter((path) => filters.some((filter) => path.includes(filter)));
}

/**
 * Runs test files in as many worker processes as fit on this machine, reports to the terminal and counts results. With
 * name patterns, each file has its own process. `alone`: one file at a time, without a timeout.
 */
export async function runTests(files: readonly string[], options: Options = {}): Promise<Counts> {
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const isSplit = options.alone === true || options.namePatterns !== undefined;
  const own = files.filter((file) => isSplit || isAlone(file)).sort(slowestFirst);
  const shared = files.filter((file) => !own.includes(file)).sort(slowestFirst);
  // At least three processes run at once, because a test mostly waits for its browser, its disk and its processes.
  const concurrency = options.alone ? 1 : Math.min(4, Math.max(3, availableParallelism()));
  const [firstWorker = [], ...workers] = Array.from({ length: Math.min(concurrency, shared.length) }, () => [worker]);
  const [first = [], ...others] = own.map((file) => [resolve(root, file)]);
  const claims = mkdtempSync(join(tmpdir(), "countersign-claims-"));
  writeFileSync(join(claims, "files.json"), JSON.stringify(shared));
  const silence = new AbortController();
  const tests = run({
    // All workers but one begin at once, beside the files with processes of their own.
    files: [...first, ...workers.flat(), ...others.flat(), ...firstWorker],
    concurrency,
    timeout: Number.POSITIVE_INFINITY,
    testNamePatterns: options.namePatterns,
    signal: options.signal === undefined ? silence.signal : AbortSignal.any([silence.signal, options.signal]),
    env: isSplit ? process.env : { ...process.env, TEST_CLAIMS: claims, TEST_FILE_TIMEOUT: String(fileTimeoutMs) },
  });
  if (options.alone === undefined) stopWhenSilent(tests, silence);
  const results = collect(tests, shared);
  for await (const text of tests.compose(spec)) process.stdout.write(text);
  rmSync(claims, { recursive: true });
  return report(results, shared);
}

type TestsStream = ReturnType<typeof run>;
type Results = { counts: Counts; seconds: Map<string, number> };

function collect(tests: TestsStream, shared: readonly string[]): Results {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const seconds = new Map<string, number>();
  const isFile = ({ name, nesting }: { name: string; nesting: number }) => nesting === 0 && shared.includes(name);
  tests.on("test:pass", (test) => {
    if (isFile(test)) seconds.set(test.name, test.details.duration_ms / 1_000);
    else if (test.skip !== undefined || test.todo !== undefined) counts.skipped += 1;
    else counts.passed += 1;
  });
  tests.on("test:fail", (test) => {
    if (isFile(test)) seconds.set(test.name, test.details.duration_ms / 1_000);
    // A file also fails if it does not load, or if its process does not end well.
    counts.failed += 1;
  });
  tests.on("test:summary", ({ file, duration_ms }) => {
    if (file !== undefined && file !== worker) seconds.set(relative(root, file), duration_ms / 1_000);
  });
  return { counts, seconds };
}

function report({ counts, seconds }: Results, shared: readonly string[]): Counts {
  if (seconds.size > slowestMax) {
    const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, slowestMax);
    process.stdout.write(
      `\nThe slowest:\n${slowest.map(([file, s]) => `${s.toFixed(0).padStart(5)} s  ${file}\n`).join("")}`,
    );
  }
  // The process of these files crashed, or was stopped.
  const unfinished = shared.filter((file) => !seconds.has(file));
  for (const file of unfinished) process.stdout.write(`✖ did not finish: ${file}\n`);
  return { ...counts, failed: counts.failed + unfinished.length };
}

function stopWhenSilent(tests: TestsStream, silence: AbortController): void {
  const timer = setTimeout(() => silence.abort(), silenceMaxMs).unref();
  tests.on("test:complete", () => timer.refresh());
}

/** A run passes if at least one test ran, none failed and none was skipped. */
export function isGreen({ passed, failed, skipped }: Counts): boolean {
  return passed > 0 && failed === 0 && skipped === 0;
}
