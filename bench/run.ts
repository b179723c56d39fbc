import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { resolve } from "node:path";
import { openBench } from "./bench.ts";
import { benchBudget } from "./budget.ts";
import { benchJson } from "./json.ts";
import { benchResident } from "./resident.ts";
import { benchPayers, benchRules } from "./rules.ts";
import { benchScale } from "./scale.ts";
import { benchSignup } from "./signup.ts";
import { benchSizes } from "./sizes.ts";
import { benchStart } from "./start.ts";
import { benchSweeps } from "./sweeps.ts";
import { benchPending, benchVerification } from "./verification.ts";
import { benchDeadReceiver, benchWebhooks } from "./webhooks.ts";
import { benchWritten } from "./written.ts";
import { benchX12 } from "./x12.ts";

/**
 * `npm run bench [-- name…]`: measures, prints a table and writes bench/results.json. The product never depends on the
 * peers.
 */
const benches = {
  x12: benchX12,
  scale: benchScale,
  signup: benchSignup,
  budget: benchBudget,
  verification: benchVerification,
  pending: benchPending,
  json: benchJson,
  written: benchWritten,
  webhooks: benchWebhooks,
  dead: benchDeadReceiver,
  sweeps: benchSweeps,
  rules: benchRules,
  payers: benchPayers,
  resident: benchResident,
  start: benchStart,
  sizes: benchSizes,
};

const here = import.meta.dirname;
const { dependencies } = JSON.parse(readFileSync(resolve(here, "peers/package.json"), "utf8"));
if (!Object.keys(dependencies).every((name) => existsSync(resolve(here, "peers/node_modules", name)))) {
  const installed = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: resolve(here, "peers"),
    stdio: "inherit",
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const wanted = process.argv.slice(2);
const file = resolve(here, "results.json");
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
process.stdout.write(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}\n`);
/** Results of earlier runs are kept. A bench replaces only its own rows. */
const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const kept = "benches" in results ? results.benches : {};
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(" or ")}: choose from ${Object.keys(benches).join(", ")}.\n`);
  process.exit(64);
}
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const bench = openBench();
  await run(bench);
  for (const row of bench.rows) {
    const bound = "limit" in row ? `at most ${row.limit}` : row.goal === undefined ? "" : `at least ${row.goal}`;
    const aim = "aim" in row && row.aim !== undefined ? `aim ${row.aim}` : "";
    const figure = row.figure.toFixed(2).padStart(9);
    process.stdout.write(`${row.verdict.padEnd(5)} ${figure}  ${bound.padEnd(13)} ${aim.padEnd(8)} ${row.what}\n`);
  }
  kept[name] = { machine, rows: bench.rows };
  writeFileSync(file, `${JSON.stringify({ benches: kept }, null, 2)}\n`);
}
// The test harness keeps its services running, so exit here.
process.exit();
