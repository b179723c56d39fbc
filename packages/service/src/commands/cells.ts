/** Commands about cells: more databases or schemas for the data about people. */

import { text as readText } from "node:stream/consumers";
import { minuteMs } from "@countersign/contract/time";
import { composeVault } from "../compose/adapters.ts";
import { connectionTo } from "../compose/database.ts";
import { readConfig } from "../config/config.ts";
import { tlsFileProblems } from "../config/database-url.ts";
import { recordChange } from "../domain/audit/account-audit-rows.ts";
import type { AdminDeps } from "../domain/brand/manage.ts";
import { accountScope } from "../domain/deps.ts";
import { refuse } from "../domain/failure.ts";
import { systemClock } from "../providers/system.ts";
import { adoptCell, findHomeOf, identifyHome } from "../store/cells/cell-home-rows.ts";
import {
  announceCells,
  type CellEntry,
  insertCell,
  listCells,
  lockCells,
  nextCell,
  setCellAddress,
  shareLeft,
  slotsMax,
} from "../store/cells/cell-rows.ts";
import { ensureSchema, identifySchema, isInUse } from "../store/cells/cell-schema.ts";
import {
  distributeSchema,
  hasCitus,
  hasLeftTables,
  isWorker,
  moveSchema,
  rebalanceSchemas,
  throughServer,
} from "../store/cells/citus.ts";
import { type HomeTrx, type OpenDatabase, openDatabase } from "../store/database.ts";
import { readCommitState, whyMisconfigured } from "../store/failover/standby.ts";
import { listRetired, markEmptied, retireMasterKey } from "../store/master-key-rows.ts";
import { migrate } from "../store/migrations/migrate.ts";
import { isConnectionLost } from "../store/outage.ts";
import { change, withAdmin } from "./admin.ts";
import { command, exits, percent, printing, text, whole } from "./arguments.ts";
import { type Format, print, progress } from "./output.ts";

/**
 * How long after the command a new cell starts to store people, in milliseconds. By then, every process has opened it.
 */
const opensAfterMs = minuteMs;

export const cells = command("cells")
  .description("store people in more databases or schemas")
  .addCommand(
    printing("list", "")
      .description("list the cells and their shares of new people")
      .action(exits(({ json }) => withAdmin("sandbox", async (admin) => print(await listed(admin), { json })))),
  )
  .addCommand(
    printing("add", "- < cell-address", "- --share 50 --distribute < cell-address")
      .description("add a cell; people who are already stored stay in their cell")
      .argument(
        "<address>",
        "a connection string, or - to read it from standard input; its search path names the schema",
        text,
      )
      .option("--share <percent>", "the part of all new people that the cell stores", percent, 25)
      .option("--distribute", "store the schema on a Citus worker")
      .action(exits(add)),
  )
  .addCommand(
    printing("adopt", "--cell 1", "--cell 1 - < cell-address")
      .description(
        "after a restore: make a cell belong to this first database, which has another address for it if you give one",
      )
      .argument("[address]", "where the cell is from now on, or - to read it from standard input", text)
      .requiredOption("--cell <number>", "the cell", whole)
      .action(exits(adopt)),
  )
  .addCommand(
    printing("move", "--cell 1 --host worker2.internal --port 5432")
      .description("move a cell's schema to another Citus worker")
      .requiredOption("--cell <number>", "the cell", whole)
      .requiredOption("--host <host>", "the worker", text)
      .option("--port <port>", "the worker's port", whole, 5432)
      .action(exits(move)),
  )
  .addCommand(
    printing("rebalance", "").description("spread the cells evenly over the Citus workers").action(exits(rebalance)),
  );

const vaultOf = ({ home }: AdminDeps) => composeVault({ config: readConfig(), home });

