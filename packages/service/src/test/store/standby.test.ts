/** `HA=required`: the service starts only on a database whose commits wait for a standby. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { breakdownLog, logBreakdown } from "../../compose/breakdown-log.ts";
import { checkStandby } from "../../compose/database.ts";
import { type Config, ConfigProblems, readConfig } from "../../config/config.ts";
import { openDatabase } from "../../store/database.ts";
import { type CommitState, countStandbys, readCommitState, whyUnsafe } from "../../store/failover/standby.ts";
import { CommitUnconfirmed, isConnectionLost } from "../../store/outage.ts";
import { publicVariables } from "../harness/both-environments.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { eventually } from "../harness/eventually.ts";
import { ownServer } from "../harness/own-servers.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir, run } from "../harness/service-process.ts";

const it = await sandbox();
/** Longer than a test may take. */
const longMs = 3_600_000;
const safe: CommitState = { role: "ann", sees: true, commit: "on", names: "ANY 1 (b)", confirming: 1 };
const unsafe: [Partial<CommitState>, RegExp][] = [
  [{ names: "" }, /^synchronous_standby_names is empty/],
  [{ names: "", commit: "off", confirming: 0 }, /^synchronous_standby_names is empty/],
  [{ commit: "remote_write" }, /^synchronous_commit is remote_write; it must be on or remote_apply$/],
  [{ commit: "local" }, /^synchronous_commit is local/],
  [{ commit: "off" }, /^synchronous_commit is off/],
  [{ confirming: 0 }, /^no synchronous standby is connected$/],
  [{ sees: false, confirming: 0 }, /grant pg_read_all_stats to ann$/],
];

test("commits are safe only if they wait for a standby that is connected and stores them", () => {
  for (const state of [safe, { ...safe, commit: "remote_apply" }, { ...safe, confirming: 2 }])
    assert.equal(whyUnsafe(state), null);
  for (const [change, why] of unsafe) assert.match(whyUnsafe({ ...safe, ...change }) ?? "", why);
});

test("a database without a standby does not count as having one that confirms commits", async () => {
  const { names, confirming, sees } = await readCommitState(it.store.db);
  assert.deepEqual([names, confirming, sees], ["", 0, true]);
  assert.equal(await countStandbys(it.store.db), 0);
});

test("where standbys are expected, an unconfirmed commit fails after its own limit, which is shorter than the limit of other statements", async () => {
  const server = await ownServer("primary");
  const hosts = { urls: [server.url()], accepts: "any" as const };
  const store = openDatabase({ connectionString: server.url(), hosts }, () => {}, { answerMs: longMs });
  await server.keeper.query("alter system set synchronous_standby_names = 'none'");
  await server.keeper.query("select pg_reload_conf()");
  assert.match(whyUnsafe(await readCommitState(store.db)) ?? "", /^no synchronous standby is connected$/);
  // Commits wait once the checkpointer has read the setting. It reads it before each checkpoint, or after the current one.
  for (let checkpoints = 0; checkpoints < 2; checkpoints += 1) await server.keeper.query("checkpoint");
  const error = await store.db
    .inTransaction((trx) => sql`update server set name = 'changed'`.execute(trx))
    .then(
      () => assert.fail("the commit was acknowledged"),
      (failure: unknown) => failure,
    );
  assert.ok(isConnectionLost(error), String(error));
  const names = async () => (await sql`select name from server`.execute(store.db)).rows;
  assert.deepEqual(await names(), [{ name: "primary" }]);
  // PostgreSQL still waits, so the change appears once commits wait for nobody.
  await server.keeper.query("alter system reset synchronous_standby_names");
  await server.keeper.query("select pg_reload_conf()");
  await eventually(async () => (JSON.stringify(await names()).includes("changed") ? true : undefined));
  await store.close();
});

test("HA=required stops the start with a reason; production only warns without it, and the sandbox does not", async () => {
  const warnings: unknown[] = [];
  const log = { info: () => {}, error: () => {}, warn: (...said: unknown[]) => void warnings.push(said) };
  const check = (variables: Record<string, string>) => {
    const config: Config = readConfig({ DATABASE_URL: "postgres://h", ...variables });
    return checkStandby(config, it.store, log);
  };
  await check({});
  assert.deepEqual(warnings, []);
  await check(publicVariables);
  assert.match(JSON.stringify(warnings), /can lose acknowledged changes.*synchronous_standby_names is empty/);
  for (const variables of [{ HA: "required" }, { HA: "required", ...publicVariables }])
    await assert.rejects(
      check(variables),
      (error) => error instanceof ConfigProblems && /^HA=required, but synchronous_/.test(error.message),
    );
});

