import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { resolve } from "node:path";
import { openBench } from "./bench.ts";
import { benchScale } from "./scale.ts";
import { benchSignup } from "./signup.ts";
import { benchX12 } from "./x12.ts";

/** `npm run bench [-- name…]`: measures, prints a table, writes bench/results.json. The product never depends on the peers. */
const benches = { x12: benchX12, scale: benchScale, signup: benchSignup };

const here = import.meta.dirname;
if (!existsSync(resolve(here, "peers/node_modules"))) {
  const installed = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: resolve(here, "peers"),
    stdio: "inherit",
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const wanted = process.argv.slice(2);
const bench = openBench();
for (const [name, run] of Object.entries(benches)) if (wanted.length === 0 || wanted.includes(name)) await run(bench);
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
for (const row of bench.rows) {
  const aim = "goal" in row ? `at least ${row.goal}` : `at most ${row.limit}`;
  const figure = row.figure.toFixed(1).padStart(8);
  process.stdout.write(`${row.pass ? "pass " : "short"}  ${figure}  ${aim.padEnd(13)} ${row.what}\n`);
}
writeFileSync(resolve(here, "results.json"), `${JSON.stringify({ machine, rows: bench.rows }, null, 2)}\n`);