/** The cells, with addresses that contain no password. */
async function listed(admin: AdminDeps) {
  const known = await listCells(await vaultOf(admin), admin.home);
  const line = ({ number, address, from, to, opensAt }: CellEntry) => ({
    cell: number,
    address: withoutPassword(address),
    sharePercent: Math.round(((to - from) * 1_000) / slotsMax) / 10,
    opensAt: new Date(opensAt).toISOString(),
  });
  return [
    { cell: 0, address: "the database of the brands", sharePercent: shareLeft(known), opensAt: null },
    ...known.map(line),
  ];
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = "";
  for (const name of ["password", "sslpassword"]) url.searchParams.delete(name);
  return url.toString();
}

async function add(
  given: string,
  { share, distribute, json }: Format & { share: number; distribute?: true | undefined },
): Promise<number> {
  const address = await readAddress(given);
  await requireWaitingCommits(address);
  return await change({ command: "cells add", action: "cell.added" }, async (admin, { by, entry }) => {
    const vault = await vaultOf(admin);
    const home = await identifyHome(admin.home);
    const retired = await listRetired(admin.home);
    await prepare(address, { distributes: distribute === true, home, retired });
    const cell = await admin.home.inTransaction(async (trx) => {
      await lockCells(trx);
      const known = await listCells(vault, trx);
      await refuseKnown(address, trx, known);
      const next = nextCell(known, share);
      if (next === null)
        throw refuse(409, "Cell 0 has too few slots left for this share. Run `countersign cells list`.");
      const opensAt = systemClock.now() + opensAfterMs;
      const dataKey = await vault.createDataKey(trx, accountScope, systemClock.now());
      await insertCell(vault, trx, dataKey, { ...next, address, opensAt });
      await recordChange(admin, trx, by, entry);
      await announceCells(trx);
      return { cell: next.number, opensAt: new Date(opensAt).toISOString() };
    });
    await withDatabase(address, ({ db }) => adoptCell(db, home));
    return print(cell, { json });
  });
}

/** With `HA=required`, no process opens a cell whose commits wait for no standby, and its share of people gets 503. */
async function requireWaitingCommits(address: string): Promise<void> {
  if (!readConfig().isStandbyRequired) return;
  const why = await withDatabase(address, async ({ db }) => whyMisconfigured(await readCommitState(db)));
  if (why !== null) throw refuse(409, `HA=required, but at this address ${why}. Set up its standbys first.`);
}

/** Refuses the schema of an existing cell. Two cells with one schema would read each other's people. */
async function refuseKnown(address: string, home: HomeTrx, known: readonly CellEntry[]): Promise<void> {
  const wanted = await identify(address);
  const taken = [{ number: 0, name: await identifySchema(home) }];
  for (const cell of known)
    taken.push({ number: cell.number, name: await identify(cell.address, `Cell ${cell.number}`) });
  const owner = taken.find(({ name }) => name === wanted);
  if (owner === undefined) return;
  throw refuse(409, `Cell ${owner.number} already uses this schema of this database. Name another one in the address.`);
}

/** Identifies a schema. A worker's schema is identified through the coordinator, so that all servers give one name. */
async function identify(address: string, name?: string): Promise<string> {
  const { databaseUrl } = readConfig();
  const read = ({ db }: OpenDatabase) => identifySchema(db);
  const readThere = async (store: OpenDatabase) =>
    databaseUrl !== null && (await isWorker(store.db))
      ? await withDatabase(throughServer(databaseUrl, address), read, name)
      : await read(store);
  return await withDatabase(address, readThere, name);
}

/** `retired`: the master keys that the new cell must refuse too. */
type Preparing = { distributes: boolean; home: string; retired: readonly string[] };

/**
 * Creates the cell's schema and tables. Refuses a database that already stores people or brands. The coordinator, which
 * has home, distributes the schema, so the address may be a worker's.
 */
