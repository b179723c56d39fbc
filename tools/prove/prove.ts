/**
 * `npm run prove [-- word…]`: runs the long form of suites, one at a time, and the programs that are not tests. A word
 * selects by file name; by default, all run. Prints a table of attempts and losses. `SEED=n` repeats a run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareTemplate } from "../../packages/service/src/test/harness/database-template.ts";
import type { Proven } from "../../packages/service/src/test/harness/seeded-run.ts";
import { isGreen, runTests } from "../run-tests.ts";
import { testFiles } from "../test-files.ts";
import { startTestServer } from "../test-server.ts";
import { root, say } from "./process.ts";

/** How often the long form kills the service. */
const kills = 216;
/** Programs that measure time, and therefore are not tests. Their exit codes are passed on. */
const programs = ["tools/prove/timing.ts", "tools/prove/failover.ts", "tools/prove/citus.ts"];
const words = process.argv.slice(2);
/**
 * Whether a proof runs. The Citus proof runs only if it is named or `CITUS_URL` is set, because few machines have a
 * cluster.
 */
const isThere = (file: string) => !file.includes("citus") || words.length > 0 || process.env.CITUS_URL !== undefined;
const isMeant = (file: string) => words.length === 0 || words.some((word) => file.includes(word));
const folder = mkdtempSync(join(tmpdir(), "countersign-prove-"));
const results = join(folder, "results");
const server = await startTestServer();
Object.assign(process.env, { TEST_POSTGRES: server.url, PROVE: "long", PROVE_RESULTS: results, KILLS: String(kills) });
try {
  await prepareTemplate();
  const suites = testFiles(["/prove-", "/kill."]).filter(isMeant);
  const areGreen = suites.length === 0 || isGreen(await runTests(suites, { unbounded: true }));
  const codes: number[] = [];
  for (const program of programs.filter(isMeant).filter(isThere)) {
    const child = spawn(process.execPath, [join(root, program)], { stdio: "inherit" });
    const [code] = await once(child, "close");
    codes.push(code ?? 1); // null: a signal ended it
  }
  const isAnything = suites.length + codes.length > 0;
  process.exitCode = isAnything && areGreen ? (codes.find((code) => code !== 0) ?? 0) : 1;
  const rows = existsSync(results) ? readFileSync(results, "utf8").trim().split("\n") : [];
  say("\n| Suite | What | Tried | Lost | Seed |\n|---|---|--:|--:|--:|");
  for (const row of rows) {
    const { suite, what, tried, lost, seed }: Proven & { seed: number } = JSON.parse(row);
    say(`| ${suite} | ${what} | ${tried.toLocaleString("en")} | ${lost} | ${seed} |`);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
