/**
 * `node tools/prove/citus/costs.ts`: the CPU time of the database for one release and one read of a 1-Click, on plain
 * PostgreSQL, through the Citus coordinator, and directly at the worker, in one run. Run it on a quiet machine that
 * also runs the cluster of `CITUS_URL` (see `tools/prove/citus.ts`). `ROUNDS=n` (5), `CALLS=n` (1000).
 */
import { readFileSync } from "node:fs";
import pg from "pg";
import { cpuOf } from "../../../bench/cores.ts";
import { depsOf } from "../../../packages/service/src/compose/cells.ts";
import { declaredConsent } from "../../../packages/service/src/domain/audit/consent.ts";
import type { Caller, Deps } from "../../../packages/service/src/domain/deps.ts";
import { findOneClick } from "../../../packages/service/src/domain/signup/one-click-rows.ts";
import { release } from "../../../packages/service/src/domain/signup/release.ts";
import { requestOneClick } from "../../../packages/service/src/domain/signup/start.ts";
import { type OpenDatabase, openDatabase } from "../../../packages/service/src/store/database.ts";
import { migrate } from "../../../packages/service/src/store/migrations/migrate.ts";
import { callerOf } from "../../../packages/service/src/test/harness/below-http.ts";
import {
  atWorker,
  coordinatorUrl,
  dropSchemas,
  openSchema,
  workerOf,
} from "../../../packages/service/src/test/harness/citus-cells.ts";
import {
  prepareTemplate,
  useServer,
  withDatabase,
} from "../../../packages/service/src/test/harness/database-template.ts";
import { sandbox } from "../../../packages/service/src/test/harness/sandbox.ts";
import { startTestServer } from "../../test-server.ts";
import { say } from "../process.ts";

const rounds = Number(process.env.ROUNDS ?? 5);
const calls = Number(process.env.CALLS ?? 1_000);
/** A single caller shares no statements. Eight callers share batched statements, as under load. */
const callersOf = [1, 8];
const peopleCount = 64;
const schema = "prove_costs";
const plainName = "prove_costs_plain";

/** A database with the service's tables, and the servers whose CPU its calls use. */
type Place = { name: string; deps: Deps; servers: { name: string; pid: number }[] };
type Action = (place: Place, at: number) => Promise<unknown>;

