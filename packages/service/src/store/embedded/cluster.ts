import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { EmbeddedBinaries } from "./binaries.ts";
import { changeOwner, type Launcher, outcome } from "./launcher.ts";
import { commandLine, isRunning, systemErrorCode, waitUntilGone } from "./process-state.ts";
import { syncFile } from "./sync-file.ts";

/** Address of the private server. It needs no password, because only its owner can enter the socket directory. */
export interface EmbeddedAddress {
  /** Absolute path of the socket directory: `pg` treats a host that starts with "/" as a directory. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

const PORT = 5432; // used only in the socket's file name
const SOCKET_PATH_BYTES_MAX = 100; // sun_path holds 104 (macOS) to 108 bytes
const FAST_STOP_WAIT_MS = 5_000;
const IMMEDIATE_STOP_WAIT_MS = 10_000;

/** The server address of an existing data directory, whether or not the server is running. */
export function embeddedAddress(dataDir: string): EmbeddedAddress {
  const directory = realpathSync(dataDir);
  const hash = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const inDataDir = join(directory, "socket");
  const host = socketPathBytes(inDataDir) <= SOCKET_PATH_BYTES_MAX ? inDataDir : join(tmpdir(), `countersign-${hash}`);
  return { host, port: PORT, user: "countersign", database: "postgres" };
}

function socketPathBytes(directory: string): number {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${PORT}`));
}

export function clusterDir(dataDir: string): string {
  return join(dataDir, "postgres");
}

/** Creates the cluster if there is none. It is created elsewhere and renamed, so a crash leaves no partial cluster. */
export async function ensureCluster(options: {
  dataDir: string;
  binaries: EmbeddedBinaries;
  launcher: Launcher;
  user: string;
}): Promise<"made" | "found"> {
  const { dataDir, binaries, launcher, user } = options;
  const cluster = clusterDir(dataDir);
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("initdb-")) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  if (existsSync(cluster)) {
    await changeOwner(launcher.owner, cluster);
    return "found";
  }
  const fresh = await mkdtemp(join(dataDir, "initdb-"));
  await changeOwner(launcher.owner, fresh);
  // Use the C locale: the package's ICU version is old, and the sort order of text must not depend on the machine.
  const args = ["-D", fresh, "-U", user, "--locale=C", "--encoding=UTF8", "--auth=trust"];
  const refusal = await outcome(launcher.run(binaries.initdb, args, ["ignore", "ignore", "pipe"]));
  if (refusal !== undefined) throw new Error(`initdb failed: ${refusal}`);
  await rename(fresh, cluster);
  syncFile(dataDir);
  return "made";
}

/**
 * Recreates the socket directory with mode 0700. In a shared /tmp, another user could own a directory of this name to
 * receive our queries. Removing it (sticky bit) or creating it then fails, and the start stops.
 */
export async function makeSocketDir(path: string, launcher: Launcher): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  await changeOwner(launcher.owner, path);
}

/**
 * Stops a server that a killed process of this service left running, and clears its lock file. Such a server exists
 * only where there is no setpriv; elsewhere the kernel stops it. The caller holds the lock on the data directory, so no
 * other process starts a server here, and PostgreSQL's own guard (shared memory keyed by the cluster's inode) still
 * detects live backends.
 */
export async function clearLeftover(cluster: string): Promise<void> {
  const pid = await postmasterPid(cluster);
  if (pid !== undefined && isRunning(pid) && isServerOf(pid, cluster)) await stopProcess(pid);
  // PostgreSQL refuses to start while any process has this pid, even a zombie or an unrelated process that reuses it.
  await rm(join(cluster, "postmaster.pid"), { force: true });
}

async function postmasterPid(cluster: string): Promise<number | undefined> {
  const [line = ""] = (await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const pid = Number(line);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/**
 * Whether the pid is our server's. After a reboot, another PostgreSQL server may have the same pid and must not be
 * stopped.
 */
function isServerOf(pid: number, cluster: string): boolean {
  const command = commandLine(pid);
  if (command === undefined) return true; // no /proc: trust the pid file, because it is in our own directory
  return basename(command[0] ?? "") === "postgres" && command.includes(cluster);
}

async function stopProcess(pid: number): Promise<void> {
  signal(pid, "SIGINT");
  if (await waitUntilGone(pid, FAST_STOP_WAIT_MS)) return;
  signal(pid, "SIGQUIT");
  if (await waitUntilGone(pid, IMMEDIATE_STOP_WAIT_MS)) return;
  throw new Error(`The PostgreSQL server of an earlier process (pid ${pid}) does not stop.`);
}

function signal(pid: number, name: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemErrorCode(error) !== "ESRCH") throw error;
  }
}
