/**
 * `node tools/prove/failover.ts`: kills the primary of a synchronous pair of PostgreSQL servers with SIGKILL while
 * eight callers write, promotes the standby, and rebuilds the killed server as the new standby. No acknowledged write
 * may be lost, and callers may only get 503 until the promotion. `ROUNDS=n` (20). Needs PostgreSQL's programs from
 * `PG_BIN` or Debian's folders; without them it exits with 69.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readHosts } from "../../packages/service/src/config/database-url.ts";
import { openDatabase } from "../../packages/service/src/store/database.ts";
import { openReports } from "../../packages/service/src/store/failover/replica.ts";
import { callsTo } from "../../packages/service/src/test/harness/load.ts";
import { tell } from "../../packages/service/src/test/harness/seeded-run.ts";
import { oldestBinaries } from "../test-server.ts";
import { type DatabaseNode, Lab, versionIn } from "./cluster.ts";
import { root, run, say, start } from "./process.ts";

const exitUnavailable = 69;
const rounds = Number(process.env.ROUNDS ?? 20);
const callers = 8;
/** How long callers write before each kill, in milliseconds. */
const writeMs = 1_000;
/** How long there is no primary, in milliseconds. Patroni needs longer to detect the failure. */
const absenceMs = 1_000;
/**
 * Wait between a caller's calls, in milliseconds. Together, the callers stay below the sandbox's 500 requests a second.
 */
const againMs = 20;
/** Writes must succeed within this time after the promotion in most rounds. A busy machine may take longer. */
const recoveryMsMax = 1_000;
/** The proof fails if no write succeeds within this time. */
const resumeMsMax = 60_000;
/** Maximum time of a refusal. A longer one means that a caller waited for a dead server. */
const refusalMsMax = 4_000;
const demoKey = "sk_sandbox_demo_api";

const bin = oldestBinaries();
if (bin === undefined || !existsSync(join(bin, "pg_basebackup"))) {
  process.stderr.write(
    "There is no PostgreSQL 15 or newer with pg_basebackup on this machine: install it, or set PG_BIN.\n",
  );
  process.exit(exitUnavailable);
}

let isRight = true;
const check = (what: string, holds: boolean) => {
  isRight &&= holds;
  say(`${holds ? "yes" : "NO "}  ${what}`);
};
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (values: readonly number[]) =>
  `median ${Math.round(median(values))} ms, longest ${Math.round(Math.max(0, ...values))} ms`;

type Write = { uuid: string; at: number };
type Refusal = { status: number; ms: number; message: string };

/** Callers that create 1-Clicks until they are stopped. */
function openCallers(apiUrl: string) {
  const call = callsTo(apiUrl, demoKey);
  const writes: Write[] = [];
  const refusals: Refusal[] = [];
  let isOver = false;
  const one = async () => {
    while (!isOver) {
      const began = performance.now();
      const { status, body } = await call("/v2/1-click", { body: { phone: "+12125550010" } });
      const at = performance.now();
      if (status === 201) writes.push({ uuid: String(body.uuid), at });
      else refusals.push({ status, ms: at - began, message: String(body.message) });
      await sleep(againMs);
    }
  };
  const done = Promise.all(Array.from({ length: callers }, one));
  const nextWrite = async (after: number) => {
    while (performance.now() - after < resumeMsMax) {
      const found = writes.find(({ at }) => at > after);
      if (found !== undefined) return found.at;
      await sleep(1);
    }
    throw new Error(`no write succeeded within ${resumeMsMax / 1_000} s`);
  };
  return {
    writes,
    refusals,
    nextWrite,
    async stop() {
      isOver = true;
      await done;
    },
  };
}
type Callers = ReturnType<typeof openCallers>;

const gaps: number[] = [];
const recoveries: number[] = [];
let lost = 0;
let acknowledged = 0;

