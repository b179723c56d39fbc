/** Runs test files in worker processes, reports each file with its cost, and counts the results. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec, type TestEvent } from "node:test/reporters";
import { isAlone } from "./test-files.ts";
import { costOf, isAnyUnclaimed, type Order } from "./test-order.ts";

const root = resolve(import.meta.dirname, "..");
const worker = join(root, "tools/test-worker.ts");
/** What each file cost in the last run. CI keeps it. */
const costsFile = join(root, "artifacts/test-costs.json");

/** A file that takes longer hangs, for example on a condition that never becomes true. */
const fileTimeoutMs = 10 * 60_000;
/** A worker in which no test ends for longer hangs, for example in an endless loop. */
const silenceMaxMs = fileTimeoutMs + 60_000;
const slowestMax = 15;

export type Counts = { passed: number; failed: number; skipped: number };
/**
 * `unbounded`: one file at a time, without a timeout. `names`: prints also the names of the tests that passed.
 * `namePatterns`: runs only the tests with these names.
 */
type Options = { signal?: AbortSignal; namePatterns?: string[] | undefined; unbounded?: true; names?: boolean };
type Result = Counts & { file: string; seconds: number; cpuSeconds: number; residentMb: number };

/** Runs test files in as many processes as fit on this machine, and prints a line for each. */
export async function runTests(files: readonly string[], options: Options = {}): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-order-"));
  try {
    const results = await runInLanes(files, folder, options);
    const missing = files.filter((file) => !results.some((result) => result.file === file));
    for (const file of missing) process.stdout.write(`✖ did not finish: ${file}\n`);
    if (results.length > slowestMax) reportCosts(results);
    const total = (key: keyof Counts) => results.reduce((sum, result) => sum + result[key], 0);
    return { passed: total("passed"), failed: total("failed") + missing.length, skipped: total("skipped") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runInLanes(files: readonly string[], folder: string, options: Options): Promise<Result[]> {
  const isSplit = options.namePatterns !== undefined;
  const [alone, together] = [
    files.filter((file) => isSplit || isAlone(file)),
    files.filter((file) => !isSplit && !isAlone(file)),
  ];
  const timeoutMs = options.unbounded ? null : fileTimeoutMs;
  const toOrder = (of: string[], at: number): Order => ({ folder: join(folder, String(at)), files: of, timeoutMs });
  const shared = toOrder(spread(together), 0);
  const single = alone.map((file, at) => toOrder([file], at + 1));
  for (const order of [shared, ...single]) mkdirSync(order.folder);
  const results: Result[] = [];
  /** One lane begins with the files that are alone, because many of them start processes and servers. */
  const runLane = async (beginsAlone: boolean) => {
    for (;;) {
      const takesShared = isAnyUnclaimed(shared) && !(beginsAlone && single.length > 0);
      const order = takesShared ? shared : single.shift();
      if (order === undefined || options.signal?.aborted === true) return;
      await runOrder(order, options, (result) => results.push(result));
    }
  };
  // At least three processes, because tests mostly wait for browsers, disks and other processes.
  const lanes = options.unbounded ? 1 : Math.min(4, Math.max(3, availableParallelism()));
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane === 0)));
  return results;
}

