/** Moves a cell between workers with `countersign cells move` while a service answers calls about its people. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { coordinatorUrl, dropSchemas, workerOf } from "../../../packages/service/src/test/harness/citus-cells.ts";
import { inSchema } from "../../../packages/service/src/test/harness/database-template.ts";
import { callsTo } from "../../../packages/service/src/test/harness/load.ts";
import { root, run, say, start } from "../process.ts";

const MASTER_KEY = "5".repeat(64);
const demoKey = "sk_sandbox_demo_api";
const home = "prove_home";
const cells = ["prove_cell_1", "prove_cell_2"];
const moving = "prove_cell_1";
const callers = 8;
/** Wait between a caller's calls, in milliseconds. Together, the callers stay below the sandbox's limits. */
const againMs = 10;
/** How long the callers run before and after the move, in milliseconds. */
const aroundMs = 5_000;
/** By then, every process has opened a new cell. */
const openedMs = 2_000;
/** Citus deletes the tables that a move leaves within this time, in milliseconds. */
const deletedWithinMs = 60_000;
/** Number of request log lines in the cell before the move, so that there is data to copy. */
const lines = Number(process.env.LINES ?? 200_000);

type Called = { at: number; ms: number; status: number; uuid: string | null; message: string };

/** Callers who create 1-Clicks of new people and read them, until they are stopped. */
function openCallers(apiUrl: string) {
  const call = callsTo(apiUrl, demoKey);
  const called: Called[] = [];
  let isOver = false;
  let people = 0;
  const timed = async (...[path, options]: Parameters<typeof call>) => {
    const at = performance.now();
    const { status, body } = await call(path, options);
    const uuid = typeof body.uuid === "string" && status === 201 ? body.uuid : null;
    called.push({ at, ms: performance.now() - at, status, uuid, message: String(body.message) });
    await sleep(againMs);
    return uuid;
  };
  const one = async () => {
    while (!isOver) {
      people += 1;
      const uuid = await timed("/v2/1-click", { body: { phone: `+1415${2_000_000 + people}` } });
      if (uuid !== null) await timed(`/v2/1-click/${uuid}`);
    }
  };
  const done = Promise.all(Array.from({ length: callers }, one));
  return {
    call,
    called,
    async stop() {
      isOver = true;
      await done;
    },
  };
}

export type Moved = {
  /** Milliseconds of the move. */
  tookMs: number;
  calls: number;
  failed: Called[];
  /** The slowest call in milliseconds, during the move and otherwise. */
  slowest: { during: number; otherwise: number };
  /** Numbers of 1-Clicks: acknowledged to callers, readable again, and stored in the cells. */
  oneClicks: { acknowledged: number; readable: number; stored: number };
  /** Rows of all tables of the cell, before and after another move without load. */
  rows: { before: number; after: number; differing: string[] };
  megabytes: number;
};

export async function moveUnderLoad(): Promise<Moved> {
  await dropSchemas([...cells, home]);
  const coordinator = new pg.Client({ connectionString: coordinatorUrl() });
  await coordinator.connect();
  try {
    await coordinator.query(`create schema ${home}`);
    const underLoad = await moveWithService(coordinator);
    return { ...underLoad, rows: await moveAlone(coordinator) };
  } finally {
    await coordinator.end();
    await dropSchemas([...cells, home]);
  }
}

async function moveWithService(coordinator: pg.Client): Promise<Omit<Moved, "rows">> {
  const service = await start(root, { DATABASE_URL: inSchema(coordinatorUrl(), home), MASTER_KEY });
  try {
    return await moveWith(coordinator, service.apiUrl);
  } finally {
    await service.stop();
  }
}

/** Moves the cell again after the service has stopped and written its last log lines. */
async function moveAlone(coordinator: pg.Client): Promise<Moved["rows"]> {
  const before = await countRows(coordinator);
  await untilNothingIsLeft(coordinator);
  await move(coordinator);
  const after = await countRows(coordinator);
  const differing = [...before].filter(([table, rows]) => after.get(table) !== rows).map(([table]) => table);
  const sum = (rows: ReadonlyMap<string, number>) => [...rows.values()].reduce((all, one) => all + one, 0);
  return { before: sum(before), after: sum(after), differing };
}

