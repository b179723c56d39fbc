import { mkdir, realpath, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedBinaries } from "./binaries.ts";
import {
  clearLeftover,
  clusterDir,
  type EmbeddedAddress,
  embeddedAddress,
  ensureCluster,
  makeSocketDir,
} from "./cluster.ts";
import { assertOwnDataDir } from "./data-dir.ts";
import { chooseLauncher, type LauncherName } from "./launcher.ts";
import { type Started, StillOccupied, startProcess, stopProcess } from "./server-process.ts";

/** A running private server. */
export interface EmbeddedServer extends EmbeddedAddress {
  /** Fast shutdown: ends all connections and writes a checkpoint. Can be called more than once. */
  stop(): Promise<void>;
  /** Resolves if the server dies unexpectedly. Never resolves after `stop`. */
  readonly exited: Promise<void>;
}

export interface EmbeddedOptions {
  /** The caller must hold the lock on this directory: see `lockDataDir`. */
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** Ways to run the server, in the order to try. Tests force a single one. Default: all that work, best first. */
  readonly ways?: readonly LauncherName[];
  /** PostgreSQL's `max_connections`. Default: 100. */
  readonly maxConnections?: number;
}

interface EmbeddedLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
}

const DEFAULT_MAX_CONNECTIONS = 100;
const RETRY_WAIT_MS = 10_000;
const RETRY_POLL_MS = 100;
const LOG_BYTES_MAX = 5 * 1024 * 1024;

/** Starts the private PostgreSQL server of a data directory, and creates its cluster if there is none. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  await assertOwnDataDir(dataDir);
  const binaries = embeddedBinaries();
  const launcher = await chooseLauncher({ dataDir, postgres: binaries.postgres, ways: options.ways });
  const address = embeddedAddress(dataDir);
  const cluster = clusterDir(dataDir);
  await clearLeftover(cluster);
  const origin = await ensureCluster({ dataDir, binaries, launcher, user: address.user });
  await makeSocketDir(address.host, launcher);
  const log = join(dataDir, "postgres.log");
  await rotate(log);
  const started = await startPatiently(() =>
    startProcess({
      ...{ launcher, postgres: binaries.postgres, cluster, address, log },
      maxConnections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    }),
  );
  options.log.info("embedded PostgreSQL started", {
    cluster: origin,
    postgresPid: started.child.pid,
    way: launcher.name,
  });
  return { ...address, ...supervise(started, options.log) };
}

/** Retries while backends of a killed server still hold its shared memory. They end soon. */
async function startPatiently(start: () => Promise<Started>): Promise<Started> {
  for (let waitedMs = 0; ; waitedMs += RETRY_POLL_MS) {
    try {
      return await start();
    } catch (error) {
      const passes = error instanceof StillOccupied && waitedMs < RETRY_WAIT_MS;
      if (!passes) throw error;
      await sleep(RETRY_POLL_MS);
    }
  }
}

function supervise(started: Started, log: EmbeddedLog): Pick<EmbeddedServer, "stop" | "exited"> {
  let stopping: Promise<void> | undefined;
  const exited = new Promise<void>((resolve) => {
    void started.gone.then(() => {
      if (stopping !== undefined) return;
      log.warn("embedded PostgreSQL exited unexpectedly", { postgresPid: started.child.pid });
      resolve();
    });
  });
  const stop = () => {
    stopping ??= stopProcess(started);
    return stopping;
  };
  return { stop, exited };
}

/** Rotates a large log file and keeps the previous one, so that a crash just before this start can still be read. */
async function rotate(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= LOG_BYTES_MAX) return;
  await rm(`${path}.1`, { force: true });
  await rename(path, `${path}.1`);
}
