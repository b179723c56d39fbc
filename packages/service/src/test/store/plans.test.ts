// alone: patches the database driver
/**
 * With millions of rows, no statement may read a whole table. Each one must find its rows by the first column of an
 * index.
 */
import assert from "node:assert/strict";
import test, { mock } from "node:test";
import pg from "pg";
import { fittingRange } from "../../domain/reporting/analytics.ts";
import { listJourneys, openJourney } from "../../domain/reporting/journey.ts";
import { countLog, searchLog } from "../../domain/reporting/log.ts";
import { readFigures } from "../../domain/reporting/overview.ts";
import { cellSweeps, homeSweeps } from "../../domain/retention/sweep.ts";
import { listLastAttempts } from "../../domain/webhook/inspect.ts";
import { demoBrands } from "../../providers/sandbox/demo.ts";
import { holdsIssued, holdsUuid, knowsPerson } from "../../store/cells/held-rows.ts";
import { faultyJourneys } from "../harness/faults/faulty-journeys.ts";
import { minute, openTrip } from "../harness/faults/retrying-client.ts";
import { sandbox } from "../harness/sandbox.ts";
import { sentStatements } from "../harness/sent-statements.ts";

const texts = new Set<string>();
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, "query", function (this: pg.Client, ...asked: unknown[]) {
  for (const { text } of sentStatements(asked[0])) texts.add(text);
  return Reflect.apply(query, this, asked);
});

const it = await sandbox({}, { ROLES: "api,wallet,dashboard" });

// Sweeps that run only once an hour may read whole tables.
texts.clear();
for (const sweep of Object.values({ ...cellSweeps.hourly, ...homeSweeps.hourly })) await sweep(it.deps);
const hourly = new Set(texts);

const hasPlan = /^\s*(with|select|insert|update|delete)\b.*\$1/s;
/** A service that starts alone releases all claims. In these tests the journeys do that. */
const atStart = 'update "job" set "leased_until" = $1 where "leased_until" > $2';

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
};

for (const [name, journey] of Object.entries(faultyJourneys))
  test(`${name}: no statement reads a whole table`, async () => {
    texts.clear();
    await journey(openTrip(it, { keyed: true, losesAnswers: false }));
    await it.advance(2 * minute);
    const asked = [...texts].filter((text) => hasPlan.test(text) && text !== atStart && !hourly.has(text));
    assert.ok(asked.length > 10, "too few statements were recorded");
    assert.deepEqual(await wholeReadsIn(asked), []);
    assert.deepEqual(
      asked.filter((text) => notRouted.some((form) => form.test(text))),
      [],
    );
  });

test("finding the cell of an object, a credential or a person reads no whole table", async () => {
  texts.clear();
  const { db, environment, random, vault } = it.deps;
  const id = random.uuid();
  await holdsUuid(db, id);
  await holdsIssued(db, { environment, ids: [id], brandUuid: random.uuid() });
  for (const kind of ["phone", "email"] as const)
    await knowsPerson(db, { environment, kind, index: vault.index(kind, environment, id) });
  const asked = [...texts].filter((text) => text.includes("as found"));
  assert.equal(asked.length, 4);
  assert.deepEqual(await wholeReadsIn(asked), []);
});

test("a brand's overview, its automatic range and the attempts of its webhooks read no whole table", async () => {
  texts.clear();
  const brandUuid = it.deps.random.uuid();
  const deps = { ...it.deps, cells: [{ number: 0, db: it.deps.db }] };
  await readFigures(deps, brandUuid);
  await fittingRange(deps, brandUuid);
  await listLastAttempts(it.homeDeps, [it.deps.random.uuid()]);
  const asked = [...texts].filter((text) => hasPlan.test(text));
  assert.equal(asked.length, 7);
  assert.deepEqual(await wholeReadsIn(asked), []);
  assert.deepEqual(
    asked.filter((text) => notRouted.some((form) => form.test(text))),
    [],
  );
});

