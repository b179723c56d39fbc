/** Log lines survive an outage of the database, and each is stored at most once. */
import assert from "node:assert/strict";
import { after, beforeEach, mock, test } from "node:test";
import { Database, openDatabase, type Trx } from "../../store/database.ts";
import { openRequestLog } from "../../store/request-log.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { eventually } from "../harness/eventually.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";

// Only the tests start a write.
mock.timers.enable({ apis: ["setInterval"] });
const database = await cloneDatabase();
const store = openDatabase({ connectionString: database.url }, () => {});
after(async () => {
  await store.close();
  await database.drop();
});
beforeEach(() => store.db.deleteFrom("request_log").execute());

const flushMs = 250;
const waitingMax = 20_000;
const away = () => Object.assign(new Error("the database is away"), { code: "ECONNREFUSED" });
const key = "00000000-0000-4000-8000-000000000001";
const lineOf = (name: string, at = 1) => ({
  ...{ environment: "sandbox", at, request_id: name, method: "GET", route: "/a", status: 200, latency_ms: 1 },
  ...{ brand_uuid: null, api_key_uuid: key, error_code: null, subject_uuid: null, warnings: null, phoneIndex: null },
});
const stored = async () =>
  (await store.db.selectFrom("request_log").select("request_id").orderBy("id").execute()).map((row) => row.request_id);

type Replaced = { dbOf?: () => Database; noteUse?: (uses: ReadonlyMap<string, number>) => Promise<void> };

function openLog({ dbOf = () => store.db, noteUse = async () => {} }: Replaced) {
  const errors: unknown[] = [];
  const log = openRequestLog(
    { home: store.home, cellOf: () => 0, dbOf },
    {
      noteUse: (_home, uses) => noteUse(uses),
      onError: (error) => errors.push(error),
      hidingPerson: { anonymous: [], open: [] },
    },
  );
  const untilError = () =>
    eventually(async () => {
      mock.timers.tick(flushMs);
      return errors.length > 0 ? true : undefined;
    });
  return { ...log, errors, untilError };
}

test("lines are kept while the database is away, and stored in order when it is back", async () => {
  let isAway = true;
  const log = openLog({ dbOf: () => (isAway ? assert.fail(away()) : store.db) });
  for (const name of ["a", "b", "c"]) log.add(lineOf(name));
  await log.untilError();
  log.add(lineOf("d"));
  isAway = false;
  await log.close();
  assert.deepEqual(await stored(), ["a", "b", "c", "d"]);
});

test("a batch whose connection breaks is written again, and too many lines push out only the oldest", async () => {
  const log = openLog({});
  const client = await store.pool.connect();
  await client.query("begin");
  await client.query("lock table request_log");
  for (const name of ["a", "b", "c"]) log.add(lineOf(name));
  mock.timers.tick(flushMs);
  await untilLockWaits({ store }, { words: "request_log" });
  const meanwhile = Array.from({ length: waitingMax - 2 }, (_, at) => `${at}`);
  for (const name of meanwhile) log.add(lineOf(name));
  const waiting = "wait_event_type = 'Lock' and datname = current_database()";
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`);
  await client.query("rollback");
  client.release();
  await log.close();
  assert.equal(log.errors.length, 1);
  assert.deepEqual(await stored(), ["b", "c", ...meanwhile]);
});

test("a line that is added to a full queue moves no other line", async () => {
  let isAway = true;
  const log = openLog({ dbOf: () => (isAway ? assert.fail(away()) : store.db) });
  const names = Array.from({ length: 2 * waitingMax + 1 }, (_, at) => `${at}`);
  const { shift } = Array.prototype;
  let shifts = 0;
  // This loop is synchronous, so no other code runs with the replaced method.
  Object.assign(Array.prototype, { shift: () => (shifts += 1) });
  for (const name of names) log.add(lineOf(name));
  Object.assign(Array.prototype, { shift });
  assert.equal(shifts, 0);
  isAway = false;
  await log.close();
  assert.deepEqual(await stored(), names.slice(-waitingMax));
});

test("lines that the database refuses are dropped, and do not block later lines", async () => {
  const log = openLog({});
  log.add({ ...lineOf("refused"), route: "\0" });
  await log.untilError();
  log.add(lineOf("later"));
  await log.close();
  assert.deepEqual([log.errors.length, await stored()], [1, ["later"]]);
});

/** A database whose connection breaks after each commit, before the answer. */
class Unanswered extends Database {
  override async inTransaction<Answer>(body: (trx: Trx) => Promise<Answer>): Promise<Answer> {
    await super.inTransaction(body);
    throw away();
  }
}

test("lines whose commit got no answer are not stored twice", async () => {
  const stores = [new Unanswered(store.prepared, "cell")];
  const log = openLog({ dbOf: () => stores.shift() ?? store.db });
  log.add(lineOf("a"));
  await log.close();
  assert.deepEqual([log.errors.length, await stored()], [1, ["a"]]);
});

test("the last uses of keys are kept until they can be stored", async () => {
  let isAway = true;
  const noted: [string, number][][] = [];
  const log = openLog({
    async noteUse(uses) {
      if (isAway) throw away();
      noted.push([...uses]);
    },
  });
  log.add(lineOf("a", 5));
  await log.untilError();
  log.add(lineOf("b", 3));
  isAway = false;
  await log.close();
  assert.deepEqual(noted, [[[key, 5]]]);
});
