/** Runs several processes that share the ports. This process does not serve requests. */
import { prepareServer, urlOf } from "../compose/database.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { developmentMasterKey } from "../store/master-key.ts";
import { Children } from "./children.ts";

/** The share of the embedded server's hundred connections that the processes may use. Commands use the rest. */
const embeddedConnections = 80;

/** Starts the processes, on an up-to-date database. The caller holds the data directory. */
export async function openProcesses(config: Config, log: Log) {
  const { processes: count, dataDir, stopDelayMs } = config;
  // Create the key now, because otherwise each process would create one.
  if (config.masterKey === null) await developmentMasterKey(dataDir);
  const server = await prepareServer(config, log);
  // During a replacement, one more process runs. Each process also has a connection that listens for changes.
  const poolMax = server.kind === "embedded" ? Math.floor(embeddedConnections / (count + 1)) - 1 : config.databasePool;
  const children = new Children({
    count,
    log,
    stopDelayMs,
    database: { databaseUrl: urlOf(server), databasePool: Math.min(config.databasePool, poolMax) },
  });
  const stop = async () => {
    await children.stop();
    await server.stop();
  };
  try {
    const started = await children.start();
    log.info("all processes are ready", { processes: count });
    return {
      ...started,
      ready: { ...started.ready, pid: process.pid },
      database: server.kind,
      replace: () => children.replace(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
