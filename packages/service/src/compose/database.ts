import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import type { Connection } from "../store/database.ts";
import { startEmbedded } from "../store/embedded.ts";

/** The database's address, and a function that stops the server if it is a private one. */
export type Server = { connection: Connection; kind: "embedded" | "external"; stop(): Promise<void> };

/** Wait before each restart of the private server. Restarts are repeated until one succeeds. */
const restartWaitMs = 500;

/** The server in `DATABASE_URL`, or a private one that is restarted when it dies. */
export async function openServer(config: Config, log: Log): Promise<Server> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, kind: "external", stop: async () => {} };
  }
  let server = await startEmbedded({ dataDir: config.dataDir, log });
  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();
  const restart = async () => {
    while (!stopping) {
      await sleep(restartWaitMs);
      try {
        if (!stopping) server = await startEmbedded({ dataDir: config.dataDir, log });
        return watch();
      } catch (error) {
        log.error("embedded PostgreSQL restart failed", { error: String(error) });
      }
    }
  };
  const watch = () => {
    void server.exited.then(() => {
      restarting = restart();
    });
  };
  watch();
  const { host, port, user, database } = server;
  return {
    connection: { host, port, user, database },
    kind: "embedded",
    async stop() {
      stopping = true;
      await restarting;
      await server.stop();
    },
  };
}