async function moveWith(coordinator: pg.Client, apiUrl: string): Promise<Omit<Moved, "rows">> {
  await openCells();
  await coordinator.query(`insert into ${moving}.request_log (environment, at, request_id, method, route, status, latency_ms)
    select 'sandbox', n, md5(n::text), 'GET', '/v2/1-click/:uuid', 200, 1 from generate_series(1, ${lines}) n`);
  const size = await coordinator.query("select sum(citus_total_relation_size(table_name)) as bytes from citus_tables");
  const load = openCallers(apiUrl);
  await sleep(aroundMs);
  const began = performance.now();
  await move(coordinator);
  const ended = performance.now();
  await sleep(aroundMs);
  await load.stop();
  const isDuring = ({ at, ms }: Called) => at + ms >= began && at <= ended;
  const slowest = (calls: readonly Called[]) => Math.max(0, ...calls.map(({ ms }) => ms));
  const acknowledged = load.called.flatMap(({ uuid }) => uuid ?? []);
  const found = [];
  for (const uuid of acknowledged) found.push((await load.call(`/v2/1-click/${uuid}`)).status);
  return {
    tookMs: ended - began,
    calls: load.called.length,
    failed: load.called.filter(({ status }) => status !== 200 && status !== 201),
    slowest: {
      during: slowest(load.called.filter(isDuring)),
      otherwise: slowest(load.called.filter((one) => !isDuring(one))),
    },
    oneClicks: {
      acknowledged: acknowledged.length,
      readable: found.filter((status) => status === 200).length,
      stored: await countOneClicks(coordinator),
    },
    megabytes: Number(size.rows[0]?.bytes) / 2 ** 20,
  };
}

/** Opens both cells with the command, and waits until they store people. */
async function openCells(): Promise<void> {
  let opensAt = 0;
  for (const schema of cells) {
    const made = await command(["cells", "add", inSchema(coordinatorUrl(), schema), "--share", "40", "--distribute"]);
    opensAt = Date.parse(JSON.parse(made).opensAt);
  }
  say(`     the cells open in ${Math.round((opensAt - Date.now()) / 1_000)} s`);
  await sleep(Math.max(0, opensAt - Date.now()) + openedMs);
}

/** Moves the cell to a worker that does not have it. */
async function move(coordinator: pg.Client): Promise<void> {
  const { port } = await workerOf(moving);
  const { rows } = await coordinator.query(
    "select nodename, nodeport from pg_dist_node where shouldhaveshards and nodeport <> $1",
    [port],
  );
  const [to] = rows;
  await command(["cells", "move", "--cell", "1", "--host", to.nodename, "--port", String(to.nodeport)]);
}

/** Waits until Citus has deleted the tables that the first move left. Until then, the command refuses to move back. */
async function untilNothingIsLeft(coordinator: pg.Client): Promise<void> {
  const deadline = performance.now() + deletedWithinMs;
  for (;;) {
    const { rows } = await coordinator.query("select count(*)::int as left from pg_dist_cleanup");
    if (rows[0].left === 0) return;
    if (performance.now() > deadline) throw new Error(`Citus did not delete ${rows[0].left} moved tables`);
    await sleep(1_000);
  }
}

async function command(args: string[]): Promise<string> {
  const DATABASE_URL = inSchema(coordinatorUrl(), home);
  const { code, out, err } = await run(root, args, { DATABASE_URL, MASTER_KEY });
  if (code !== 0) throw new Error(`${args.slice(0, 2).join(" ")} ended with ${code}: ${err}`);
  return out;
}

async function countRows(coordinator: pg.Client): Promise<Map<string, number>> {
  const tables = await coordinator.query("select tablename from pg_tables where schemaname = $1", [moving]);
  const counts = new Map<string, number>();
  for (const { tablename } of tables.rows) {
    const { rows } = await coordinator.query(`select count(*)::int as count from ${moving}.${tablename}`);
    counts.set(tablename, rows[0].count);
  }
  return counts;
}

async function countOneClicks(coordinator: pg.Client): Promise<number> {
  const { rows } = await coordinator.query(
    `select (${[home, ...cells].map((schema) => `(select count(*) from ${schema}.one_click where phone_method = 'customer_otp')`).join(" + ")})::int as count`,
  );
  return rows[0].count;
}
