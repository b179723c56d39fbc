/** Frequent statements are built once and prepared once, and still return correct results. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { demoBrands } from "../../providers/sandbox/demo.ts";
import { canBePrepared } from "../../store/statements/prepared.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const { db, pool } = it.stores.store;
/** Enough repetitions to prepare a statement on every connection. */
const often = 200;

test("a statement that is built once runs with the values of each call", async () => {
  const nameOf = statement((reader, { uuid }: Placeholders<{ uuid: string }>) =>
    reader.selectFrom("brand").select("name").where("uuid", "=", uuid),
  );
  for (const { uuid, name } of demoBrands) assert.deepEqual((await nameOf(db, { uuid })).rows, [{ name }]);
});

test("a missing or undefined property keeps the column's default", async () => {
  type Line = {
    environment: string;
    name: string;
    subject: string;
    payload: string;
    due_at: number;
    attempts?: number;
  };
  const insert = statement((reader, row: Placeholders<Line>) =>
    reader.insertInto("job").values(row).returning("attempts"),
  );
  const line = { environment: "none", name: "none", payload: "{}", due_at: 1 };
  const attempts = async (row: Line) => (await insert(db, row)).rows[0]?.attempts;
  assert.equal(await attempts({ ...line, subject: "1", attempts: 7 }), 7);
  assert.equal(await attempts({ ...line, subject: "2" }), 0);
  assert.equal(await attempts({ ...line, subject: "3", attempts: undefined }), 0);
});

test("frequent statements are prepared, and so are begin and commit", async () => {
  await db.inTransaction(async (trx) => {
    for (let time = 0; time < often; time += 1) await sql`select ${time}::int as number`.execute(trx);
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(trx);
    assert.ok(rows.some(({ statement }) => statement === "select $1::int as number"));
    const plain = rows.map(({ statement }) => statement).filter((text) => !text.includes("$1"));
    assert.ok(plain.includes("begin"));
    assert.ok(plain.every((text) => ["begin", "commit"].includes(text)));
  });
});

test("a statement that counts rows can be prepared, but one that selects all columns cannot", () => {
  assert.ok(canBePrepared("select count(*)::int from job where name = $1"));
  for (const text of ["select * from job where name = $1", 'select "job".* from job where name = $1', "begin"])
    assert.equal(canBePrepared(text), false, text);
});

test("prepared statements still work after another version adds a column", async () => {
  await pool.query("create table grown (a integer)");
  await pool.query("insert into grown values (1)");
  const all = () => sql`select * from grown where a = ${1}`.execute(db);
  const one = () => sql`select a from grown where a = ${1}`.execute(db);
  const both = () => Promise.all([all(), one()]);
  for (let time = 0; time < often; time += 1) await both();
  await pool.query("alter table grown add column b integer");
  for (const { rows } of await both()) assert.equal(rows.length, 1);
});

test("a prepared insert with on conflict works with a partial unique index", async () => {
  await pool.query("create table part (a integer, held boolean)");
  await pool.query("create unique index part_held on part (a) where held");
  const insert = (a: number) =>
    sql`insert into part values (${a}, true) on conflict (a) where held do nothing`.execute(db);
  for (let time = 0; time < often; time += 1) await insert(time % 7);
  assert.equal((await pool.query("select from part")).rows.length, 7);
});

test("the plan of an empty table is replaced when the table grows", async () => {
  await pool.query("create table filled (a integer primary key, b text, c char(1000))");
  const find = (a: number) => sql`select b from filled where a = any(${[a]}::integer[])`.execute(db);
  for (let time = 0; time < often; time += 1) await find(time);
  await pool.query("insert into filled select a, 'b', 'c' from generate_series(1, 2000) as a");
  for (let time = 0; time < 4 * often; time += 1) await find(time);
  await db.inTransaction(async (trx) => {
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like ${"%from filled%"}`.execute(trx);
    const plan = await sql`explain execute ${sql.id(rows[0]?.name ?? "none")} ('{1}')`.execute(trx);
    assert.match(JSON.stringify(plan.rows), /filled_pkey/);
  });
});
