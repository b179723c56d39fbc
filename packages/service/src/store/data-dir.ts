import { spawn } from "node:child_process";
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { mkdir, realpath, rename } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, systemErrorCode } from "./process-state.ts";

/** An exclusive hold on one data directory, until `release` or until this process ends in whatever way. */
export interface DataDirLock {
  /** The directory's real, absolute path. */
  readonly directory: string;
  release(): void;
}

/**
 * Takes the exclusive lock on a data directory, which is made if it is not there (mode 0700).
 * @throws DataDirInUse when another process, or another caller in this one, has it.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const directory = await realpath(dataDir);
  const path = join(directory, "lock");
  // A plain descriptor, not a FileHandle: the collector closes forgotten handles, and with it the lock would go.
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
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

/** Another process works on this data directory. */
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
 * Node has no flock(2), so util-linux's program takes it on a descriptor that it inherits from us: the lock belongs to
 * the open file, which we keep. The kernel drops it when we end, after kill -9 too. Node opens files close-on-exec, so
 * no other child (the PostgreSQL server, say) carries the lock on after us.
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
      else reject(new Error(`flock was ended by ${signal}`));
    });
  });
}

function releaseDescriptor(descriptor: number): void {
  // The file stays: to unlink a locked file would let two processes lock two files of one name.
  ftruncateSync(descriptor);
  closeSync(descriptor);
}

/** Where there is no `flock` (macOS): the file's existence is the lock, and a dead owner's file counts as none. */
export async function lockByPidFile(directory: string): Promise<DataDirLock> {
  const path = join(directory, "lock.pid");
  for (let attempts = 0; attempts < 3; attempts += 1) {
    if (createPidFile(path)) {
      heldHere.add(path);
      return { directory, release: once(() => releasePidFile(path)) };
    }
    const pid = readPid(path);
    if (pid !== undefined && isHeldBy(pid, path)) throw new DataDirInUse(directory, pid);
    // Moved aside before it is removed: of two processes that find the same dead owner only one succeeds.
    const aside = `${path}.${process.pid}`;
    await rename(path, aside).catch(() => undefined);
    rmSync(aside, { force: true });
  }
  throw new DataDirInUse(directory, readPid(path));
}

const heldHere = new Set<string>();

function isHeldBy(pid: number, path: string): boolean {
  // After a restart of a container a dead owner's pid may well be our own.
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