/** Kills the primary, promotes the standby, and rebuilds the killed server as its standby. */
async function fail({ writes, nextWrite }: Callers, primary: DatabaseNode, standby: DatabaseNode): Promise<void> {
  await sleep(writeMs);
  await primary.kill();
  const killedAt = performance.now();
  await sleep(absenceMs);
  await standby.promote();
  const promotedAt = performance.now();
  const resumedAt = await nextWrite(promotedAt);
  const last = writes.findLast(({ at }) => at < promotedAt)?.at ?? killedAt;
  gaps.push(resumedAt - last);
  recoveries.push(resumedAt - promotedAt);
  const before = writes
    .splice(
      0,
      writes.findIndex(({ at }) => at >= resumedAt),
    )
    .map(({ uuid }) => uuid);
  const [row] = await standby.ask("select count(*)::int as count from one_click where uuid = any($1::uuid[])", [
    before,
  ]);
  acknowledged += before.length;
  lost += before.length - Number(row?.count);
  await primary.follow(standby);
  await standby.synchronous(true);
}

/** Checks that HA=required refuses an asynchronous standby, and that reports can be read from it. */
async function withAsynchronousStandby(lab: Lab, primary: DatabaseNode, standby: DatabaseNode): Promise<void> {
  const DATABASE_URL = lab.url([standby, primary], "?target_session_attrs=read-write");
  const refused = await run(root, ["start"], {
    DATABASE_URL,
    HA: "required",
    MASTER_KEY,
    DATA_DIR: join(lab.folder, "no"),
  });
  const reason = refused.err.split("\n")[1]?.trim() ?? "";
  check(
    `HA=required refuses an asynchronous standby: ${reason}`,
    refused.code === 78 && reason.includes("HA=required"),
  );
  const store = openDatabase({ connectionString: lab.url([primary]) }, () => {});
  const connectionString = lab.url([standby], "?target_session_attrs=read-only");
  const reports = openReports({ connectionString, hosts: readHosts(connectionString) }, store, () => {});
  const lagMs = await reports.lagMs();
  check(`reports are read from the standby, which is ${lagMs} ms behind`, lagMs !== null && lagMs >= 0);
  await reports.close();
  await store.close();
}
const MASTER_KEY = "5".repeat(64);

function report({ refusals }: Callers): void {
  const others = refusals.filter(({ status }) => status !== 503);
  for (const { status, message } of others.slice(0, 5)) say(`     ${status} ${message}`);
  check(
    `${rounds} rounds: ${acknowledged.toLocaleString("en")} writes acknowledged, ${lost} lost`,
    lost === 0 && acknowledged > 0,
  );
  check(`meanwhile ${refusals.length} refusals, ${others.length} of them not 503`, others.length === 0);
  const times = refusals.map(({ ms }) => ms);
  check(`refusals take: ${shown(times)}`, Math.max(0, ...times) <= refusalMsMax);
  check(`from the promotion to the next write: ${shown(recoveries)}`, median(recoveries) <= recoveryMsMax);
  say(`     from the last write to the next, with ${absenceMs} ms without a primary: ${shown(gaps)}`);
  tell({ suite: "failover", what: "rounds; acknowledged writes lost", tried: rounds, lost });
}

const lab = await Lab.open(bin);
let [primary, standby] = [await lab.node("first"), await lab.node("second")];
try {
  say(`${versionIn(bin)}, primary and standby on this machine`);
  await primary.create();
  await standby.follow(primary);
  await withAsynchronousStandby(lab, primary, standby);
  await primary.synchronous(true);
  const DATABASE_URL = lab.url([primary, standby], "?target_session_attrs=read-write");
  const service = await start(root, { DATABASE_URL, HA: "required", MASTER_KEY });
  check("HA=required accepts a synchronous standby", true);
  const load = openCallers(service.apiUrl);
  for (let round = 1; round <= rounds; round += 1) {
    await fail(load, primary, standby);
    [primary, standby] = [standby, primary];
  }
  await load.stop();
  report(load);
  await service.stop();
} finally {
  await primary.stop();
  await standby.stop();
  lab.remove();
}
process.exit(isRight ? 0 : 1);
