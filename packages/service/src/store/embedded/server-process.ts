import type { ChildProcess } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { EmbeddedAddress } from "./cluster.ts";
import type { Launcher } from "./launcher.ts";

const READY_POLL_MS = 15;
const READY_WAIT_MS = 60_000; // crash recovery replays at most max_wal_size, which takes seconds
const FAST_STOP_WAIT_MS = 8_000;
const LOG_TAIL_LINES = 5;

export interface Started {
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
}

/**
 * Starts the server and waits until it answers.
 * @throws StillOccupied when an earlier server has not released the cluster yet.
 */
export async function startProcess(options: {
  launcher: Launcher;
  postgres: string;
  cluster: string;
  address: EmbeddedAddress;
  log: string;
  maxConnections: number;
}): Promise<Started> {
  const { launcher, postgres, cluster, address, maxConnections } = options;
  const log = openSync(options.log, "a", 0o600);
  const logStart = fstatSync(log).size;
  const args = ["-D", cluster, ...serverSettings(address, maxConnections)];
  const child = launcher.run(postgres, args, ["ignore", log, log]);
  closeSync(log);
  const gone = new Promise<void>((resolve) => {
    child.on("exit", () => resolve());
    child.on("error", () => resolve());
  });
  if (await isReady(address, gone)) return { child, gone };
  await stopProcess({ child, gone });
  const output = readFileSync(options.log).subarray(logStart).toString("utf8").trim();
  const message = `The embedded PostgreSQL did not start: ${output.split("\n").slice(-LOG_TAIL_LINES).join(" ")}`;
  throw /lock file ".*" already exists|pre-existing shared memory block/.test(output)
    ? new StillOccupied(message)
    : new Error(message);
}

/** An earlier server still holds the cluster and will release it soon. */
export class StillOccupied extends Error {}

function serverSettings({ host, port }: EmbeddedAddress, maxConnections: number): string[] {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`, // quoted, because the setting is a list
    unix_socket_permissions: "0700",
    port: `${port}`,
    max_connections: `${maxConnections}`,
    shared_buffers: "64MB",
    max_wal_size: "256MB", // limits disk use and recovery time
    io_method: "sync", // no extra I/O worker processes
    timezone: "UTC",
    log_timezone: "UTC",
    // Keep client data out of the log: an error's message, detail and statement can contain personal data. Level "log"
    // ranks above "error", so starts, stops and crashes are logged, and statement errors reach only the caller.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_statement: "none",
    log_min_duration_statement: "-1",
    log_parameter_max_length: "0",
    log_parameter_max_length_on_error: "0",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Polls until the server answers a query. Resolves to false when the server ends or takes too long. */
async function isReady(address: EmbeddedAddress, gone: Promise<void>): Promise<boolean> {
  let ended = false;
  void gone.then(() => {
    ended = true;
  });
  for (let waitedMs = 0; waitedMs < READY_WAIT_MS && !ended; waitedMs += READY_POLL_MS) {
    if (await answers(address)) return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}

async function answers({ host, port, user, database }: EmbeddedAddress): Promise<boolean> {
  // Set `ssl` and `connectionTimeoutMillis` so that PG… environment variables can't change these settings.
  const client = new Client({ host, port, user, database, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined); // a connection that breaks also rejects the query
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Fast shutdown: a checkpoint, without waiting for clients. If that takes too long, immediate shutdown, which loses no
 * data.
 */
export async function stopProcess({ child, gone }: Started): Promise<void> {
  child.kill("SIGINT");
  const waiting = new AbortController();
  const timeout = sleep(FAST_STOP_WAIT_MS, "late" as const, { signal: waiting.signal }).catch(() => "gone" as const);
  if ((await Promise.race([gone, timeout])) === "late") child.kill("SIGQUIT");
  await gone;
  waiting.abort();
}
