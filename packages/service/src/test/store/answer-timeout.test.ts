/** A statement that gets no answer in time fails, and its connection is discarded. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../store/database.ts";
import { isConnectionLost } from "../../store/outage.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const answerMs = 20_000;
const lock = sql`select pg_advisory_xact_lock(7)`;

/** A pool that no one else uses. Its timeouts pass only when the test moves the clock. */
function poolOf(t: TestContext, poolSize: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const store = openDatabase(it.stores.store.connection, () => {}, { poolSize, answerMs });
  return { store, db: store.db };
}

test("a statement without an answer fails, in a transaction too, and the next one uses a new connection", async (t) => {
  const { store, db } = poolOf(t, 1);
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
  for (const run of [() => lock.execute(db), () => db.inTransaction((trx) => lock.execute(trx))]) {
    const before = await backend();
    await it.stores.store.db.inTransaction(async (holder) => {
      await lock.execute(holder);
      const failed = assert.rejects(run(), isConnectionLost);
      await untilLockWaits(it.stores);
      t.mock.timers.tick(answerMs);
      await failed;
      assert.notEqual(await backend(), before);
    });
  }
  await store.close();
});

test("a connection with statement_timeout 0 keeps waiting when other statements time out", async (t) => {
  const { store, db } = poolOf(t, 2);
  let patient: Promise<string> | undefined;
  await it.stores.store.db.inTransaction(async (holder) => {
    await lock.execute(holder);
    patient = db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection);
      await lock.execute(connection);
      return "answered";
    });
    await untilLockWaits(it.stores);
    const failed = assert.rejects(lock.execute(db), /Query read timeout/);
    await untilLockWaits(it.stores, { count: 2 });
    t.mock.timers.tick(answerMs);
    await failed;
  });
  assert.equal(await patient, "answered");
  await store.close();
});