/** Runs files of the order in one process, and tells the result of each when it ends. */
async function runOrder(order: Order, options: Options, tell: (result: Result) => void): Promise<void> {
  const { namePatterns, signal, names = false } = options;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMaxMs).unref();
  if (order.timeoutMs === null) clearTimeout(timer);
  const tests = run({
    // A name pattern also has to match the test that the worker makes of a file.
    files: namePatterns === undefined ? [worker] : order.files.map((file) => resolve(root, file)),
    testNamePatterns: namePatterns,
    signal: signal === undefined ? silence.signal : AbortSignal.any([silence.signal, signal]),
    env: { ...process.env, TEST_ORDER: JSON.stringify(order) },
    execArgv: ["--expose-gc"],
    timeout: Number.POSITIVE_INFINITY,
  });
  let events: TestEvent[] = [];
  const end = async (file: string, seconds: number) => {
    const counts = countsOf(events, file);
    tell({ file, ...counts, seconds, ...costOf(order, file) });
    process.stdout.write(`${counts.failed === 0 ? "✔" : "✖"} ${file}: ${summary(counts)}, ${seconds.toFixed(1)} s\n`);
    if (names || counts.failed > 0) process.stdout.write(await textOf(events));
    events = [];
  };
  const stream: AsyncIterable<TestEvent> = tests;
  for await (const event of stream) {
    if (order.timeoutMs !== null) timer.refresh();
    if (event.type === "test:stderr" || event.type === "test:stdout") process.stdout.write(event.data.message);
    if (!isPrinted(event)) continue;
    events.push(event);
    if (isEnd(event) && event.data.nesting === 0 && order.files.includes(event.data.name))
      await end(event.data.name, event.data.details.duration_ms / 1_000);
  }
  clearTimeout(timer);
  const [file = ""] = order.files;
  if (namePatterns !== undefined) await end(file, 0);
  // A worker that fails outside its files has crashed, or was stopped.
  else if (events.some(({ type }) => type === "test:fail")) process.stdout.write(await textOf(events));
}

type Printed = Extract<TestEvent, { type: "test:pass" | "test:fail" | "test:start" | "test:diagnostic" }>;
type End = Extract<TestEvent, { type: "test:pass" | "test:fail" }>;

function isPrinted(event: TestEvent): event is Printed {
  return ["test:pass", "test:fail", "test:start", "test:diagnostic"].includes(event.type);
}

function isEnd(event: TestEvent): event is End {
  return event.type === "test:pass" || event.type === "test:fail";
}

/** Counts tests like node:test: neither suites nor the test that the worker makes of the file. */
function countsOf(events: readonly TestEvent[], file: string): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const ends = events.filter(isEnd).filter(({ data }) => data.details.type !== "suite");
  for (const { type, data } of ends.filter(({ data }) => data.nesting > 0 || data.name !== file)) {
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped += 1;
    else if (type === "test:pass") counts.passed += 1;
    else counts.failed += 1;
  }
  // A file can also fail by itself: it does not load, or its cleanup fails.
  if (counts.failed === 0 && ends.some(({ type }) => type === "test:fail")) counts.failed = 1;
  return counts;
}

async function textOf(events: readonly TestEvent[]): Promise<string> {
  let text = "";
  for await (const part of Readable.from(events).compose(spec)) text += String(part);
  return text;
}

function reportCosts(results: readonly Result[]): void {
  const byCost = results.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
  const line = (one: Result) =>
    `${one.cpuSeconds.toFixed(1).padStart(7)} s of CPU ${one.seconds.toFixed(1).padStart(6)} s ${one.residentMb.toFixed(0).padStart(5)} MB  ${one.file}\n`;
  const folders = Map.groupBy(results, ({ file }) => file.split("/").slice(0, -1).join("/"));
  const cpuSeconds = results.reduce((sum, one) => sum + one.cpuSeconds, 0);
  process.stdout.write(`\nThe most expensive files:\n${byCost.slice(0, slowestMax).map(line).join("")}`);
  process.stdout.write("\nTests by folder:\n");
  for (const [folder, these] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    const passed = these.reduce((sum, one) => sum + one.passed, 0);
    process.stdout.write(`${String(passed).padStart(6)}  ${folder}\n`);
  }
  const largest = Math.max(...results.map(({ residentMb }) => residentMb));
  process.stdout.write(`\nFiles: ${cpuSeconds.toFixed(0)} s of CPU. Largest worker: ${largest.toFixed(0)} MB\n`);
  mkdirSync(dirname(costsFile), { recursive: true });
  writeFileSync(costsFile, `${JSON.stringify(byCost, null, 2)}\n`);
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
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
