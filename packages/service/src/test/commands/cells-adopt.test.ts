// alone: sets STORES and the variables that the command reads
/** A restored copy of the first database has the addresses of the live cells, and must not use them. */
process.env.STORES = "listed";

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { ConfigProblems } from "../../config/config.ts";
import { openDatabase } from "../../store/database.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { dataDir, countersign as program, start } from "../harness/service-process.ts";

const MASTER_KEY = "1".repeat(64);
const databases = await Promise.all(Array.from({ length: 4 }, () => cloneDatabase()));
const [live, restored, cell, copyOfCell] = databases.map(({ url }) => url);
assert.ok(live && restored && cell && copyOfCell);
const stores = databases.map(({ url }) => openDatabase({ connectionString: url }, () => {}, { poolSize: 2 }));
const [home, copy, liveCell, otherCell] = stores;
assert.ok(home && copy && liveCell && otherCell);
after(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all(databases.map(({ drop }) => drop()));
});
const DATA_DIR = await dataDir();
Object.assign(process.env, { DATA_DIR, MASTER_KEY });
Object.assign(terminal, { out: () => {}, err: () => {} });
const command = async (DATABASE_URL: string, ...line: string[]) => {
  process.env.DATABASE_URL = DATABASE_URL;
  await countersign.parseAsync(line, { from: "user" });
};
/** Copies what a dump of the first database has about its cells and keys. */
async function restore(): Promise<void> {
  for (const table of ["data_key", "service_key", "cell"] as const)
    for (const row of (await home?.db.selectFrom(table).selectAll().execute()) ?? [])
      await copy?.db
        .insertInto(table)
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
}
const newerVersion = new URL("../harness/newer-version.ts", import.meta.url).href;
const migrationsOf = async ({ pool }: Pick<typeof liveCell, "pool">) =>
  (await pool.query("select from migration")).rowCount;

test("a restored first database does not open the live cells until the operator gives it copies of them", async () => {
  await command(live, "cells", "add", cell, "--share", "50");
  await restore();
  const before = await migrationsOf(liveCell);

  // It would migrate the live cell.
  const variables = { DATA_DIR, MASTER_KEY, DATABASE_URL: restored };
  const refused = await program(["start", "--roles", "api"], variables, newerVersion).exit;
  assert.equal(refused.code, 78, refused.err);
  const lines = refused.err.trim().split("\n");
  assert.match(lines.at(-1) ?? "", /cell 1 belongs to another first database.*countersign cells adopt/);
  await assert.rejects(command(restored, "brands", "list"), ConfigProblems);
  assert.equal(await migrationsOf(liveCell), before);
  assert.equal(await migrationsOf({ pool: copy.pool }), (before ?? 0) + 2);

  // The copy of a cell names the live first database, as a restored one does.
  await assert.rejects(command(restored, "cells", "adopt", "--cell", "1", copyOfCell), { status: 409 });
  await otherCell.pool.query("insert into cell_home (home) values ('the live one')");
  await assert.rejects(command(restored, "cells", "adopt", "--cell", "2", copyOfCell), { status: 404 });
  await command(restored, "cells", "adopt", "--cell", "1", copyOfCell);
  const drill = await start(DATA_DIR, { MASTER_KEY, DATABASE_URL: restored });
  await drill.stop("SIGTERM");
  // The live service still has its own cell.
  await command(live, "brands", "list");
});

test("after a real loss, the restored first database adopts the cells, and the lost one can no longer open them", async () => {
  await command(restored, "cells", "adopt", "--cell", "1", cell);
  await command(restored, "brands", "list");
  await assert.rejects(command(live, "brands", "list"), ConfigProblems);
});

test("a cell of another first database can't be added", async () => {
  await otherCell.pool.query("update cell_home set home = 'another one'");
  await assert.rejects(command(restored, "cells", "add", copyOfCell), {
    status: 409,
    message: "The schema public is a cell of another first database.",
  });
});
