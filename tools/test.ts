/**
 * `npm test`: checks types and lint, and runs every test that an ordinary change can break, on one PostgreSQL server.
 * `npm test -- <part of a path>…` runs only those test files. `--test-name-pattern=<expression>` runs only those tests.
 * `npm run test:rest` runs what `npm test` leaves out, also on the oldest PostgreSQL here.
 */
import { parseArgs } from "node:util";
import { prepareTemplate } from "../packages/service/src/test/harness/database-template.ts";
import { notRun } from "../packages/service/src/test/harness/runtimes.ts";
import { findChromium } from "./chromium.ts";
import { installIn, publishing } from "./installed.ts";
import { isGreen, runTests, summary } from "./run-tests.ts";
import { failedStaticChecks } from "./static-checks.ts";
import { isRepeatedOnDesktop, isRest, testFiles } from "./test-files.ts";
import { cpuSeconds } from "./test-order.ts";
import { startOldestServer, startTestServer, type TestServer } from "./test-server.ts";

const { positionals: filters, values } = parseArgs({
  allowPositionals: true,
  options: { "test-name-pattern": { type: "string", multiple: true }, rest: { type: "boolean" } },
});
const namePatterns = values["test-name-pattern"];
const isPartial = filters.length > 0 || namePatterns !== undefined;
const isWhole = !isPartial && values.rest !== true;

// A signal ends the run at once, and the servers are still stopped.
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interruption.abort());

const lines: string[] = [];
let green = true;
const note = (ok: boolean, line: string) => {
  green &&= ok;
  lines.push(`${ok ? "✔" : "✖"} ${line}`);
};

const files = testFiles(filters).filter((file) => isPartial || isRest(file) === (values.rest === true));
if (files.length === 0) note(false, `no test file has ${filters.join(" or ")} in its path`);
if (files.some((file) => file.includes("/browser-"))) {
  const chromium = findChromium();
  if (chromium.kind === "missing") note(false, chromium.why);
  else Object.assign(process.env, { CHROMIUM_PATH: chromium.browser, CHROMIUM_SHELL_PATH: chromium.shell });
}
// Install before the tests, because two of them would install at the same time.
if (files.some((file) => /\/(?:package|consumers|generators)\.test\.ts$/.test(file))) installIn(publishing);

// Tests that run on both sizes run only on the phone in `npm test`.
if (isWhole) process.env.TEST_VIEWPORT = "phone";
await Promise.all([isWhole ? runStaticChecks() : undefined, onServer(await startTestServer(), files)]);
if (values.rest === true && !interruption.signal.aborted) await onDesktop();
if (values.rest === true && !interruption.signal.aborted) await onOldestServer();
if (interruption.signal.aborted) note(false, "interrupted");
if (files.some((file) => /quickstarts|receivers/.test(file))) lines.push(...notRun().map((one) => `- ${one}`));
lines.push(`- ${(performance.now() / 60_000).toFixed(1)} minutes, ${(cpuSeconds() / 60).toFixed(1)} of CPU`);
process.stdout.write(`\n${lines.join("\n")}\n`);
process.exitCode = green ? 0 : 1;

async function runStaticChecks(): Promise<void> {
  const failed = await failedStaticChecks(interruption.signal);
  note(failed.length === 0, failed.length === 0 ? "types, lint" : `failed: ${failed.join(", ")}`);
}

/** Repeats tests that `npm test` runs on a phone. */
async function onDesktop(): Promise<void> {
  process.env.TEST_VIEWPORT = "desktop";
  await onServer(await startTestServer(), testFiles().filter(isRepeatedOnDesktop), ["^desktop: "]);
}

async function onServer(server: TestServer, these: readonly string[], patterns = namePatterns): Promise<void> {
  try {
    process.stdout.write(`\n${these.length} test files on PostgreSQL ${server.version}\n`);
    process.env.TEST_POSTGRES = server.url;
    await prepareTemplate();
    const { signal } = interruption;
    const counts = await runTests(these, { signal, names: isPartial, namePatterns: patterns });
    const skipped = counts.skipped > 0 ? " (a skipped test fails the run)" : "";
    note(isGreen(counts), `PostgreSQL ${server.version}: ${summary(counts)}${skipped}`);
  } finally {
    await server.stop();
  }
}

/** Runs the tests that depend on PostgreSQL's version. */
async function onOldestServer(): Promise<void> {
  const these = testFiles().filter((file) => /(?:migrations|journey)[^/]*\.test\.ts$/.test(file));
  const server = await startOldestServer();
  if (server === undefined)
    lines.push("- no older PostgreSQL is on this machine: migrations and journeys ran on ours only");
  else await onServer(server, these);
}
