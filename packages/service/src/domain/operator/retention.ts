/** What the service erased, what is due next, and the progress of a rotation of the master key. */
import type { DueLine, MasterKeyLine, SweepLine } from "@countersign/contract/console-retention";
import { dayMs, minuteMs } from "@countersign/contract/time";
import type { AccountDeps, HomeDeps } from "../deps.ts";
import {
  type CountedDue,
  countDueInCell,
  countDueInKeyed,
  isRotating,
  listFailedSince,
  listMasterKeys,
  sumSweeps,
} from "./retention-rows.ts";

const shownMs = 30 * dayMs;
/** A failed sweep runs again after seconds, so one that failed within this time still fails. */
const failingMs = 2 * minuteMs;

export async function readSweeps({ environment, home, realClock }: HomeDeps): Promise<SweepLine[]> {
  const now = realClock.now();
  const today = Math.floor(now / dayMs) * dayMs;
  const sums = await sumSweeps(home, { environment, since: today - shownMs, today });
  return sums.map((one) => ({
    environment,
    ...one,
    isFailing: one.failedAt !== null && one.failedAt > now - failingMs,
  }));
}

export async function listFailing({ environment, home, realClock }: HomeDeps) {
  const sweeps = await listFailedSince(home, environment, realClock.now() - failingMs);
  return sweeps.map((sweep) => ({ environment, sweep }));
}

/** What is due in all cells, by table. A cell that does not answer is left out. */
export async function sumDue(homeDeps: HomeDeps): Promise<DueLine[]> {
  const { environment, clock, cells, keyed } = homeDeps;
  const at = { environment, now: clock.now() };
  const counted = await Promise.all([
    ...cells.all().map(({ db }) => countDueInCell(db, at).catch(() => [])),
    ...keyed.every().map((one) => countDueInKeyed(one, at).catch(() => [])),
  ]);
  const lines = new Map<string, CountedDue>();
  for (const { table, due, soon, nextAt } of counted.flat()) {
    const known = lines.get(table);
    const times = [known?.nextAt ?? null, nextAt].filter((time) => time !== null);
    const sums = { due: due + (known?.due ?? 0), soon: soon + (known?.soon ?? 0) };
    lines.set(table, { table, ...sums, nextAt: times.length === 0 ? null : Math.min(...times) });
  }
  return [...lines.values()].map((line) => ({ environment, ...line }));
}

/** The master keys of each database. `away`: databases that do not answer. */
export async function readMasterKeys({
  cells,
}: Pick<AccountDeps, "cells">): Promise<{ masterKeys: MasterKeyLine[]; away: number[] }> {
  const lists = await Promise.all(cells().map((db) => listMasterKeys(db).catch(() => null)));
  return {
    masterKeys: lists.flatMap((keys, cell) => (keys ?? []).map((key) => ({ cell, ...key }))),
    away: lists.flatMap((keys, cell) => (keys === null ? [cell] : [])),
  };
}

export async function isAnyRotating({ cells }: Pick<AccountDeps, "cells">): Promise<boolean> {
  const each = await Promise.all(cells().map((db) => isRotating(db).catch(() => false)));
  return each.includes(true);
}
