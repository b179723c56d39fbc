/** Occasional tasks of an operator in production: update the payers and their pictures, change the master key. */
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { composeVault } from "../compose/adapters.ts";
import { changeTables } from "../compose/cell-stores.ts";
import { type Config, ConfigProblems, readConfig } from "../config/config.ts";
import type { AdminDeps } from "../domain/brand/manage.ts";
import { refuse } from "../domain/failure.ts";
import { readPayers, replacePayers } from "../domain/health/payer-rows.ts";
import { payersById } from "../domain/health/payers.ts";
import { bundledPayers } from "../providers/payers/directory.ts";
import { syncPayers } from "../providers/stedi/payers.ts";
import { systemClock } from "../providers/system.ts";
import { systemTimer } from "../providers/timer.ts";
import { noNotes } from "../providers/vendor.ts";
import { listCells } from "../store/cells/cell-rows.ts";
import { countProcessesOfOtherMaster } from "../store/live-processes.ts";
import { markEmptied, retireMasterKey } from "../store/master-key-rows.ts";
import { type Rewrapped, rewrapKeys } from "../store/rewrap.ts";
import { masterKeyOf } from "../store/vault.ts";
import { change } from "./admin.ts";
import { command, exits, printing, text } from "./arguments.ts";
import { type Format, line, print, progress, progressBar, terminal } from "./output.ts";

export const payers = command("payers")
  .description("manage the list of insurers")
  .addCommand(
    printing("sync", "").description("download the clearinghouse's current list").action(exits(syncPayerList)),
  )
  .addCommand(
    printing("picture", "60054 https://cdn.example/aetna.svg", "60054 none")
      .description("set the picture that the API names for an insurer")
      .argument("<payer>", "one of the insurer's IDs", text)
      .argument("<picture>", "an https URL, or `none` for the monogram that the service draws", pictureOf)
      .action(exits(setPicture)),
  );

function pictureOf(given: string): string | null {
  if (given === "none") return null;
  if (!given.startsWith("https://") || !URL.canParse(given))
    throw new InvalidArgumentError("must be an https URL, or none");
  return given;
}

/** `payers sync` keeps the pictures. */
async function setPicture(id: string, picture: string | null, { json }: Format): Promise<number> {
  return await change(
    { command: "payers picture", environment: "production", action: "payer.pictureChanged", subject: id },
    async ({ home }) => {
      const { payers: before } = (await readPayers(home)) ?? bundledPayers();
      const [payer, ...others] = payersById({ payers: before }, id);
      if (payer === undefined || others.length > 0) throw refuse(404, `No single insurer has the ID ${id}.`);
      const { logoUrl: _former, ...rest } = payer;
      const changed = picture === null ? rest : { ...rest, logoUrl: picture };
      await replacePayers(
        home,
        systemClock,
        before.map((one) => (one === payer ? changed : one)),
      );
      return print({ payer: payer.name, picture: picture ?? "none" }, { json });
    },
  );
}

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

/**
 * Retires the former key in every database, so that nothing can wrap a key with it any more, and then rewraps its keys.
 * Exits with 1 if a process still uses it. Before the rewrapping, that changes nothing.
 */
async function rewrap({ json }: Format): Promise<number> {
  const config = readConfig();
  const { masterKey, otherMasterKey } = config;
  const problems = [
    ...(masterKey === null ? ["MASTER_KEY: is required, and is the new key"] : []),
    ...(otherMasterKey === null ? ["MASTER_KEY_OTHER: is required, and is the previous key"] : []),
  ];
  if (masterKey === null || otherMasterKey === null) throw new ConfigProblems(problems);
  const former = masterKeyOf(otherMasterKey);
  const keys = { master: masterKeyOf(masterKey), others: [former] };
  // Otherwise the key in use would be retired.
  if (former.id === keys.master.id) throw new ConfigProblems(["MASTER_KEY_OTHER: is the same key as MASTER_KEY"]);
  const changing = { command: "keys rotate-master", environment: "production", action: "masterKey.rotated" } as const;
  return await change(changing, async (admin) => {
    const { cells, home } = admin;
    await assertNoneUses(admin, keys.master.id);
    await retire(config, admin, former.id);
    const say = ({ rewrapped, left }: Rewrapped) => `Rewrapped ${rewrapped} keys; ${left} are left.`;
    const isWatched = json !== true && terminal.isForPeople() && terminal.showsProgress();
    const done = await rewrapKeys({ home, stores: cells() }, keys, (batch) => {
      const { rewrapped, left } = batch;
      if (isWatched) progressBar({ done: rewrapped, total: rewrapped + left }, say(batch));
      else line(batch, { json }, say(batch));
    });
    progress(null);
    line({ ...done, done: done.left === 0 }, { json }, say(done));
    if (done.left > 0) return 1;
    for (const db of cells()) await markEmptied(db, former.id, systemClock.now());
    // A process whose connection was broken before can be back.
    await assertNoneUses(admin, keys.master.id);
    return 0;
  });
}

async function assertNoneUses({ home }: AdminDeps, masterKeyId: string): Promise<void> {
  const count = await countProcessesOfOtherMaster(home, masterKeyId);
  if (count === 0) return;
  throw refuse(
    409,
    `${count} running ${count === 1 ? "process wraps" : "processes wrap"} keys with another MASTER_KEY than this one ` +
      `(fingerprint ${masterKeyId}). Restart them with this MASTER_KEY, and run the command again.`,
  );
}

async function retire(config: Config, { home, cells }: AdminDeps, id: string): Promise<void> {
  const vault = await composeVault({ config, home });
  const [first, ...others] = cells();
  const now = systemClock.now();
  if (first !== undefined) await retireMasterKey(first, id, now);
  for (const [at, { address }] of (await listCells(vault, home)).entries()) {
    const db = others[at];
    if (db === undefined) continue;
    await vault.registerIn(db, now);
    await changeTables(config, { address, db }, (one) => retireMasterKey(one, id, now));
  }
}
