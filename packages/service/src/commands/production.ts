/** An operator's occasional tasks in production: update the payers, change the master key. */
import { ConfigProblems, readConfig } from "../config/config.ts";
import { readPayers, replacePayers } from "../domain/health/payer-rows.ts";
import { bundledPayers } from "../providers/payers/directory.ts";
import { syncPayers } from "../providers/stedi/payers.ts";
import { systemClock } from "../providers/system.ts";
import { systemTimer } from "../providers/timer.ts";
import { noNotes } from "../providers/vendor.ts";
import { rewrapKeys } from "../store/rewrap.ts";
import { masterKeyOf } from "../store/vault.ts";
import { withAdmin } from "./admin.ts";
import { command, exits } from "./arguments.ts";

export const payers = command("payers")
  .description("manage the list of insurers")
  .addCommand(command("sync").description("download the clearinghouse's current list").action(exits(syncPayerList)));

/** Replaces all payers at once. An interrupted run changes nothing and can be repeated. */
async function syncPayerList(): Promise<number> {
  const { stedi } = readConfig().adapters;
  if (stedi === null) throw new ConfigProblems(["STEDI_API_KEY: is required to read the clearinghouse's list"]);
  return await withAdmin("production", async ({ db }) => {
    const known = (await readPayers(db)) ?? bundledPayers();
    const tools = { clock: systemClock, timer: systemTimer, notes: noNotes };
    const payers = await syncPayers(stedi, tools, known.payers);
    await replacePayers(db, systemClock, payers);
    const kept = new Set(known.payers.map(({ vendorId }) => vendorId));
    const fresh = payers.filter(({ vendorId }) => !kept.has(vendorId)).length;
    process.stdout.write(`${JSON.stringify({ payers: payers.length, fresh })}\n`);
    return 0;
  });
}

export const rotateMaster = command("rotate-master")
  .description("rewrap all keys from MASTER_KEY_OTHER to MASTER_KEY while the service runs")
  .action(exits(rewrap));

/** Prints a line per batch. Exits with 1 if a process still uses the other key. */
async function rewrap(): Promise<number> {
  const { masterKey, otherMasterKey } = readConfig();
  const problems = [
    ...(masterKey === null ? ["MASTER_KEY: is required: the new key"] : []),
    ...(otherMasterKey === null ? ["MASTER_KEY_OTHER: is required: the previous key"] : []),
  ];
  if (masterKey === null || otherMasterKey === null) throw new ConfigProblems(problems);
  const keys = { master: masterKeyOf(masterKey), others: [masterKeyOf(otherMasterKey)] };
  return await withAdmin("production", async ({ db }) => {
    const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
    const done = await rewrapKeys(db, keys, say);
    say({ ...done, done: done.left === 0 });
    return done.left === 0 ? 0 : 1;
  });
}