async function prepare(address: string, { distributes, home, retired }: Preparing): Promise<void> {
  const { databaseUrl } = readConfig();
  if (distributes && !new URLSearchParams(address.split("?")[1]).get("options")?.includes("search_path"))
    throw refuse(422, "Name the schema to distribute in the address: options=-c%20search_path%3Dcell_1.");
  const target = distributes && databaseUrl !== null ? throughServer(databaseUrl, address) : address;
  await withDatabase(target, async ({ db }) => {
    const schema = await ensureSchema(db);
    if (await isInUse(db)) throw refuse(409, `The schema ${schema} already stores people or brands.`);
    if (((await findHomeOf(db)) ?? home) !== home)
      throw refuse(409, `The schema ${schema} is a cell of another first database.`);
    if (distributes && !(await hasCitus(db))) throw refuse(409, "This server does not have the Citus extension.");
    progress("Creating the tables of the cell…");
    await migrate(db);
    for (const id of retired) {
      await retireMasterKey(db, id, systemClock.now());
      await markEmptied(db, id, systemClock.now());
    }
    progress(null);
    if (distributes) await distributeSchema(db, schema);
  });
}

/** `name`: how errors name the database if it cannot be reached. */
async function withDatabase<Answer>(
  address: string,
  work: (store: OpenDatabase) => Promise<Answer>,
  name = "The database at this address",
): Promise<Answer> {
  const store = openDatabase(connectionTo(readConfig(), address), () => {}, { poolSize: 1 });
  try {
    return await work(store);
  } catch (error) {
    if (isConnectionLost(error)) throw refuse(503, `${name} cannot be reached.`);
    throw error;
  } finally {
    await store.close();
  }
}

/** The first database that the cell belonged to can no longer open it. */
async function adopt(given: string | undefined, { cell: number, json }: Format & { cell: number }): Promise<number> {
  const changing = { command: "cells adopt", action: "cell.adopted", subject: String(number), cells: "any" } as const;
  return await change(changing, async (admin, { by, entry }) => {
    const vault = await vaultOf(admin);
    const known = (await listCells(vault, admin.home)).find((one) => one.number === number);
    if (known === undefined) throw refuse(404, "No such cell: see `countersign cells list`.");
    const address = given === undefined ? known.address : await readAddress(given);
    const home = await identifyHome(admin.home);
    await withDatabase(address, async ({ db }) => {
      if ((await findHomeOf(db)) === null) throw refuse(409, "The database at this address is not a cell.");
      await adoptCell(db, home);
    });
    await admin.home.inTransaction(async (trx) => {
      await setCellAddress(vault, trx, { number, address });
      await recordChange(admin, trx, by, entry);
    });
    return print({ cell: number, address: withoutPassword(address) }, { json });
  });
}

/** Other users of the machine can read a command's arguments, and the address contains a password. */
async function readAddress(given: string): Promise<string> {
  const address = given === "-" ? (await readText(process.stdin)).trim() : given;
  if (!URL.canParse(address)) throw refuse(422, "The address must be a connection string: postgres://…");
  const [problem] = tlsFileProblems(address);
  if (problem !== undefined) throw refuse(422, `In the address, ${problem}.`);
  return address;
}

type Moving = Format & { cell: number; host: string; port: number };

const leftTables =
  "This server still has tables from an earlier move of the cell. Citus deletes them within a minute. Try again.";

async function move({ cell: number, host, port, json }: Moving): Promise<number> {
  const changing = { command: "cells move", action: "cell.moved", subject: String(number) } as const;
  return await change(changing, async (admin) => {
    const cell = (await listCells(await vaultOf(admin), admin.home)).find((one) => one.number === number);
    if (cell === undefined) throw refuse(404, "No such cell: see `countersign cells list`.");
    const schema = await withDatabase(cell.address, async ({ db }) => await ensureSchema(db));
    await requireCitus(admin);
    if (await hasLeftTables(admin.home, { schema, host, port })) throw refuse(409, leftTables);
    await moveSchema(admin.home, { schema, host, port });
    return print({ cell: number, schema, host, port }, { json });
  });
}

async function rebalance({ json }: Format): Promise<number> {
  return await change({ command: "cells rebalance", action: "cell.moved" }, async (admin) => {
    await requireCitus(admin);
    await rebalanceSchemas(admin.home);
    return print({ started: true }, { json });
  });
}

async function requireCitus({ home }: AdminDeps): Promise<void> {
  if (!(await hasCitus(home)))
    throw refuse(409, "The home database is not a Citus coordinator, so no cell can be moved.");
}
