import { setTimeout as sleep } from "node:timers/promises";
import { type Config, ConfigProblems } from "../config/config.ts";
import { readHosts } from "../config/database-url.ts";
import type { Log } from "../log.ts";
import { type Connection, type OpenDatabase, openDatabase } from "../store/database.ts";
import { startEmbedded } from "../store/embedded/server.ts";
import { openReports, reportsFromPrimary } from "../store/failover/replica.ts";
import { isPassing, readCommitState, whyUnsafe } from "../store/failover/standby.ts";
import { migrate } from "../store/migrations/migrate.ts";
import { Unavailable } from "../store/outage.ts";
import { releaseClaims } from "../store/queue.ts";

/** The database's address, and a function that stops the server if it is a private one. */
export type Server = { connection: Connection; kind: "embedded" | "external"; stop(): Promise<void> };

/** Wait before each restart of the private server, in milliseconds. Restarts are repeated until one succeeds. */
const restartWaitMs = 500;

/** The server in `DATABASE_URL`, or a private one that is restarted when it dies. */
export async function openServer(config: Config, log: Log): Promise<Server> {
  if (config.databaseUrl !== null) {
    return { connection: connectionTo(config, config.databaseUrl), kind: "external", stop: async () => {} };
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

/** Passes the hosts of a URL, so that failover works. A plain URL is left to the driver. */
export function connectionTo({ isStandbyRequired }: Pick<Config, "isStandbyRequired">, url: string): Connection {
  const hosts = readHosts(url);
  const isPlain = hosts.urls.length === 1 && hosts.accepts === "any" && !isStandbyRequired;
  return { connectionString: url, ...(isPlain ? {} : { hosts }) };
}

/** Reports of cell 0 come from the standby of `DATABASE_REPLICA_URL`, if there is one. */
export function composeReports({ databaseReplicaUrl }: Config, store: OpenDatabase, log: Log) {
  if (databaseReplicaUrl === null) return { ...reportsFromPrimary(store), close: async () => {} };
  const connection = { connectionString: databaseReplicaUrl, hosts: readHosts(databaseReplicaUrl) };
  return openReports(connection, store, (error) => log.warn("replica connection lost", { error: error.message }));
}

/** Migrates the database, and releases the jobs that a stopped service had claimed. */
export async function bringUpToDate(server: Server, { db }: OpenDatabase, log: Log): Promise<void> {
  const ran = await migrate(db);
  if (ran.length > 0) log.info("database migrated", { migrations: ran });
  // Only one service uses an embedded server at a time, so all processes with claims have ended.
  if (server.kind === "embedded") await releaseClaims(db);
}

/**
 * Checks that each commit waits for a standby. If it does not, `HA=required` makes that a configuration error, or
 * `Unavailable` if only the standby is away. Production without `HA=required` gets a warning.
 */
export async function checkStandby(config: Config, { db }: OpenDatabase, log: Log): Promise<void> {
  if (!config.isStandbyRequired && config.production === null) return;
  const state = await readCommitState(db);
  const why = whyUnsafe(state);
  if (why === null) return;
  if (config.isStandbyRequired && isPassing(state))
    throw new Unavailable(`HA=required, but ${why} (synchronous_standby_names is ${state.names})`);
  if (config.isStandbyRequired) throw new ConfigProblems([`HA=required, but ${why} (docs/operate/scale.md)`]);
  log.warn("a failure of the database server can lose acknowledged changes", { why });
}

/** Opens the server for other processes, with an up-to-date database. */
export async function prepareServer(config: Config, log: Log): Promise<Server> {
  const server = await openServer(config, log);
  const onError = (error: Error) => log.warn("database connection lost", { error: error.message });
  const store = openDatabase(server.connection, onError, { poolSize: 1 });
  try {
    await checkStandby(config, store, log);
    await bringUpToDate(server, store, log);
    await store.close();
    return server;
  } catch (error) {
    await store.close();
    await server.stop();
    throw error;
  }
}

/** The URL with which other processes of this machine reach the server. */
export function urlOf({ connection }: Pick<Server, "connection">): string {
  if ("connectionString" in connection) return connection.connectionString;
  const { host, port, user, database } = connection;
  return `postgres:///${database}?${new URLSearchParams({ host, port: `${port}`, user })}`;
}
