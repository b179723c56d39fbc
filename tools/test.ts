/**
 * `npm test`: checks types and lint, runs every test on one PostgreSQL server, and runs tests that depend on
 * PostgreSQL's version again on the oldest one here. `npm test -- <part of a path>…` runs only those files, without
 * types and lint. `--test-name-pattern=<expression>` runs only those tests.
 */
import { parseArgs } from "node:util";
import { prepareTemplate } from "../packages/service/src/test/harness/database-template.ts";
import { notRun } from "../packages/service/src/test/harness/runtimes.ts";
import { findChromium } from "./chromium.ts";
import { installIn, publishing } from "./installed.ts";
import { type Counts, isGreen, runTests, testFiles } from "./run-tests.ts";
import { failedStaticChecks } from "./static-checks.ts";
import { startOldestServer, startTestServer, type TestServer } from "./test-server.ts";

const { positionals: filters, values } = parseArgs({
  allowPositionals: true,
  options: { "test-name-pattern": { type: "string", multiple: true } },
});
const namePatterns = values["test-name-pattern"];

// A signal ends the run at once, and the servers are still stopped.
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interruption.abort());

const isPartial = filters.length > 0 || namePatterns !== undefined;
const lines: string[] = [];
let green = true;
const note = (ok: boolean, line: string) => {
  green &&= ok;
  lines.push(`${ok ? "✔" : "✖"} ${line}`);
};

if (!isPartial) {
  const failed = failedStaticChecks();
  note(failed.length === 0, failed.length === 0 ? "types, lint" : `failed: ${failed.join(", ")}`);
}
const files = testFiles(filters);
if (files.some((file) => file.includes("/browser-"))) {
  const chromium = findChromium();
  if (chromium.kind === "found") process.env.CHROMIUM_PATH = chromium.path;
  else note(false, chromium.why);
}
if (files.length === 0) note(false, `no test file has ${filters.join(" or ")} in its path`);
// Install before the tests, because two of them would install at the same time.
if (files.some((file) => /\/(?:package|consumers|generators)\.test\.ts$/.test(file))) installIn(publishing);
await onServer(await startTestServer(), files);
if (!interruption.signal.aborted)
  await onOldestServer(files.filter((file) => /(?:migrations|journey)[^/]*\.test\.ts$/.test(file)));
if (interruption.signal.aborted) note(false, "interrupted");
if (files.some((file) => /quickstarts|receivers/.test(file))) lines.push(...notRun().map((one) => `- ${one}`));
process.stdout.write(`\n${lines.join("\n")}\n`);
process.exitCode = green ? 0 : 1;

async function onServer(server: TestServer, these: readonly string[]): Promise<void> {
  try {
    process.stdout.write(`\n${these.length} test files on PostgreSQL ${server.version}\n`);
    process.env.TEST_POSTGRES = server.url;
    await prepareTemplate();
    const { signal } = interruption;
    const counts = await runTests(these, { signal, ...(namePatterns === undefined ? {} : { namePatterns }) });
    note(isGreen(counts), `PostgreSQL ${server.version}: ${summary(counts)}`);
  } finally {
    await server.stop();
  }
}

async function onOldestServer(these: readonly string[]): Promise<void> {
  if (these.length === 0) return;
  const server = await startOldestServer();
  if (server === undefined)
    lines.push("- no older PostgreSQL is on this machine: migrations and journeys ran on ours only");
  else await onServer(server, these);
}

function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped${skipped > 0 ? " (a skipped test fails the run)" : ""}`;
}
