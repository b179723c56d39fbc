import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { EmbeddedBinaries } from "./embedded-binaries.ts";
import { giveTo, type Launcher, outcome } from "./embedded-launcher.ts";
import { commandLine, isRunning, systemErrorCode, waitUntilGone } from "./process-state.ts";

/** Where the private server answers; trusted, since only its owner can enter the socket's directory. */
export interface EmbeddedAddress {
  /** The socket's directory, absolute: `pg` takes a host that starts with "/" for one. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

const PORT = 5432; // a part of the socket's name and nothing else
const SOCKET_PATH_BYTES_MAX = 100; // sun_path holds 104 (macOS) to 108 bytes
const FAST_STOP_WAIT_MS = 5_000;
const IMMEDIATE_STOP_WAIT_MS = 10_000;

/** The address of the server of an existing data directory, whether it runs or not. */
export function embeddedAddress(dataDir: string): EmbeddedAddress {
  const directory = realpathSync(dataDir);
  const hash = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const near = join(directory, "socket");
  const host = socketPathBytes(near) <= SOCKET_PATH_BYTES_MAX ? near : join(tmpdir(), `countersign-${hash}`);
  return { host, port: PORT, user: "countersign", database: "postgres" };
}

function socketPathBytes(directory: string): number {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${PORT}`));
}

export function clusterDir(dataDir: string): string {
  return join(dataDir, "postgres");
}

/** Makes the cluster once. It is made aside and renamed, so that a crash in the middle leaves nothing half done. */
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
    await giveTo(launcher.owner, cluster);
    return "found";
  }
  const fresh = await mkdtemp(join(dataDir, "initdb-"));
  await giveTo(launcher.owner, fresh);
  // The C locale: the package's ICU is old, and the order of text must not change with the machine.
  const args = ["-D", fresh, "-U", user, "--locale=C", "--encoding=UTF8", "--auth=trust"];
  const refusal = await outcome(launcher.run(binaries.initdb, args, ["ignore", "ignore", "pipe"]));
  if (refusal !== undefined) throw new Error(`initdb failed: ${refusal}`);
  await rename(fresh, cluster);
  await syncDirectory(dataDir);
  return "made";
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

/**
 * Makes the socket's directory anew, mode 0700. In a shared /tmp someone else's directory of that name would get our
 * queries: it cannot be removed there (sticky bit), or is made again in between, and either ends the start.
 */
export async function makeSocketDir(path: string, launcher: Launcher): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  await giveTo(launcher.owner, path);
}

/**
 * Stops a server that a killed process of ours left behind (only where the kernel could not: no setpriv) and clears its
 * lock file. The caller holds the lock on the data directory, so no one else starts a server here. PostgreSQL's own
 * guard against still living backends, the shared memory keyed by the cluster's inode, stays in force.
 */
export async function clearLeftover(cluster: string): Promise<void> {
  const pid = await postmasterPid(cluster);
  if (pid !== undefined && isRunning(pid) && isServerOf(pid, cluster)) await stopProcess(pid);
  // PostgreSQL refuses to start while any process, also a zombie or an unrelated one with a reused pid, has the number.
  await rm(join(cluster, "postmaster.pid"), { force: true });
}

async function postmasterPid(cluster: string): Promise<number | undefined> {
  const [line = ""] = (await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const pid = Number(line);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/** Another PostgreSQL may have got the number after a reboot; it must not be stopped. */
function isServerOf(pid: number, cluster: string): boolean {
  const command = commandLine(pid);
  if (command === undefined) return true; // no /proc to ask: the file is in our directory, and says that it is ours
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
