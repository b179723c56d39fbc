import { setTimeout } from "node:timers/promises";
import type { Environment } from "@countersign/contract/brand";
import { raiseClockOffset, resetClockOffset } from "../store/clock-offset.ts";
import type { Database, Home } from "../store/database.ts";
import { nextDueAt } from "../store/queue.ts";
import type { Sweeper } from "./sweeper.ts";
import type { Worker } from "./worker.ts";

type Movable = { now(): number; offsetMs(): number; setOffset(offsetMs: number): void };
export type Travel = {
  environment: Environment;
  /** The databases of all cells. */
  databases(): readonly Database[];
  home: Home;
  clock: Movable;
  worker: Pick<Worker, "runDue" | "ran">;
  sweeper: Pick<Sweeper, "sweep">;
};

/** Maximum number of queue checks per move. After that many, a job probably enqueues itself forever. */
const checksMax = 1_000_000;
/** Wait between checks for a job that another process runs, in milliseconds. */
const elsewhereMs = 20;

/**
 * Moves the clock to `target`. Stops at each time at which a job is due, and runs that job. Then sweeps. Returns how
 * many jobs ran.
 */
export async function travelTo(travel: Travel, target: number): Promise<number> {
  const { clock, worker } = travel;
  const before = worker.ran();
  await worker.runDue();
  for (let checks = 0; checks < checksMax; checks += 1) {
    const due = await nextDue(travel);
    if (due === null || due > target) break;
    await moveTo(travel, Math.max(due, clock.now()));
    const ran = await worker.runDue();
    if (ran === 0) await setTimeout(elsewhereMs);
  }
  if (target > clock.now()) await moveTo(travel, target);
  await worker.runDue();
  await travel.sweeper.sweep();
  return worker.ran() - before;
}

/** The time of the next job of any cell. */
async function nextDue({ databases, environment }: Travel): Promise<number | null> {
  const dues = await Promise.all(databases().map((db) => nextDueAt(db, environment)));
  const known = dues.filter((due) => due !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Resets the clock to real time. */
export async function travelHome({ clock, home, environment }: Travel): Promise<void> {
  clock.setOffset(0);
  await resetClockOffset(home, environment);
}

async function moveTo({ clock, home, environment }: Travel, instant: number): Promise<void> {
  const offsetMs = Math.max(0, clock.offsetMs() + instant - clock.now());
  clock.setOffset(offsetMs);
  clock.setOffset(await raiseClockOffset(home, environment, offsetMs));
}
