import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import test, { after } from "node:test";
import type pg from "pg";
import { openDatabase } from "../../store/database.ts";
import {
  type Migrations,
  migrate,
  migrations,
  pendingMigrations,
  statementsOf,
} from "../../store/migrations/migrate.ts";
import { dumpSchema } from "../../store/migrations/schema-dump.ts";
import { cloneDatabase } from "../harness/database-template.ts";

async function emptyStore() {
  const database = await cloneDatabase("empty");
  const store = openDatabase({ connectionString: database.url }, () => {});
  after(async () => {
    await store.close();
    await database.drop();
  });
  return store;
}

/** Migrations of a later version: one that changes a big table, and one that builds indexes of it. */
const added = { "9000-column": "alter table request_log add column later text; create table later (id integer)" };
const indexed = {
  "9001-index": { request_log_later: "request_log (later)", later_id: { unique: "later (id)" } },
} satisfies Migrations;
const list: Migrations = { ...migrations, ...added, ...indexed };
const later = [...Object.keys(added), ...Object.keys(indexed)];

type Client = Pick<pg.Pool, "query">;
const write = (client: Client, requestId = "a") =>
  client.query(
    `insert into request_log (environment, at, request_id, method, route, status, latency_ms)
     values ('sandbox', 1, $1, 'GET', '/', 200, 1)`,
    [requestId],
  );
const names = async (client: Client) =>
  (await client.query("select name from migration order by name")).rows.map(({ name }) => name);
