import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import type { Connection } from "../store/database.ts";
import { startEmbedded } from "../store/embedded.ts";

/** The database's address, and how to let go of it. */
export type Server = { connection: Connection; kind: "embedded" | "external"; stop(): Promise<void> };

const restartsMax = 5;

/** The server that `DATABASE_URL` names, or a private one; that one is started again when it dies under us. */
export async function openServer(config: Config, log: Log): Promise<Server> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, kind: "external", stop: async () => {} };
  }
  let server = await startEmbedded({ dataDir: config.dataDir, log });
  let stopping = false;
  let restarts = 0;
  const watch = () => {
    server.exited
      .then(async () => {
        if (stopping || restarts >= restartsMax) return;
        restarts += 1;
        server = await startEmbedded({ dataDir: config.dataDir, log });
        watch();
      })
      .catch((error: unknown) =>
        log.error("the embedded PostgreSQL could not be started again", { error: String(error) }),
      );
  };
  watch();
  const { host, port, user, database } = server;
  return {
    connection: { host, port, user, database },
    kind: "embedded",
    async stop() {
      stopping = true;
      await server.stop();
    },
  };
}
