/** Occasional tasks of an operator in production: update the payers, change the master key. */
import { ConfigProblems, readConfig } from "../config/config.ts";
import { readPayers, replacePayers } from "../domain/health/payer-rows.ts";
import { bundledPayers } from "../providers/payers/directory.ts";
import { syncPayers } from "../providers/stedi/payers.ts";
import { systemClock } from "../providers/system.ts";
import { systemTimer } from "../providers/timer.ts";
import { noNotes } from "../providers/vendor.ts";
import { type Rewrapped, rewrapKeys } from "../store/rewrap.ts";
import { masterKeyOf } from "../store/vault.ts";
import { change } from "./admin.ts";
import { command, exits, printing } from "./arguments.ts";
import { type Format, line, print, progress, progressBar, terminal } from "./output.ts";

export const payers = command("payers")
  .description("manage the list of insurers")
  .addCommand(
    printing("sync", "").description("download the clearinghouse's current list").action(exits(syncPayerList)),
  );

/** Replaces all payers at once. An interrupted run changes nothing and can be repeated. */
async function syncPayerList({ json }: Format): Promise<number> {
  const { stedi } = readConfig().adapters;
  if (stedi === null) throw new ConfigProblems(["STEDI_API_KEY: is required to read the clearinghouse's list"]);
  return await change(
    { command: "payers sync", environment: "production", action: "payers.synced" },
    async ({ home }) => {
      progress("Downloading the list of insurers…");
      const known = (await readPayers(home)) ?? bundledPayers();
      const tools = { clock: systemClock, timer: systemTimer, notes: noNotes };
      const payers = await syncPayers(stedi, tools, known.payers);
      await replacePayers(home, systemClock, payers);
      const kept = new Set(known.payers.map(({ vendorId }) => vendorId));
      const fresh = payers.filter(({ vendorId }) => !kept.has(vendorId)).length;
      progress(null);
      return print({ payers: payers.length, fresh }, { json });
    },
  );
}

export const rotateMaster = printing("rotate-master", "")
  .description("rewrap all keys from MASTER_KEY_OTHER to MASTER_KEY while the service runs")
  .action(exits(rewrap));

/** Shows a bar on a terminal, or one line per batch otherwise. Exits with 1 if a process still uses the other key. */
async function rewrap({ json }: Format): Promise<number> {
  const { masterKey, otherMasterKey } = readConfig();
  const problems = [
    ...(masterKey === null ? ["MASTER_KEY: is required, and is the new key"] : []),
    ...(otherMasterKey === null ? ["MASTER_KEY_OTHER: is required, and is the previous key"] : []),
  ];
  if (masterKey === null || otherMasterKey === null) throw new ConfigProblems(problems);
  const keys = { master: masterKeyOf(masterKey), others: [masterKeyOf(otherMasterKey)] };
  const changing = { command: "keys rotate-master", environment: "production", action: "masterKey.rotated" } as const;
  return await change(changing, async ({ cells, home }) => {
    const say = ({ rewrapped, left }: Rewrapped) => `Rewrapped ${rewrapped} keys; ${left} are left.`;
    const isWatched = json !== true && terminal.isForPeople() && terminal.showsProgress();
    const done = await rewrapKeys({ home, stores: cells() }, keys, (batch) => {
      const { rewrapped, left } = batch;
      if (isWatched) progressBar({ done: rewrapped, total: rewrapped + left }, say(batch));
      else line(batch, { json }, say(batch));
    });
    progress(null);
    line({ ...done, done: done.left === 0 }, { json }, say(done));
    return done.left === 0 ? 0 : 1;
  });
}
