import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test, { after } from "node:test";
import { openDatabase } from "../store/database.ts";
import { migrate, migrations, pendingMigrations } from "../store/migrate.ts";
import { dumpSchema } from "../store/schema-dump.ts";
import { cloneDatabase } from "./template.ts";

async function emptyStore() {
  const database = await cloneDatabase("empty");
  const store = openDatabase({ connectionString: database.url }, () => {});
  after(async () => {
    await store.close();
    await database.drop();
  });
  return store;
}

test("an empty database is brought up to date, and the second time nothing is left to do", async () => {
  const { db } = await emptyStore();
  const pending = await pendingMigrations(db);
  assert.ok(pending.length > 0);
  assert.deepEqual(await migrate(db), pending);
  assert.deepEqual(await pendingMigrations(db), []);
  assert.deepEqual(await migrate(db), []);
});

test("processes that migrate at once all end with the same schema, each migration run once", async () => {
  const { db, pool } = await emptyStore();
  const ran = await Promise.all(Array.from({ length: 8 }, () => migrate(db)));
  const { rows } = await pool.query("select name from migration order by name");
  assert.deepEqual(
    ran.flat().sort(),
    rows.map((row) => row.name),
  );
});

test("docs/schema.sql is what the migrations make", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  const committed = await readFile(new URL("../../../../docs/schema.sql", import.meta.url), "utf8");
  assert.equal(await dumpSchema(pool), committed, "docs/schema.sql is stale: npm run generate");
});

test("a version that finds a newer one's migrations in the database starts beside it", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  await pool.query("insert into migration (name, timestamp) values ('9999-of-a-newer-version', '')");
  assert.deepEqual(await migrate(db), []);
});

test("an index is built while others write, and one that a crash left unfinished is built again", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  const name = "request_log_at";
  const isValid = async () =>
    (await pool.query("select indisvalid from pg_index where indexrelid = to_regclass($1)", [name])).rows[0]
      ?.indisvalid;
  await pool.query("update pg_index set indisvalid = false where indexrelid = to_regclass($1)", [name]);
  await pool.query("delete from migration where name = '0018-indexes'");
  const write = (client: { query(text: string): Promise<unknown> }) =>
    client.query(`insert into request_log (environment, at, request_id, brand_uuid, method, route, status, latency_ms)
      values ('sandbox', 1, 'a', '00000000-0000-4000-8000-000000000000', 'GET', '/', 200, 1)`);
  const long = await pool.connect();
  await pool.query("alter table request_log drop constraint if exists request_log_brand_uuid_fkey");
  await long.query("begin");
  await write(long);
  const migrated = migrate(db);
  const isBuilding = async () =>
    (await pool.query("select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'index concurrently'"))
      .rows.length > 0;
  while (!(await isBuilding()));
  const other = await pool.connect();
  await other.query("set lock_timeout = 1000");
  await write(other);
  await long.query("commit");
  for (const client of [long, other]) client.release(true);
  assert.deepEqual([await migrated, await isValid()], [["0018-indexes"], true]);
});

/** Before it nobody had rows. */
const firstWithRows = "0011";
test("no index holds up whoever writes to a table that has rows", () => {
  for (const [name, migration] of Object.entries(migrations)) {
    if (name < firstWithRows || typeof migration !== "string") continue;
    const made = new Set([...migration.matchAll(/create table (\w+)/g)].map(([, table]) => table));
    for (const [, table] of migration.matchAll(/create (?:unique )?index \w+ on (\w+)/g))
      assert.ok(made.has(table), `${name}: an index of ${table} belongs into Indexes`);
  }
});
