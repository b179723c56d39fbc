/** The service's state at a glance: figures from the databases. */
import type { EnvironmentStatus, TrafficOverTime } from "@countersign/contract/console-status";
import { dayMs, hourMs, minuteMs } from "@countersign/contract/time";
import { queueStates } from "../../store/queue.ts";
import type { AccountDeps, HomeDeps } from "../deps.ts";
import { alarmKeptMs, shareOfSignInsUsed } from "../verification/limits/conversion-alarm-rows.ts";
import {
  countRequiringIds,
  countTexts,
  listFailingWebhooks,
  readTraffic,
  readTrafficOver,
  sizeOfDatabase,
} from "./status-rows.ts";
import { countEveryAlarm, countStops } from "./text-figures-rows.ts";

const webhooksMax = 10;
const periodMs = 30 * minuteMs;

export async function environmentStatus(homeDeps: HomeDeps): Promise<EnvironmentStatus> {
  const { environment, clock, home } = homeDeps;
  const now = clock.now();
  const cells = homeDeps.cells.all();
  const databases = cells.map(({ db }) => db);
  const inEach = async <Answer>(ask: (db: (typeof databases)[number]) => Promise<Answer>) =>
    await Promise.all(databases.map(ask));
  const [traffic, texts, stops, alarms, jobs, failingWebhooks, blockedBrands] = await Promise.all([
    inEach((db) => readTraffic(db, { environment, since: now - hourMs })),
    inEach((db) => countTexts(db, { environment, since: now - dayMs })),
    inEach((db) => countStops(db, environment)),
    countEveryAlarm(home, { environment, since: now - alarmKeptMs }),
    queueStates(databases, environment, now),
    listFailingWebhooks(home, environment, webhooksMax),
    countBlockedBrands(homeDeps),
  ]);
  const lines = traffic.flat();
  const states = [...new Set(texts.flat().map(({ state }) => state))].sort();
  const [first] = cells;
  return {
    environment,
    calls: sum(lines.map(({ calls }) => calls)),
    failed: sum(lines.map(({ failed }) => failed)),
    p95Ms: percentile(lines, 0.95),
    jobs: { ...jobs, oldestDueMs: Math.max(0, Number(jobs.oldestDueMs)) },
    signInTexts: first === undefined ? 0 : await shareOfSignInsUsed(first),
    texts: states.map((state) => ({
      state,
      count: sum(texts.flat().map((one) => (one.state === state ? one.count : 0))),
    })),
    stopped: sum(stops),
    alarms,
    failingWebhooks,
    blockedBrands,
    now,
  };
}

/** How many brands require a state ID although no authority is trusted now. Nobody can finish there. */
export async function countBlockedBrands({ environment, home, vendors }: HomeDeps): Promise<number> {
  const isTrusting = (await vendors.stateIds.authorities()).length > 0;
  return isTrusting ? 0 : await countRequiringIds(home, environment);
}

/** The traffic of the last 24 hours in all cells. A cell that does not answer is left out. */
export async function trafficOverTime({ environment, clock, cells }: HomeDeps): Promise<TrafficOverTime> {
  const now = clock.now();
  const since = (Math.floor(now / periodMs) + 1) * periodMs - dayMs;
  const ask = { environment, since, periodMs };
  const inEach = await Promise.all(cells.all().map(({ db }) => readTrafficOver(db, ask).catch(() => [])));
  const lines = Map.groupBy(inEach.flat(), ({ period }) => period);
  const periods = Array.from({ length: dayMs / periodMs }, (_, period) => {
    const own = lines.get(period) ?? [];
    return {
      at: since + period * periodMs,
      calls: sum(own.map(({ calls }) => calls)),
      failed: sum(own.map(({ failed }) => failed)),
      p95Ms: percentile(own, 0.95),
    };
  });
  return { environment, periods };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** The least time within which this share of the calls was answered. Null if there were no calls. */
function percentile(lines: readonly { latencyMs: number; calls: number }[], share: number): number | null {
  const needed = sum(lines.map(({ calls }) => calls)) * share;
  let counted = 0;
  for (const { latencyMs, calls } of lines.toSorted((a, b) => a.latencyMs - b.latencyMs)) {
    counted += calls;
    if (counted >= needed) return latencyMs;
  }
  return null;
}

/** The first database and the cells, in their order. */
export async function databaseStatus({ cells }: Pick<AccountDeps, "cells">) {
  return await Promise.all(
    cells().map(async (db, cell) => {
      const bytes = await sizeOfDatabase(db).catch(() => null);
      return { cell, answers: bytes !== null, bytes };
    }),
  );
}
