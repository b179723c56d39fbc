// alone: sets STORES and the variables that the command reads
/** `HA=required` is about each database with people, not only about the first one. */
process.env.STORES = "listed";

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { openCellStores } from "../../compose/cell-stores.ts";
import { urlOf } from "../../compose/database.ts";
import { ConfigProblems } from "../../config/config.ts";
import { Failure } from "../../domain/failure.ts";
import { insertCell } from "../../store/cells/cell-rows.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";

const it = await sandbox({}, { HA: "required" });
const log = { info() {}, warn() {}, error() {} };
const { vault } = it.deps;
const { home } = it.store;
const cell = await cloneDatabase();
after(cell.drop);
const databaseUrl = urlOf(it.store);
Object.assign(terminal, { out: () => {}, err: () => {} });

test("with HA=required, a cell whose commits wait for no standby is not added", async () => {
  const variables = { DATABASE_URL: databaseUrl, DATA_DIR: await dataDir(), HA: "required" };
  Object.assign(process.env, variables, { MASTER_KEY: "1".repeat(64) });
  await assert.rejects(
    countersign.parseAsync(["cells", "add", cell.url], { from: "user" }),
    (error) => error instanceof Failure && /HA=required.*synchronous_standby_names is empty/.test(error.message),
  );
  assert.deepEqual(await home.selectFrom("cell").select("number").execute(), []);
});

test("with HA=required, the service does not start on a cell whose commits wait for no standby", async () => {
  await home.inTransaction(async (trx) => {
    const dataKey = await vault.createDataKey(trx, "account", 0);
    await insertCell(vault, trx, dataKey, { number: 1, address: cell.url, from: 0, to: 1, opensAt: 0 });
  });
  const open = (isStandbyRequired: boolean) =>
    openCellStores({ config: { isStandbyRequired, databaseUrl }, home, vault, signals: it.stores.signals, log });
  await assert.rejects(
    open(true),
    (error) => error instanceof ConfigProblems && /^cell 1: HA=required, but synchronous_/.test(error.message),
  );
  const opened = await open(false);
  assert.deepEqual(
    opened.opened().map(({ number }) => number),
    [1],
  );
  await opened.close();
});

test("the metric of standbys is exported also if the service has cells", async () => {
  assert.match(await it.metrics.registry.metrics(), /^database_synchronous_standbys\{ha="required"\} 0$/m);
});
