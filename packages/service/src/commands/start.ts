import cluster from "node:cluster";
import { isatty } from "node:tty";
import { type Config, readConfig, roles as roleNames } from "../config/config.ts";
import { holdDataDir } from "../hold.ts";
import { isSiteBuilt } from "../http/docs.ts";
import { type Log, openLog } from "../log.ts";
import type { StartedProcess } from "../processes/channel.ts";
import { drainMs, stopWithin } from "../processes/stop.ts";
import { command, exits } from "./arguments.ts";
import { welcome } from "./welcome.ts";

export const start = command("start", "", "--roles api,worker", "--processes auto")
  .description("run the service, or only some of its roles")
  .option("--roles <roles>", `all, or a comma-separated list of ${roleNames.join(",")}`)
  .option("--processes <number>", "how many processes share the ports: a number, or auto for one per core")
  .action(exits(runService));

type Options = { roles?: string | undefined; processes?: string | undefined };

/** Runs the service until a signal stops it. */
async function runService({ roles, processes }: Options): Promise<number> {
  const flags = { ...(roles === undefined ? {} : { ROLES: roles }), ...(processes && { PROCESSES: processes }) };
  const config = readConfig(undefined, flags);
  if (cluster.isWorker) {
    await (await import("../processes/child.ts")).serve(config);
    return 0;
  }
  const log = openLog(config.logLevel);
  const hold = await holdDataDir(config.dataDir);
  try {
    const service = await open(config, log);
    try {
      await hold.publish(service.ready);
      const isPinnedNode = /[\\/]node_modules[\\/]/.test(process.execPath);
      const facts = { ...service, processes: config.processes, isPinnedNode, isSiteBuilt: isSiteBuilt() };
      process.stdout.write(welcome(service.ready, facts));
      log.info("stopping", { signal: await signalToStop(service.replace) });
    } finally {
      await stopWithin({ delayMs: config.stopDelayMs, drainMs }, async () => {
        await hold.withdraw();
        await service.stop();
      });
    }
  } finally {
    hold.release();
    log.flush();
  }
  return 0;
}

/** `replace` is absent if only one process runs. */
type Opened = StartedProcess & { database: string; stop(): Promise<void>; replace?(): void };

/** Loads the service on demand, so that other commands and the main process of several start without it. */
async function open(config: Config, log: Log): Promise<Opened> {
  if (config.processes > 1) return await (await import("../processes/main.ts")).openProcesses(config, log);
  // The database's server starts while the service loads.
  const server = (await import("../compose/database.ts")).openServer(config, log);
  // `compose` awaits it. Until then, a failed start must not end the process as an unhandled rejection.
  server.catch(() => {});
  const { openProcess } = await import("../processes/open-process.ts");
  return await openProcess(config, log, { group: null, offersLink: true, server });
}

/** Waits for a signal to stop. SIGHUP replaces the processes, except on a terminal or with a single process. */
function signalToStop(replace?: () => void): Promise<string> {
  // Closing a terminal also sends SIGHUP.
  const isOnTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  return new Promise((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => resolve(name));
    process.on("SIGHUP", replace === undefined || isOnTerminal ? () => resolve("SIGHUP") : replace);
  });
}
