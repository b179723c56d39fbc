import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test, { after } from "node:test";
import { openDatabase } from "../store/database.ts";
import { migrate, pendingMigrations } from "../store/migrate.ts";
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
