/**
 * `npm run prove -- citus`: runs the journeys with cells that Citus distributes, asks Citus how it runs each statement,
 * and moves a cell between two workers under load. `CITUS_URL` is the coordinator's database, such as
 * `postgres://postgres@127.0.0.1:6401/cs`; its workers must accept the same user and password. Without Citus it exits
 * with 69.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { dropSchemas, openSchema } from "../../packages/service/src/test/harness/citus-cells.ts";
import { tell } from "../../packages/service/src/test/harness/seeded-run.ts";
import { isGreen, runTests } from "../run-tests.ts";
import { moveUnderLoad } from "./citus/move.ts";
import { type Plan, readPlans } from "./citus/plans.ts";
import { say } from "./process.ts";

const exitUnavailable = 69;
const journeys = ["signup/journeys-end", "cells/journeys-of-cells"].map(
  (name) => `packages/service/src/test/${name}.test.ts`,
);
const planned = "prove_plans";

/** Statements that Citus may run in another way, with the reason. */
const exceptions: readonly { reason: string; is: RegExp }[] = [
  {
    reason: "advisory locks, and the list of them, are of the node that the cell's address names",
    is: /pg_(try_)?advisory|from pg_locks/,
  },
];

/** SQLSTATE of a call to an unknown function. */
const undefinedFunction = "42883";

let isRight = true;
const check = (what: string, holds: boolean) => {
  isRight &&= holds;
  say(`${holds ? "yes" : "NO "}  ${what}`);
};

/** A description of the cluster. Null if there is no URL, or the server is no coordinator. */
async function findCluster(url: string | undefined): Promise<string | null> {
  if (url === undefined) return null;
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query(
      `select citus_version() as version, (select count(*) from pg_dist_node where shouldhaveshards) as workers
        where citus_is_coordinator()`,
    );
    return rows[0] === undefined ? null : `${rows[0].version.split(" on ")[0]}, ${rows[0].workers} workers`;
  } catch (error) {
    // The server does not have Citus.
    if (error instanceof pg.DatabaseError && error.code === undefinedFunction) return null;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs the journeys. Returns the texts of their statements to distributed cells. */
async function runJourneys(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-citus-"));
  const file = join(folder, "statements");
  Object.assign(process.env, { STORES: "citus", CITUS_STATEMENTS: file });
  try {
    const counts = await runTests(journeys, { unbounded: true });
    check(`journeys, races, deletion and time travel over three cells: ${counts.passed} tests`, isGreen(counts));
    tell({ suite: "citus", what: "tests of the journeys; failed", tried: counts.passed, lost: counts.failed });
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return [...new Set(lines)].map((line) => String(JSON.parse(line)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkPlans(url: string, texts: readonly string[]): Promise<void> {
  await dropSchemas([planned]);
  await openSchema(planned, true);
  const plans = await readPlans(url, planned, texts);
  await dropSchemas([planned]);
  const isRouted = (plan: Plan) => "tasks" in plan && plan.tasks === 1 && plan.subplans === 0;
  const others = plans.filter((plan) => !isRouted(plan));
  const excepted = exceptions.map(({ reason, is }) => ({ reason, plans: others.filter(({ text }) => is.test(text)) }));
  const wrong = others.filter(({ text }) => !exceptions.some(({ is }) => is.test(text)));
  const isAll = wrong.length === 0 && plans.length > 0;
  check(`of ${plans.length} statements ${plans.length - others.length} have Task Count: 1`, isAll);
  for (const { reason, plans: those } of excepted) say(`     ${those.length} excepted: ${reason}`);
  for (const plan of wrong) say(`     ${"refused" in plan ? plan.refused : `${plan.tasks} tasks`}: ${plan.text}`);
  tell({ suite: "citus", what: "statements; neither one task nor excepted", tried: plans.length, lost: wrong.length });
}

async function checkMove(): Promise<void> {
  const { tookMs, calls, failed, slowest, oneClicks, rows, megabytes } = await moveUnderLoad();
  const { acknowledged, readable, stored } = oneClicks;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  check(`a cell moved in ${seconds(tookMs)} (all cells ${megabytes.toFixed(0)} MB): ${calls} calls`, calls > 0);
  check(`${failed.length} of them failed`, failed.length === 0);
  for (const { status, message } of failed.slice(0, 5)) say(`     ${status} ${message}`);
  say(
    `     slowest call: ${slowest.during.toFixed(0)} ms during the move, ${slowest.otherwise.toFixed(0)} ms otherwise`,
  );
  check(
    `${acknowledged} 1-Clicks acknowledged, ${readable} readable, ${stored} stored`,
    readable === acknowledged && stored === acknowledged,
  );
  check(
    `rows of the cell before and after a move without load: ${rows.before}, ${rows.after}`,
    rows.differing.length === 0,
  );
  for (const table of rows.differing) say(`     ${table} differs`);
  tell({ suite: "citus", what: "calls around a move of their cell; failed", tried: calls, lost: failed.length });
}

const { CITUS_URL: url } = process.env;
const cluster = await findCluster(url);
if (url === undefined || cluster === null) {
  process.stderr.write("CITUS_URL names no coordinator of a Citus cluster, so nothing was proven about Citus.\n");
  process.exit(exitUnavailable);
}
say(cluster);
await checkPlans(url, await runJourneys());
await checkMove();
process.exit(isRight ? 0 : 1);