test("a page of the log starts no parallel workers, however large the log is", async () => {
  texts.clear();
  const [brand] = demoBrands;
  await searchLog({ ...it.deps, cells: [{ number: 0, db: it.deps.db }] }, { brandUuid: brand?.uuid ?? "", filter: {} });
  const asked = [...texts].filter((text) => hasPlan.test(text) && text.includes("request_log"));
  assert.equal(asked.length, 1);
  const client = await it.stores.store.pool.connect();
  try {
    await client.query("begin");
    // Makes PostgreSQL use workers wherever the connection allows them, as it does by itself for a large log.
    await client.query("set local debug_parallel_query = on");
    for (const text of asked) {
      const kinds = [...nodesOf(await planOf(client, text))].map((node) => node["Node Type"]);
      assert.deepEqual(
        kinds.filter((kind) => kind.startsWith("Gather")),
        [],
      );
    }
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("a search of the log, its count and a journey read no whole table", async () => {
  const [{ uuid: brand = "" } = {}] = demoBrands;
  const deps = { ...it.deps, cells: [{ number: 0, db: it.deps.db }] };
  const { uuid } = (await it.api.createOneClick({ body: { phone: "+12125550010" } })).body;
  const verification = (await it.api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body.uuid;
  texts.clear();
  for (const filter of [
    ...[{}, { status: "refused" }, { status: "succeeded" }, { errorCode: "OCE011" }, { route: "/x" }, { uuid }],
    ...[{ range: "hour" }, { from: 1, to: 2, method: "GET" }, { phone: "+12125550010" }, { lastFour: "0010" }],
  ] as const) {
    await searchLog(deps, { brandUuid: brand, filter });
    await countLog(deps, { brandUuid: brand, filter });
  }
  await listJourneys(deps, { brandUuid: brand, max: 20 });
  for (const one of [uuid, verification, it.deps.random.uuid()]) await openJourney(deps, brand, one).catch(() => {});
  const asked = [...texts].filter((text) => hasPlan.test(text));
  assert.ok(asked.length > 20, "too few statements were recorded");
  assert.deepEqual(await wholeReadsIn(asked), []);
});

/** Forms that Citus cannot send to the worker of a cell under our plan settings. */
const notRouted = [
  /^\s*insert into [^(]+\([^)]*\)\s*\(?\s*(select|with)\b/i,
  /^\s*with\b.*\binsert into\b/is,
  /^\s*(with|update|delete|select.*\bfrom)\b.*\bnextval\b/is,
  /\bfrom (?!pg_locks)\b.*\bpg_locks\b/is,
];

async function wholeReadsIn(statements: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const text of statements) for (const what of await wholeReads(text)) found.push(`${what}: ${text}`);
  return found;
}

/**
 * Returns the tables that a statement can only read in full. The tables are almost empty here, so PostgreSQL may choose
 * an unsuitable index; indexes that a plan reads in full are disabled until none is left.
 */
async function wholeReads(text: string): Promise<string[]> {
  const client = await it.stores.store.pool.connect();
  try {
    await client.query("begin");
    await client.query("set local enable_seqscan = off");
    for (;;) {
      const plan = await planOf(client, text);
      const whole = [...indexesWithout(plan, await leadingColumns(client))];
      if (whole.length === 0) return [...tablesOf(plan)];
      await client.query("update pg_index set indisvalid = false where indexrelid = any($1::regclass[])", [whole]);
    }
  } finally {
    await client.query("rollback");
    client.release();
  }
}

async function planOf(client: pg.PoolClient, text: string): Promise<Plan> {
  const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
  return rows[0]["QUERY PLAN"][0].Plan;
}

async function leadingColumns(client: pg.PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query(`
    select i.indexrelid::regclass::text as index, a.attname as column
      from pg_index i join pg_attribute a on a.attrelid = i.indexrelid and a.attnum = 1`);
  return new Map(rows.map(({ index, column }) => [index, column]));
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan;
  for (const below of plan.Plans ?? []) yield* nodesOf(below);
}

function* tablesOf(plan: Plan): Generator<string> {
  for (const node of nodesOf(plan)) if (node["Node Type"] === "Seq Scan") yield `full scan of ${node["Relation Name"]}`;
}

function* indexesWithout(plan: Plan, leading: Map<string, string>): Generator<string> {
  for (const { "Index Name": index, "Index Cond": condition = "" } of nodesOf(plan))
    if (index !== undefined && !new RegExp(`\\b${leading.get(index)}\\b`).test(condition)) yield index;
}

test("deleting a referenced row reads no whole table, because the referencing columns have indexes", async () => {
  const { rows } = await it.stores.store.pool.query(`
    select f.conrelid::regclass || '.' || a.attname as "column"
      from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
     where f.contype = 'f' and f.connamespace = current_schema()::regnamespace and f.confrelid <> all ('{customer,brand,member,person}'::regclass[])
       and not exists (select from pg_index i
                        where i.indrelid = f.conrelid and i.indkey[0] = f.conkey[1] and i.indpred is null)
     order by 1`);
  // These tables have only one row per cell, member, operator or webhook. Customers, brands, members and people are excluded because
  // they are never deleted.
  assert.deepEqual(
    rows.map(({ column }) => column),
    ["cell.data_key_uuid", "member.data_key_uuid", "operator.data_key_uuid", "webhook_endpoint.data_key_uuid"],
  );
});