/** Waits until a statement that begins like this waits for a lock. */
async function waits(pool: pg.Pool, beginning: string): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and starts_with(query, $1)`;
  while ((await pool.query(waiting, [beginning])).rows.length === 0);
}

test("an empty database gets all migrations, and a second run has nothing to do", async () => {
  const { db } = await emptyStore();
  const pending = await pendingMigrations(db);
  assert.deepEqual(pending, Object.keys(migrations));
  assert.deepEqual(await migrate(db), pending);
  assert.deepEqual(await pendingMigrations(db), []);
  assert.deepEqual(await migrate(db), []);
});

/** The migrations of the newest release. Before 1.0.0, today's take their place. */
const file = new URL("../../store/migrations/released.json", import.meta.url);
const released: Migrations = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : migrations;

test("a database of the newest release, whose migrations are unchanged, gets only the later ones and keeps its rows", async () => {
  const unchanged = Object.entries(released);
  assert.deepEqual(Object.entries(list).slice(0, unchanged.length), unchanged);
  const { db, pool } = await emptyStore();
  await migrate(db, { list: released });
  await write(pool);
  const others = Object.keys(list).filter((name) => !Object.hasOwn(released, name));
  assert.deepEqual(await pendingMigrations(db, list), others);
  const steps: number[][] = [];
  assert.deepEqual(await migrate(db, { list, onStep: (...step) => steps.push(step) }), others);
  assert.deepEqual(
    steps,
    others.map((_, at) => [at, others.length]),
  );
  assert.deepEqual((await pool.query("select request_id, later from request_log")).rows, [
    { request_id: "a", later: null },
  ]);
  const { rows } = await pool.query(
    `select indexrelid::regclass::text as name, indisunique as is_unique, indisvalid as is_valid from pg_index
      where indexrelid in (to_regclass('request_log_later'), to_regclass('later_id')) order by 1`,
  );
  assert.deepEqual(rows, [
    { name: "later_id", is_unique: true, is_valid: true },
    { name: "request_log_later", is_unique: false, is_valid: true },
  ]);
});

test("concurrent processes run each migration once", async () => {
  const { db, pool } = await emptyStore();
  const ran = await Promise.all(Array.from({ length: 8 }, () => migrate(db, { list })));
  assert.deepEqual(ran.flat().sort(), Object.keys(list));
  assert.deepEqual(await names(pool), Object.keys(list));
});

test("docs/schema.sql matches the schema that the migrations create", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  const committed = await readFile(new URL("../../../../../docs/schema.sql", import.meta.url), "utf8");
  assert.equal(await dumpSchema(pool), committed, "docs/schema.sql is stale: npm run generate");
});

test("an older version accepts a database that has a newer version's migrations", async () => {
  const { db } = await emptyStore();
  await migrate(db, { list });
  assert.deepEqual([await pendingMigrations(db), await migrate(db)], [[], []]);
});

test("a migration that fails changes nothing, and the ones before it stay", async () => {
  const { db, pool } = await emptyStore();
  const broken = { ...migrations, ...added, "9002-broken": "create table broken (id integer); select from nowhere" };
  await assert.rejects(migrate(db, { list: broken }), /nowhere/);
  assert.deepEqual(await names(pool), [...Object.keys(migrations), ...Object.keys(added)]);
  assert.deepEqual((await pool.query("select to_regclass('broken') as found")).rows, [{ found: null }]);
});

test("a migration that waits for a table lets writers through, and runs once the table is free", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  const long = await pool.connect();
  await long.query("begin");
  await write(long);
  const migrated = migrate(db, { list });
  await waits(pool, "alter table request_log");
  // It queues behind the migration until that gives up, and must not wait for the long transaction.
  await write(pool, "b");
  await long.query("commit");
  long.release();
  assert.deepEqual(await migrated, later);
});

test("an index that a crash left unfinished is rebuilt without blocking writes", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db, { list: { ...migrations, ...added } });
  await pool.query("create index request_log_later on request_log (later)");
  await pool.query("update pg_index set indisvalid = false where indexrelid = to_regclass('request_log_later')");
  const long = await pool.connect();
  await long.query("begin");
  await write(long);
  const migrated = migrate(db, { list });
  await waits(pool, "drop index concurrently");
  const other = await pool.connect();
  await other.query("set lock_timeout = 1000");
  await write(other);
  await long.query("commit");
  for (const client of [long, other]) client.release(true);
  assert.deepEqual(await migrated, Object.keys(indexed));
  const { rows } = await pool.query(
    "select indisvalid from pg_index where indexrelid = to_regclass('request_log_later')",
  );
  assert.deepEqual(rows, [{ indisvalid: true }]);
});

test("a new index is built without blocking writes", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db, { list: { ...migrations, ...added } });
  const long = await pool.connect();
  await long.query("begin");
  await write(long);
  const migrated = migrate(db, { list });
  await waits(pool, "create index concurrently");
  const other = await pool.connect();
  await other.query("set lock_timeout = 1000");
  await write(other);
  await long.query("commit");
  for (const client of [long, other]) client.release(true);
  assert.deepEqual(await migrated, Object.keys(indexed));
});

/** Tables in whose migration an index is created, although another migration created the table. */
function tablesBlocked(all: Migrations): string[] {
  return Object.values(all).flatMap((migration) => {
    if (typeof migration !== "string") return [];
    const created = new Set([...migration.matchAll(/create (?:unlogged )?table (\w+)/g)].map(([, table]) => table));
    const of = [...migration.matchAll(/create (?:unique )?index \w+ on (\w+)/g)].map(([, table = ""]) => table);
    return of.filter((table) => !created.has(table));
  });
}

test("no migration blocks writes to a table with rows while it builds an index", () => {
  assert.deepEqual(tablesBlocked(migrations), [], "indexes of these tables belong in an Indexes migration");
  assert.deepEqual(tablesBlocked({ "9000-later": "create index a on request_log (later)" }), ["request_log"]);
});

test("migrations can be split at semicolons", () => {
  for (const [name, text] of Object.entries(list)) {
    if (typeof text !== "string") continue;
    assert.doesNotMatch(text, /\$\$|'[^'\n]*(--|;)[^'\n]*'/, name);
    for (const one of statementsOf(text)) {
      assert.equal(one.split("'").length % 2, 1, `${name} has a quote across statements`);
      assert.equal(one.split("(").length, one.split(")").length, `${name} has parentheses across statements`);
    }
  }
});
