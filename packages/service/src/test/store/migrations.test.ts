import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test, { after } from "node:test";
import { openDatabase } from "../../store/database.ts";
import { migrate, migrations, pendingMigrations, statementsOf } from "../../store/migrate.ts";
import { dumpSchema } from "../../store/schema-dump.ts";
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

test("an empty database gets all migrations, and a second run has nothing to do", async () => {
  const { db } = await emptyStore();
  const pending = await pendingMigrations(db);
  assert.ok(pending.length > 0);
  assert.deepEqual(await migrate(db), pending);
  assert.deepEqual(await pendingMigrations(db), []);
  assert.deepEqual(await migrate(db), []);
});

test("concurrent processes run each migration once", async () => {
  const { db, pool } = await emptyStore();
  const ran = await Promise.all(Array.from({ length: 8 }, () => migrate(db)));
  const { rows } = await pool.query("select name from migration order by name");
  assert.deepEqual(
    ran.flat().sort(),
    rows.map((row) => row.name),
  );
});

test("docs/schema.sql matches the schema that the migrations create", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  const committed = await readFile(new URL("../../../../../docs/schema.sql", import.meta.url), "utf8");
  assert.equal(await dumpSchema(pool), committed, "docs/schema.sql is stale: npm run generate");
});

test("an older version accepts a database that has a newer version's migrations", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  await pool.query("insert into migration (name, timestamp) values ('9999-of-a-newer-version', '')");
  assert.deepEqual(await migrate(db), []);
});

test("an index that a crash left unfinished is rebuilt without blocking writes", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  const name = "request_log_line";
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

test("migrations mark old replaced texts as superseded and clear the hashes in former holders' consents", async () => {
  const { db, pool } = await emptyStore();
  await migrate(db);
  // Restore the earlier schema and add rows of that version.
  await pool.query("alter table verification_past drop column texts_sent");
  await pool.query("alter table consent drop column evidence_hash");
  const names = ["0029-superseded-texts", "0030-consent-evidence"];
  await pool.query("delete from migration where name = any($1)", [names]);
  const past = await pool.connect();
  await past.query("set session_replication_role = replica");
  const uuid = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const text = (number: number, of: number, status: string, sentAt: number | null) =>
    past.query(
      `insert into message (uuid, environment, verification_uuid, data_key_uuid, channel, to_index, status, created_at, sent_at)
       values ($1, 'sandbox', $2, $1, 'sms', 'x', $3, $5, $4)`,
      [uuid(number), uuid(of), status, sentAt, number],
    );
  await text(1, 8, "failed", null);
  await text(2, 8, "sent", 2);
  await text(3, 9, "failed", null);
  await text(4, 7, "failed", 4);
  await text(5, 7, "queued", null);
  const holder = (number: number, phone: string | null, email: string | null) =>
    past.query(
      `with one as (insert into person (uuid, environment, phone_index, email_index, index_key_version, generation, data_key_uuid, first_seen_at)
         values ($1, 'sandbox', $2, $3, 1, 1, $1, 1))
       insert into consent (uuid, environment, at, action, source, person_uuid, phone_index, email_index, version, words)
       values ($1, 'sandbox', 1, 'share', 'wallet', $1, 'phone', 'email', '2026-11', 'as stored')`,
      [uuid(number), phone, email],
    );
  await holder(1, "phone", null);
  await holder(2, null, null);
  await holder(3, null, "email");
  past.release(true);

  assert.deepEqual(await migrate(db), names);
  const { rows: texts } = await pool.query("select status from message order by created_at");
  assert.deepEqual(
    texts.map(({ status }) => status),
    ["superseded", "sent", "failed", "failed", "queued"],
  );
  const { rows: consents } = await pool.query(
    "select phone_index is not null as phone, email_index is not null as email, words from consent order by uuid",
  );
  const words = "as stored";
  assert.deepEqual(consents, [
    { phone: true, email: true, words },
    { phone: false, email: false, words },
    { phone: true, email: true, words },
  ]);
});

/** Before this migration, no installation had rows. */
const firstWithRows = "0011";
test("no migration blocks writes to a table with rows while it builds an index", () => {
  for (const [name, migration] of Object.entries(migrations)) {
    if (name < firstWithRows || typeof migration !== "string") continue;
    const created = new Set([...migration.matchAll(/create table (\w+)/g)].map(([, table]) => table));
    for (const [, table] of migration.matchAll(/create (?:unique )?index \w+ on (\w+)/g))
      assert.ok(created.has(table), `${name}: an index of ${table} belongs in an Indexes migration`);
  }
});

test("migrations can be split at semicolons", () => {
  for (const [name, text] of Object.entries(migrations)) {
    if (typeof text !== "string") continue;
    assert.doesNotMatch(text, /\$\$|'[^'\n]*(--|;)[^'\n]*'/, name);
    for (const one of statementsOf(text)) {
      assert.equal(one.split("'").length % 2, 1, `${name} has a quote across statements`);
      assert.equal(one.split("(").length, one.split(")").length, `${name} has parentheses across statements`);
    }
  }
});
