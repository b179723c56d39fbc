/** `DATABASE_REPLICA_URL`: only reports come from the standby, and only while it answers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import { composeReports } from "../../compose/database.ts";
import { readConfig } from "../../config/config.ts";
import { openDatabase } from "../../store/database.ts";
import { isDatabaseOutage } from "../../store/outage.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { eventually } from "../harness/eventually.ts";
import { ownServer } from "../harness/own-servers.ts";
import { sandbox, testStart } from "../harness/sandbox.ts";

const [standby, primary] = await Promise.all([ownServer("standby"), ownServer("primary")]);
const store = openDatabase({ connectionString: primary.url() }, () => {});
const variables = { DATABASE_URL: primary.url(), DATABASE_REPLICA_URL: standby.url() };
const log = { info: () => {}, warn: () => {}, error: () => {} };
const reports = composeReports(readConfig(variables), store, log);
const copy = await cloneDatabase();
const copied = openDatabase({ connectionString: copy.url }, () => {});
const it = await sandbox({}, {}, {}, { cells: () => [{ number: 0, db: copied.db }], lagMs: async () => 4_200 });
after(async () => {
  await reports.close();
  await store.close();
  await copied.close();
  await copy.drop();
});

const [cell = assert.fail(), ...others] = reports.cells();
const answeredBy = async () => (await sql<{ name: string }>`select name from server`.execute(cell.db)).rows[0]?.name;

test("reports are read from the replica over connections that refuse writes, even if the replica accepts others", async () => {
  assert.equal(await answeredBy(), "standby");
  assert.deepEqual(others, []);
  await assert.rejects(sql`update server set name = 'other'`.execute(cell.db), { code: "25006" });
  assert.equal(await answeredBy(), "standby");
});

test("once the replica stops answering, the primary answers reports, and they are up to date", async () => {
  standby.silence();
  const name = await eventually(async () => {
    const answer = await answeredBy().catch((error: unknown) => {
      assert.ok(isDatabaseOutage(error), String(error));
    });
    return answer === "primary" ? answer : undefined;
  });
  assert.equal(name, "primary");
  assert.equal(await reports.lagMs(), null);
});

test("without DATABASE_REPLICA_URL, the primary answers reports", async () => {
  const own = composeReports(readConfig({ DATABASE_URL: primary.url() }), store, log);
  assert.deepEqual(own.cells(), [{ number: 0, db: store.db }]);
  assert.equal(await own.lagMs(), null);
  await own.close();
});

test("the dashboard reads its log, analytics and usage from the replica, shows the lag, and reads the rest from the primary", async () => {
  const viewer = await signedIn(it, { role: "viewer" });
  const { uuid } = await it.brand();
  const lines = await copied.db.connection().execute(async (one) => {
    // The copy has no such brand.
    await sql`set session_replication_role = replica`.execute(one);
    await sql`insert into ledger_entry (environment, at, kind, brand_uuid, subject_uuid, cause_uuid, detail)
              values ('sandbox', 1, 'copied', ${uuid}, ${uuid}, ${uuid}, '{}')`.execute(one);
    return await sql<{ id: number }>`
      insert into request_log (environment, at, request_id, brand_uuid, method, route, status, latency_ms)
      values ('sandbox', ${testStart - 1}, 'copied', ${uuid}, 'GET', '/copied', 500, 1) returning id`.execute(one);
  });
  const ask = async (path: string, body?: object) => {
    const answer = await viewer.call(body === undefined ? "GET" : "POST", `/api/${path}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return JSON.stringify(answer.body);
  };
  const own = `brands/${uuid}/sandbox`;
  assert.equal(await ask("report-lag"), '{"lagMs":4200}');
  assert.match(await ask(`${own}/log`, { filter: {} }), /"route":"\/copied"/);
  assert.match(await ask(`${own}/log/0-${lines.rows[0]?.id}`), /"requestId":"copied"/);
  assert.match(await ask(`${own}/analytics`), /"broken":1/);
  for (const path of ["ledger", "usage-csv?of=ledger"]) assert.match(await ask(`${own}/${path}`), /copied/);
  assert.match(await ask(`${own}/keys`), /first key/);
});
