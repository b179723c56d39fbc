/** What can be tested of Citus without a cluster. `npm run prove -- citus` runs the rest on one. */
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { prepareForMoves, throughServer } from "../../store/cells/citus.ts";
import { openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/migrations/migrate.ts";
import { numberedTables } from "../../store/statements/numbered-rows.ts";
import { insertRows } from "../../store/statements/rows.ts";
import { cloneDatabase } from "../harness/database-template.ts";

const database = await cloneDatabase();
const store = openDatabase({ connectionString: database.url }, () => {}, { poolSize: 2 });
after(async () => {
  await store.close();
  await database.drop();
});
const schema = "public";

test("a schema that can be moved has a key in each table and no unlogged table, and is used as before", async () => {
  await prepareForMoves(store.db, schema);
  // The command can be repeated after a crash.
  await prepareForMoves(store.db, schema);
  const { rows } = await store.pool.query(`
    select relname from pg_class
     where relnamespace = '${schema}'::regnamespace and relkind = 'r'
       and (relpersistence <> 'p' or not exists (select from pg_index where indrelid = pg_class.oid and indisprimary))`);
  assert.deepEqual(rows, []);
  assert.deepEqual(await migrate(store.db), []);
  const line = {
    environment: "sandbox",
    at: 1,
    request_id: "a",
    method: "GET",
    route: "/",
    status: 200,
    latency_ms: 1,
  };
  await insertRows(store.db, "request_log", [line, line]);
  assert.equal((await store.db.selectFrom("request_log").select("id").execute()).length, 2);
});

test("rows with lists are stored as they are", async () => {
  const line = {
    environment: "sandbox",
    at: 2,
    request_id: "b",
    method: "GET",
    route: "/",
    status: 200,
    latency_ms: 1,
  };
  const lists = [["one, two", 'with "quotes" and {braces}'], [], null];
  await insertRows(
    store.db,
    "request_log",
    lists.map((warnings) => ({ ...line, warnings })),
  );
  const stored = await store.db
    .selectFrom("request_log")
    .select("warnings")
    .where("at", "=", 2)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    stored.map(({ warnings }) => warnings),
    lists,
  );
});

test("the list of numbered tables is complete", async () => {
  const { rows } = await store.pool.query(`
    select table_name as name from information_schema.columns
     where table_schema = '${schema}' and is_identity = 'YES' order by 1`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...numberedTables].sort(),
  );
});

test("any number of rows is inserted completely", async () => {
  const count = 150;
  const row = { environment: "sandbox", at: 3, action: "oneClick.released", request_id: "c", detail: {} };
  await insertRows(
    store.db,
    "audit",
    Array.from({ length: count }, () => row),
  );
  assert.equal((await store.db.selectFrom("audit").select("id").execute()).length, count);
});

test("a worker's cell is changed through the server of the brands, in the cell's own schema", () => {
  const changed = throughServer(
    "postgres://operator:secret@coordinator/db?options=-c%20search_path%3Dhome&sslmode=require",
    "postgres://reader@worker1:5433/db?options=-c%20search_path%3Dcell_1",
  );
  assert.equal(
    throughServer("postgres://a:5432,b:5432/db", "postgres://c/db?options=-csearch_path%3Dcell_1"),
    "postgres://a:5432,b:5432/db?options=-csearch_path%3Dcell_1",
  );
  const { username, password, host, searchParams } = new URL(changed);
  assert.deepEqual([username, password, host], ["operator", "secret", "coordinator"]);
  assert.equal(searchParams.get("options"), "-c search_path=cell_1");
  assert.equal(searchParams.get("sslmode"), "require");
});
