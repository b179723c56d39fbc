/**
 * The database is full, read-only or unreachable: requests get 503, nothing is partly written, and the service recovers
 * without a restart.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { failureOf } from "../../http/envelope.ts";
import { freshPhone } from "../harness/below-http.ts";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
assert.ok("connectionString" in it.store.connection);
/** A separate client that changes the database outside the service's pool. */
const keeper = new pg.Client(it.store.connection);
before(() => keeper.connect());
// Ignore errors: the sandbox closes first and drops its database while this client is still connected.
keeper.on("error", () => {});
after(() => keeper.end());

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  it.inject({ method: "POST", url: path, payload, headers: { authorization: demoKey, ...headers } });
const beginVerification = () => post("/v2/1-click/verifications", { channel: "sms", phone: freshPhone() });
const uuidOf = ({ body }: Awaited<ReturnType<typeof post>>): string => (body as { uuid: string }).uuid;

/** Changes the tables of each cell. */
async function inEveryCell(statement: string): Promise<void> {
  for (const { db } of it.deps.cells.all()) await sql.raw(statement).execute(db);
}

/**
 * Counts the rows of each table that a request can write, except tables that change on their own: request log, rate
 * limits, jobs, and counts of texts, which are written later.
 */
async function rows(): Promise<Record<string, number>> {
  const { rows: tables } = await keeper.query(
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_name not in ('request_log', 'rate_limit', 'job', 'text_result')",
  );
  const found: Record<string, number> = {};
  for (const { name } of tables)
    found[name] = Number(
      (await keeper.query(`select count(*) as count from "${name}" ${name === "use_count" ? "where used > 0" : ""}`))
        .rows[0].count,
    );
  return found;
}

/** Checks that each call that writes is refused with 503 and writes nothing. */
async function assertRefused(uuid: string, oneClickUuid: string): Promise<void> {
  const untouched = await rows();
  const calls = [
    () => post("/v2/1-click", { phone: freshPhone() }),
    () => beginVerification(),
    () => post(`/v2/1-click/verifications/${uuid}/deliver`, {}),
    () => post(`/v2/1-click/verifications/${uuid}/verify`, { code: "000000" }),
    () =>
      post("/credentials", {
        phone: freshPhone(),
        credentials: [{ type: "SsnCredential", data: { ssn: "000456789" } }],
      }),
    // A read must be recorded in the audit log, so it is refused as well.
    () => it.inject({ method: "GET", url: `/v2/1-click/${oneClickUuid}`, headers: { authorization: demoKey } }),
  ];
  for (const [index, call] of calls.entries()) {
    const { status, body, headers } = await call();
    assertEnvelope(status, body);
    assert.deepEqual([status, headers["retry-after"]], [503, "1"], `call ${index}`);
  }
  assert.deepEqual(await rows(), untouched);
}

/**
 * Terminated connections are detected only when they are used, so at most as many calls fail as the pool has
 * connections.
 */
async function regain(): Promise<void> {
  let lost = 0;
  while ((await beginVerification()).status === 503) lost += 1;
  assert.ok(lost <= 16, `${lost} calls`);
}

async function assertWell(uuid: string, oneClickUuid: string): Promise<void> {
  assert.equal((await post("/v2/1-click", { phone: freshPhone() })).status, 201);
  const read = { method: "GET" as const, headers: { authorization: demoKey } };
  assert.equal((await it.inject({ ...read, url: `/v2/1-click/${oneClickUuid}` })).status, 200);
  const { body } = await it.inject({ ...read, url: `/v2/1-click/verifications/${uuid}` });
  assert.deepEqual(
    [(body as { status: string }).status, (body as { attemptsRemaining: number }).attemptsRemaining],
    ["pending", 3],
  );
  assert.equal((await post(`/v2/1-click/verifications/${uuid}/deliver`, {})).status, 200);
}

test("requests get 503 while the database is read-only, as after a failover, and succeed when it is writable", async () => {
  const uuid = uuidOf(await beginVerification());
  const oneClickUuid = uuidOf(await post("/v2/1-click", { phone: freshPhone() }));
  const {
    rows: [{ name }],
  } = await keeper.query("select current_database() as name");
  // The setting applies to new connections only, so terminate the open ones, as a failover does.
  const endOthers = () =>
    keeper.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [name],
    );
  await keeper.query(`alter database "${name}" set default_transaction_read_only = on`);
  await endOthers();
  await assertRefused(uuid, oneClickUuid);
  await keeper.query(`alter database "${name}" reset default_transaction_read_only`);
  await endOthers();
  await regain();
  await assertWell(uuid, oneClickUuid);
});

