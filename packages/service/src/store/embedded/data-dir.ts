import { spawn } from "node:child_process";
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { mkdir, realpath, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, systemErrorCode } from "./process-state.ts";

/** An exclusive lock on a data directory. It lasts until `release` is called or this process ends for any reason. */
export interface DataDirLock {
  /** The directory's real, absolute path. */
  readonly directory: string;
  release(): void;
}

/**
 * Takes the exclusive lock on a data directory. Creates the directory if it is missing (mode 0700).
 * @throws DataDirInUse when another process, or another caller in this process, holds the lock.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const directory = await realpath(dataDir);
  const path = join(directory, "lock");
  // Use a plain descriptor: the garbage collector closes an unreferenced FileHandle, which would release the lock.
  // A link could name any other file, which the lock would empty. Windows has no such flag.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  const outcome = await flock(descriptor).catch((error: unknown) => {
    closeSync(descriptor);
    throw error;
  });
  if (outcome === "locked") {
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid}\n`, 0);
    return { directory, release: once(() => releaseDescriptor(descriptor)) };
  }
  closeSync(descriptor);
  if (outcome === "held") throw new DataDirInUse(directory, readPid(path));
  return lockByPidFile(directory);
}

/** Throws if the directory belongs to another account, which could have put a key that it knows or a link there. */
export async function assertOwnDataDir(directory: string): Promise<void> {
  const { uid } = await stat(directory);
  const own = process.getuid?.();
  if (own === undefined || uid === own || uid === 0) return;
  throw new Error(
    `The data directory ${directory} belongs to the user ${uid}, and this is the user ${own}. Set DATA_DIR to a folder of your own.`,
  );
}

/** Another process uses this data directory. */
export class DataDirInUse extends Error {
  readonly directory: string;
  readonly pid: number | undefined;

  constructor(directory: string, pid: number | undefined) {
    super(`The data directory ${directory} is in use by another process${pid === undefined ? "" : ` (pid ${pid})`}.`);
    this.name = "DataDirInUse";
    this.directory = directory;
    this.pid = pid;
  }
}

/**
 * Node has no flock(2), so the `flock` program of util-linux locks a descriptor that it inherits from this process. The
 * lock belongs to the open file: the kernel releases it when this process ends, even after kill -9. Node opens files
 * close-on-exec, so no other child process (such as the PostgreSQL server) keeps the lock.
 */
function flock(descriptor: number): Promise<"locked" | "held" | "unavailable"> {
  return new Promise((resolve, reject) => {
    const child = spawn("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
    child.on("error", (error) => (systemErrorCode(error) === "ENOENT" ? resolve("unavailable") : reject(error)));
    child.on("exit", (code, signal) => {
      if (code === 0) resolve("locked");
      else if (code === 1) resolve("held");
      else if (code !== null)
        resolve("unavailable"); // a file system without locks (some network mounts)
      else reject(new Error(`flock ended with ${signal}`));
    });
  });
}

function releaseDescriptor(descriptor: number): void {
  // Keep the file: if it were unlinked, two processes could each lock a different file with the same name.
  ftruncateSync(descriptor);
  closeSync(descriptor);
}

/** For systems without `flock` (macOS): the file's existence is the lock, and the file of a dead owner is ignored. */
export async function lockByPidFile(directory: string): Promise<DataDirLock> {
  const path = join(directory, "lock.pid");
  for (let attempts = 0; attempts < 3; attempts += 1) {
    if (createPidFile(path)) {
      heldHere.add(path);
      return { directory, release: once(() => releasePidFile(path)) };
    }
    const pid = readPid(path);
    if (pid !== undefined && isHeldBy(pid, path)) throw new DataDirInUse(directory, pid);
    // Rename the file before removing it: if two processes find the same dead owner, only one rename succeeds.
    const aside = `${path}.${process.pid}`;
    await rename(path, aside).catch(() => undefined);
    rmSync(aside, { force: true });
  }
  throw new DataDirInUse(directory, readPid(path));
}

const heldHere = new Set<string>();

function isHeldBy(pid: number, path: string): boolean {
  // After a container restart, a dead owner's pid can be the same as this process's pid.
  return pid === process.pid ? heldHere.has(path) : isRunning(pid);
}

function createPidFile(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function releasePidFile(path: string): void {
  heldHere.delete(path);
  rmSync(path, { force: true });
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
