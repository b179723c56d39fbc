/** Transactions send their statements together, and still commit or roll back as one. */
import assert from "node:assert/strict";
import type { EventEmitter } from "node:events";
import { after, test } from "node:test";
import { sql } from "kysely";
import { openDatabase, type Trx } from "../../store/database.ts";
import { insertRows } from "../../store/statements/rows.ts";
import { cloneDatabase } from "../harness/database-template.ts";

const database = await cloneDatabase();
const store = openDatabase({ connectionString: database.url }, () => {});
after(async () => {
  await store.close();
  await database.drop();
});
const { db, pool } = store;
await pool.query("create table note (a integer primary key)");

const insert = (a: number) => sql`insert into note values (${a})`;
const notes = async () => (await pool.query<{ a: number }>("select a from note order by a")).rows.map(({ a }) => a);

test("statements that are started together run in order on one connection", async () => {
  const seen = await db.inTransaction(async (trx) => {
    const count = () => sql<{ a: number }>`select count(*)::int as a from note`.execute(trx);
    const [, one, , two] = await Promise.all([insert(1).execute(trx), count(), insert(2).execute(trx), count()]);
    return [one, two].map(({ rows }) => rows[0]?.a);
  });
  assert.deepEqual(
    [seen, await notes()],
    [
      [1, 2],
      [1, 2],
    ],
  );
});

test("a statement that fails rolls back the ones sent with it, and its error is the one reported", async () => {
  const failed = db.inTransaction((trx) =>
    Promise.all([insert(3).execute(trx), insert(1).execute(trx), insert(4).execute(trx)]),
  );
  await assert.rejects(failed, { constraint: "note_pkey" });
  assert.deepEqual(await notes(), [1, 2]);
});

test("the cause is reported even if a later statement reports its failure first", async () => {
  const slowly = async (failing: Promise<unknown>) => {
    try {
      await failing;
    } catch (error) {
      await Promise.resolve();
      throw error;
    }
  };
  const failed = db.inTransaction((trx) =>
    Promise.all([slowly(slowly(insert(1).execute(trx))), insert(7).execute(trx)]),
  );
  await assert.rejects(failed, { constraint: "note_pkey" });
});

test("an error that the caller's function ignores still rolls the transaction back", async () => {
  const failed = db.inTransaction(async (trx) => {
    await insert(5).execute(trx);
    await insert(1)
      .execute(trx)
      .catch(() => undefined);
  });
  await assert.rejects(failed, /rolled back/);
  assert.deepEqual(await notes(), [1, 2]);
});

test("the connection works again after a rollback", async () => {
  const failed = () => db.inTransaction((trx) => insert(1).execute(trx));
  for (let time = 0; time < 40; time += 1) await assert.rejects(failed, { constraint: "note_pkey" });
  await Promise.all(Array.from({ length: 40 }, (_, at) => db.inTransaction((trx) => insert(100 + at).execute(trx))));
  assert.equal((await notes()).length, 42);
});

test("begin is sent with the first statements, and the commit with the last ones if they are named so", async () => {
  // A new connection. A used one can discard its plans meanwhile, which is one more round trip.
  const single = openDatabase({ connectionString: database.url }, () => {}, { poolSize: 1 });
  const client = await single.pool.connect();
  const wire = (client as unknown as { connection: EventEmitter }).connection;
  client.release();
  let trips = 0;
  wire.on("readyForQuery", () => {
    trips += 1;
  });
  /** How often the server was asked, counted by its answers "ready". */
  const roundTripsOf = async (run: (trx: Trx) => Promise<unknown>) => {
    const before = trips;
    await single.db.inTransaction(run);
    return trips - before;
  };
  const usual = await roundTripsOf((trx) => insert(200).execute(trx));
  const last = await roundTripsOf((trx) => trx.last(() => insert(201).execute(trx)));
  const two = await roundTripsOf(async (trx) => {
    await insert(202).execute(trx);
    await trx.last(() => Promise.all([insert(203).execute(trx), insert(204).execute(trx)]));
  });
  await single.close();
  assert.deepEqual([usual, last, two], [2, 1, 2]);
  assert.deepEqual((await notes()).slice(-5), [200, 201, 202, 203, 204]);
});

test("nothing is committed if one of the last statements fails or cannot be sent", async () => {
  const failed = db.inTransaction((trx) =>
    trx.last(() => Promise.all([insert(300).execute(trx), insert(1).execute(trx), insert(301).execute(trx)])),
  );
  await assert.rejects(failed, { constraint: "note_pkey" });
  const unsendable = {
    toJSON: () => {
      throw new Error("cannot be sent");
    },
  };
  const unsent = db.inTransaction(async (trx) => {
    await insert(302).execute(trx);
    await trx.last(() => Promise.all([sql`select ${unsendable}`.execute(trx), insert(303).execute(trx)]));
  });
  await assert.rejects(unsent, /cannot be sent/);
  assert.equal((await notes()).at(-1), 204);
});

test("a statement that starts after the commit was sent is refused", async () => {
  const late = db.inTransaction((trx) =>
    trx.last(async () => {
      await insert(400).execute(trx);
      await insert(401).execute(trx);
    }),
  );
  await assert.rejects(late, /after its transaction ended/);
});

test("a statement fails if what the server checks at its commit fails, with or without a transaction", async () => {
  await pool.query(
    "create table line (a integer, constraint late foreign key (a) references note deferrable initially deferred)",
  );
  const late = sql`insert into line values (999)`;
  await assert.rejects(late.execute(db), { constraint: "late" });
  await assert.rejects(
    db.inTransaction((trx) => trx.last(() => late.execute(trx))),
    { constraint: "late" },
  );
  assert.deepEqual((await pool.query("select * from line")).rows, []);
});

test("a transaction's handle refuses statements after its end", async () => {
  const trx = await db.inTransaction(async (trx) => trx);
  await assert.rejects(insert(6).execute(trx), /after its transaction ended/);
});

test("insertRows inserts any number of rows, including none, and accepts jsonb values", async () => {
  const job = (subject: string) => ({
    environment: "none",
    name: "none",
    subject,
    payload: { of: subject },
    due_at: 1,
  });
  await insertRows(db, "job", [job("one"), job("two"), job("three")]);
  await insertRows(db, "job", []);
  const rows = await db
    .selectFrom("job")
    .select(["subject", "payload"])
    .where("name", "=", "none")
    .orderBy("id")
    .execute();
  assert.deepEqual(
    rows,
    [job("one"), job("two"), job("three")].map(({ subject, payload }) => ({ subject, payload })),
  );
});