test("with HA=required, the process ends with code 78 and names the setting", async () => {
  const database = await cloneDatabase();
  for (const PROCESSES of ["1", "2"]) {
    const variables = { DATABASE_URL: database.url, DATA_DIR: await dataDir(), HA: "required", PROCESSES };
    const { code, err } = await run(["start"], variables);
    assert.deepEqual([code, err.includes("HA=required, but synchronous_standby_names is empty")], [78, true], err);
  }
  await database.drop();
});

test("the number of standbys is a metric only where they are required", async () => {
  const metric = async () => /^database_synchronous_standbys\{.*$/m.exec(await it.metrics.registry.metrics())?.[0];
  assert.equal(await metric(), undefined);
  it.metrics.watchStandbys(async () => 2);
  assert.equal(await metric(), 'database_synchronous_standbys{ha="required"} 2');
  it.metrics.watchStandbys(() => Promise.reject(new Error("away")));
  assert.equal(await metric(), 'database_synchronous_standbys{ha="required"} Nan');
});

test("while no standby is connected, a start with HA=required and a command end with a code that is tried again, and say so in one line", async () => {
  const { keeper, url } = await ownServer("alone");
  const variables = { DATABASE_URL: url(), DATA_DIR: await dataDir(), HA: "required", MASTER_KEY: "1".repeat(64) };
  const wait = async (names: string) => {
    await keeper.query(`alter system set synchronous_standby_names = '${names}'`);
    await keeper.query("select pg_reload_conf()");
    for (let checkpoints = 0; checkpoints < 2; checkpoints += 1) await keeper.query("checkpoint");
  };
  assert.equal((await run(["migrate"], variables)).code, 0);
  await keeper.query("create role blind login");
  await keeper.query("grant all on all tables in schema public to blind");
  await wait("db2");
  const create = ["customers", "create", "--name", "Ann", "--email", "ann@example.com"];
  // This role cannot see the standbys, so the command finds out only when nothing confirms its commit.
  const blind = { ...variables, DATABASE_URL: url().replace(/\/\/\w+@/, "//blind@") };
  const unconfirmed = await run(create, blind);
  assert.equal(unconfirmed.code, 69, unconfirmed.err);
  assert.match(unconfirmed.err, /^The database did not confirm the change in time.*may or may not have been made.*\n$/);
  for (const PROCESSES of ["1", "2"]) {
    const started = await run(["start"], { ...variables, PROCESSES });
    assert.equal(started.code, 69, started.err);
    assert.match(started.err, /^HA=required, but no synchronous standby is connected \(.*db2\)\n$/);
  }
  const changed = await run(create, variables);
  assert.equal(changed.code, 69, changed.err);
  assert.match(changed.err, /^No standby confirms commits \(db2\), so nothing was changed\..*\n$/);
});

test("a request whose change no standby confirmed is one line of the log, which names the standbys", async () => {
  const lines: unknown[][] = [];
  const log = {
    info: () => {},
    warn: (...said: unknown[]) => void lines.push(["warn", ...said]),
    error: (...said: unknown[]) => void lines.push(["error", ...said]),
  };
  const { keeper, url } = await ownServer("logging");
  await keeper.query("alter system set synchronous_standby_names = 'db2, db3'");
  await keeper.query("select pg_reload_conf()");
  const store = openDatabase({ connectionString: url() }, () => {});
  const note = breakdownLog({ log, store });
  note(new CommitUnconfirmed("late"), "a", 503);
  await eventually(async () => (lines.length > 0 ? true : undefined));
  const why = "no synchronous standby is connected";
  const fields = { requestId: "a", standbys: "db2, db3", confirming: 0, why };
  assert.deepEqual(lines.pop(), ["warn", "no standby confirmed a change in time", fields]);
  await store.close();
});

test("outages are one line of the log without frames, and other failures are errors with them", () => {
  const lines: string[] = [];
  const note = (level: string) => (message: string, fields: unknown) =>
    void lines.push(JSON.stringify([level, message, fields]));
  const log = { info: note("info"), warn: note("warn"), error: note("error") };
  const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
  const logOne = breakdownLog({ log, store: it.store });
  logOne(away, "a", 503);
  logBreakdown(log, "not stored", away);
  assert.match(lines[0] ?? "", /^\["warn","request refused during an outage",\{"requestId":"a","name":"Error","code"/);
  assert.match(lines[1] ?? "", /^\["warn","not stored"/);
  assert.ok(lines.every((line) => !line.includes("frames")));
  logOne(new Error("a defect"), "b", 500);
  assert.match(lines[2] ?? "", /^\["error","unhandled error in request".*"frames":\["at /);
});
