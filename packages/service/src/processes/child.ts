/** A process that the main process started. Only the main process controls it, and it ends with the main process. */
import type { Group } from "../compose/resources.ts";
import type { Config } from "../config/config.ts";
import { openLog } from "../log.ts";
import { type AskedOfMain, type AskedOfServing, type Assignment, openChannel, type Port } from "./channel.ts";
import { openProcess } from "./open-process.ts";
import { type Grace, stopWithin } from "./stop.ts";

/** Signals that a terminal or a supervisor sends to every process. Only the main process acts on them. */
const forMain = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serves until the main process ends it. */
export async function serve(config: Config): Promise<void> {
  for (const signal of forMain) process.on(signal, () => {});
  try {
    await new Promise<void>((resolve, reject) => answerMain(config, { resolve, reject }));
  } finally {
    // Otherwise the channel would keep the process alive.
    process.channel?.unref();
  }
}

type Ending = { resolve(): void; reject(error: unknown): void };

/** Does what the main process asks, until it stops this process. */
function answerMain(config: Config, { resolve, reject }: Ending): void {
  let areReady = false;
  let readClock = async () => {};
  let begun: ReturnType<typeof begin> | undefined;
  const serving = () => begun ?? Promise.reject(new Error("this process was not told to begin"));
  const ask = openChannel<AskedOfMain, AskedOfServing>(toMain, {
    async begin(assignment) {
      areReady = assignment.areReady;
      begun = begin(config, assignment, group);
      begun.catch(reject);
      const { ready, missing, signInLink, operatorLink } = await begun;
      return {
        ready,
        missing,
        ...(signInLink === undefined ? {} : { signInLink }),
        ...(operatorLink === undefined ? {} : { operatorLink }),
      };
    },
    async allReady(ready) {
      areReady = ready;
    },
    figures: async () => await (await serving()).figures(),
    readClock: () => readClock(),
    stop: async (grace) => {
      const { stop, figures } = await serving();
      await stopWithin(grace, () => stop(grace)).then(resolve, reject);
      // The database is closed, so a metric may fail. That must not fail the stop.
      return await figures().catch(() => []);
    },
  });
  const group: Group = {
    areReady: () => areReady,
    metrics: () => ask("metrics"),
    clockMoved: () => ask("clockMoved"),
    onClockMoved: (read) => {
      readClock = read;
    },
  };
}

const toMain: Port<keyof AskedOfServing> = {
  send: (message) => void process.send?.(message, undefined, undefined, () => {}),
  onMessage: (listener) => void process.on("message", listener),
};

async function begin(config: Config, { number, databaseUrl, databasePool, offersLink }: Assignment, group: Group) {
  const log = openLog(config.logLevel, number);
  const opened = await openProcess({ ...config, databaseUrl, databasePool }, log, { group, offersLink });
  return {
    ...opened,
    async stop(grace: Grace) {
      await opened.stop(grace);
      log.flush();
    },
  };
}