/** The process ID of a server on this machine: the parent of the process that answers. */
async function serverAt(name: string, url: string): Promise<{ name: string; pid: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const status = readFileSync(`/proc/${rows[0]?.pid}/status`, "utf8");
    return { name, pid: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) };
  } finally {
    await client.end();
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const test = await startTestServer();
useServer(test.url);
await prepareTemplate();
const it = await sandbox();
const caller: Caller = await callerOf(it);
const consent = declaredConsent(caller.brand);
const stores: OpenDatabase[] = [];

function placeAt(name: string, url: string, servers: Place["servers"]): Place {
  const store = openDatabase({ connectionString: url }, () => {}, { poolSize: 8 });
  stores.push(store);
  const deps = depsOf(
    it.deps,
    { number: 0, db: store.db, ownKeyed: store.keyed },
    { worker: () => it.deps.worker, listed: () => [] },
  );
  return { name, deps, servers };
}

async function openPlaces(): Promise<Place[]> {
  const url = coordinatorUrl();
  await dropSchemas([schema]);
  const through = await openSchema(schema, true);
  const worker = await workerOf(schema);
  const at = atWorker(through, worker);
  // The same server and settings as the worker's. Citus does nothing in databases without its extension.
  const plain = withDatabase(atWorker(url, worker), plainName);
  await ask(atWorker(url, worker), `drop database if exists ${plainName} with (force)`);
  await ask(atWorker(url, worker), `create database ${plainName}`);
  const coordinatorServer = await serverAt("coordinator", url);
  const workerServer = await serverAt("worker", at);
  const places = [
    placeAt("plain PostgreSQL", plain, [workerServer]),
    placeAt("through the coordinator", through, [coordinatorServer, workerServer]),
    placeAt("directly at the worker", at, [workerServer]),
  ];
  const [first] = stores;
  if (first !== undefined) await migrate(first.db);
  return places;
}

const phones = Array.from({ length: peopleCount }, (_, at) => `+1415${2_000_000 + at}`);
const made = new Map<Place, Awaited<ReturnType<typeof requestOneClick>>[]>();

/** Creates people, each with a 1-Click that the measurement releases and reads. */
async function arrange(place: Place): Promise<void> {
  const ones = [];
  for (const phone of phones)
    ones.push(await requestOneClick(place.deps, caller, "v2NonHosted", { phone, inputs: {} }));
  made.set(place, ones);
}
const oneOf = (place: Place, at: number) => {
  const one = made.get(place)?.[at % peopleCount];
  if (one === undefined) throw new Error("nothing was arranged");
  return one;
};

const actions: Record<string, Action> = {
  release: async (place, at) => {
    const { personUuid: _known, createdAt: _then, ...one } = oneOf(place, at);
    const fresh = { ...one, uuid: place.deps.random.uuid(), state: "awaitingProof" as const };
    await release(place.deps, caller, fresh, consent);
  },
  read: async (place, at) => {
    const found = await findOneClick(place.deps, place.deps.db, caller, oneOf(place, at).uuid);
    if (found === null) throw new Error("a 1-Click is missing");
  },
};

/** Microseconds of each server's CPU per call, and calls per second. */
type Run = { cpu: number[]; rate: number };

async function measure(place: Place, action: Action, callers: number): Promise<Run> {
  const before = place.servers.map(({ pid }) => cpuOf(pid));
  const began = performance.now();
  let next = 0;
  const one = async () => {
    while (next < calls) {
      next += 1;
      await action(place, next);
    }
  };
  await Promise.all(Array.from({ length: callers }, one));
  const seconds = (performance.now() - began) / 1_000;
  const cpu = place.servers.map(({ pid }, at) => (cpuOf(pid) - (before[at] ?? 0)) / calls);
  return { cpu, rate: calls / seconds };
}

/** Size of tables and their indexes, in bytes per row of the first table. */
async function bytesPerRow(pool: pg.Pool, tables: readonly [string, ...string[]]): Promise<number> {
  const sizes = tables.map((table) => `pg_total_relation_size('${table}')`).join(" + ");
  const { rows } = await pool.query(`select (${sizes}) / (select count(*) from ${tables[0]}) as bytes`);
  return Number(rows[0]?.bytes);
}

/** Prints the disk usage of people and releases: one released 1-Click per new person. */
async function saySizes(place: Place, { pool }: OpenDatabase): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < sizedPeople) {
      next += 1;
      await requestOneClick(place.deps, caller, "v2NonHosted", { phone: `+1415${3_000_000 + next}`, inputs: {} });
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  const person = await bytesPerRow(pool, ["person", "data_key"]);
  say(`\nbytes with indexes: a person and their key ${Math.round(person)}; for each release:`);
  for (const table of ["one_click", "consent", "audit"] as const)
    say(`  ${table} ${Math.round(await bytesPerRow(pool, [table]))}`);
}
const sizedPeople = 5_000;

const places = await openPlaces();
for (const place of places) await arrange(place);
say("| What | Callers | Where | CPU µs | of that | a second |\n|---|--:|---|--:|---|--:|");
for (const [name, action] of Object.entries(actions))
  for (const callers of callersOf) {
    const taken = places.map((place): { place: Place; runs: Run[] } => ({ place, runs: [] }));
    for (const { place } of taken) await measure(place, action, callers);
    for (let round = 0; round < rounds; round += 1)
      for (const { place, runs } of taken) runs.push(await measure(place, action, callers));
    for (const { place, runs } of taken) {
      const each = place.servers.map(
        (server, at) => `${server.name} ${Math.round(median(runs.map(({ cpu }) => cpu[at] ?? 0)))}`,
      );
      const total = median(runs.map(({ cpu }) => cpu.reduce((sum, one) => sum + one, 0)));
      const rate = Math.round(median(runs.map((run) => run.rate)));
      say(`| ${name} | ${callers} | ${place.name} | ${Math.round(total)} | ${each.join(", ")} | ${rate} |`);
    }
  }
const [[firstPlace], [firstStore]] = [places, stores];
if (firstPlace !== undefined && firstStore !== undefined) await saySizes(firstPlace, firstStore);
await Promise.all(stores.map((store) => store.close()));
const plainServer = atWorker(coordinatorUrl(), await workerOf(schema));
await dropSchemas([schema]);
await ask(plainServer, `drop database ${plainName} with (force)`);
await test.stop();
process.exit();