test("requests get 503 and write nothing while the database's disk is full, and succeed when it has space", async () => {
  const uuid = uuidOf(await beginVerification());
  const oneClickUuid = uuidOf(await post("/v2/1-click", { phone: freshPhone() }));
  await inEveryCell(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  // The tables that each flow writes last, so that everything before is already in the transaction.
  const last = ["audit", "job", "verification", "consent", "one_click", "issued_credential"];
  for (const table of last)
    await inEveryCell(`create constraint trigger full_disk after insert or update on ${table}
      deferrable initially deferred for each row execute function full_disk()`);
  await assertRefused(uuid, oneClickUuid);
  for (const table of last) await inEveryCell(`drop trigger full_disk on ${table}`);
  await assertWell(uuid, oneClickUuid);
});

test("a code and its text are stored together or not at all", async () => {
  const uuid = uuidOf(await beginVerification());
  const stored = async () =>
    (await keeper.query("select code_hmac, deliveries, sealed from verification where uuid = $1", [uuid])).rows[0];
  const texts = async () => Number((await keeper.query("select count(*) as count from message")).rows[0].count);
  const [before, textsBefore] = [await stored(), await texts()];
  await inEveryCell("create trigger full_disk before insert on job for each row execute function full_disk()");
  assert.equal((await post(`/v2/1-click/verifications/${uuid}/deliver`, {})).status, 503);
  assert.deepEqual([await stored(), await texts()], [before, textsBefore]);
  await inEveryCell("drop trigger full_disk on job");
  assert.equal((await post(`/v2/1-click/verifications/${uuid}/deliver`, {})).status, 200);
  const after = await stored();
  assert.deepEqual([after.deliveries, await texts()], [1, textsBefore + 1]);
  assert.ok(!after.code_hmac.equals(before.code_hmac));
});

test("a request that loses its database connection gets 503 and can be retried with its Idempotency-Key", async () => {
  const untouched = await rows();
  const key = { "idempotency-key": "in-the-middle" };
  const body = { phone: freshPhone() };
  await keeper.query("begin; lock table one_click in access exclusive mode");
  const asked = post("/v2/1-click", body, key);
  // The request itself takes a row-exclusive lock. Request log statements only read this table to look up people.
  const waiting = `select pid from pg_locks
    where relation in (select oid from pg_class where relname = 'one_click') and not granted and mode = 'RowExclusiveLock'`;
  let isAnswered = false;
  void asked.finally(() => {
    isAnswered = true;
  });
  let pid: number | undefined;
  while (pid === undefined && !isAnswered) pid = (await keeper.query(waiting)).rows[0]?.pid;
  await keeper.query("select pg_terminate_backend($1)", [pid]);
  await keeper.query("rollback");
  const { status, body: refused } = await asked;
  assertEnvelope(status, refused);
  assert.equal(status, 503);
  assert.deepEqual(await rows(), untouched);
  assert.equal((await post("/v2/1-click", body, key)).status, 201);
});

test("a request is answered even if its response cannot be stored for its Idempotency-Key", async () => {
  await inEveryCell(`create trigger full_disk before update or delete on idempotent_answer
    for each row execute function full_disk()`);
  const refused = await post("/v2/1-click", {}, { "idempotency-key": "refused" });
  assertEnvelope(400, refused.body);
  assert.equal((await post("/v2/1-click", { phone: freshPhone() }, { "idempotency-key": "made" })).status, 201);
  await inEveryCell("drop trigger full_disk on idempotent_answer");
});

test("a connection that ends between two statements does not stop the service", async () => {
  const client = await it.stores.store.pool.connect();
  const {
    rows: [{ pid }],
  } = await client.query("select pg_backend_pid() as pid");
  // Add no error listener, as in a flow: an unhandled error event would end the process.
  const ended = new Promise((resolve) => client.once("end", resolve));
  await keeper.query("select pg_terminate_backend($1)", [pid]);
  await ended;
  client.release();
  assert.equal((await beginVerification()).status, 201);
});

test("errors of an unavailable database become 503; other database errors stay 500", () => {
  const failing = (code: string) => Object.assign(new Error("x"), { code });
  for (const code of [
    "57P01",
    "57P03",
    "53100",
    "53300",
    "08006",
    "25006",
    "58030",
    // A server refuses a connection: its role, its database, or a database that is closed to connections.
    "28P01",
    "28000",
    "3D000",
    "55000",
    "ECONNREFUSED",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
  ])
    assert.equal(failureOf(failing(code)).status, 503, code);
  for (const message of [
    "Connection terminated unexpectedly",
    "Client was closed and is not queryable",
    "Client has encountered a connection error and is not queryable",
    "Postgres connection has been discarded",
    "timeout exceeded when trying to connect",
  ])
    assert.equal(failureOf(new Error(message)).status, 503, message);
  for (const code of ["23505", "42P01", "22P02", "XX000"]) assert.equal(failureOf(failing(code)).status, 500, code);
});
