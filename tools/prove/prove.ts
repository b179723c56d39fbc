/**
 * `npm run prove [-- word…]`: runs the long form of suites, one at a time, and the programs that are not tests. A word
 * selects by file name; by default, all run. Prints each result when it is there, and all of them in a table at the
 * end. `SEED=n` repeats a run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, unwatchFile, watchFile } from "node:fs";
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
/** A row for each result so far. A run that is stopped has printed those that it had. */
const rowsSoFar = () => (existsSync(results) ? readFileSync(results, "utf8").trim().split("\n").map(rowOf) : []);
let printed = 0;
watchFile(results, { interval: 1_000 }, () => {
  const rows = rowsSoFar();
  for (const row of rows.slice(printed)) say(row);
  printed = rows.length;
});
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
  say("\n| Suite | What | Tried | Lost | Seed |\n|---|---|--:|--:|--:|");
  for (const row of rowsSoFar()) say(row);
} finally {
  unwatchFile(results);
  await server.stop();
  rmSync(folder, { recursive: true });
}

function rowOf(line: string): string {
  const { suite, what, tried, lost, seed }: Proven & { seed: number } = JSON.parse(line);
  return `| ${suite} | ${what} | ${tried.toLocaleString("en")} | ${lost} | ${seed} |`;
}
