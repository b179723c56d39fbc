import type { Controls } from "../http/sandbox/routes.ts";
import { travelHome, travelTo } from "../jobs/time-travel.ts";
import type { MovableClock } from "../providers/sandbox/clock.ts";
import { readClockOffset } from "../store/clock-offset.ts";
import { coalesced } from "../store/serial.ts";
import type { Environment } from "./environment.ts";
import type { Resources } from "./resources.ts";

/**
 * The sandbox's clock for sandbox control. One move runs at a time. Other processes read the result from the database.
 */
export function clockControls(
  { config, store, signals, group }: Resources,
  {
    cameHome,
    cells,
    ...parts
  }: Pick<Environment, "cells" | "worker" | "sweeper"> & { clock: MovableClock; cameHome(): Promise<void> },
): Pick<Controls, "clock" | "readClock"> {
  const { clock } = parts;
  const databases = () => cells.map(({ deps }) => deps.db);
  const travel = { environment: "sandbox" as const, databases, home: store.home, ...parts };
  let queue: Promise<unknown> = Promise.resolve();
  let travels = 0;
  let traveling = false;
  const oneAtATime = async <Result>(move: () => Promise<Result>): Promise<Result> => {
    const done = queue.then(async () => {
      travels += 1;
      traveling = true;
      const result = await move().finally(() => {
        traveling = false;
      });
      // Wait for the other processes, because the caller's next request may reach one of them.
      await group?.clockMoved();
      return result;
    });
    queue = done.catch(() => {});
    return await done;
  };
  const follow = async () => {
    const before = travels;
    const offsetMs = await readClockOffset(store.home, "sandbox");
    // While this process moves the clock, the stored offset may be older, so ignore it.
    if (!traveling && travels === before) clock.setOffset(offsetMs);
  };
  const followAgain = coalesced(follow);
  signals.onChange(() => void followAgain().catch(() => {}));
  group?.onClockMoved(follow);
  const read = () => ({ now: clock.now(), offsetMs: clock.offsetMs() });
  if (!config.sandboxClock) return { clock: null, readClock: read };
  return {
    readClock: read,
    clock: {
      read,
      travelTo: (target) => oneAtATime(() => travelTo(travel, target)),
      home: () =>
        oneAtATime(async () => {
          await travelHome(travel);
          // Daily jobs were scheduled by the moved clock. Reschedule them for tomorrow.
          await cameHome();
        }),
    },
  };
}
