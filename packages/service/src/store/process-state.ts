import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;

/**
 * Whether a process runs. A zombie does not: it answers signal 0, but it holds no lock and no file. Under a slow PID 1
 * a dead postmaster was seen as a zombie for 1.5 s.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== "EPERM") return false; // EPERM: it runs, under another user
  }
  const state = readProcFile(pid, "stat");
  // "pid (name) state …": the name may hold spaces and parentheses, so the state follows the last one.
  return state === undefined || !["Z", "X"].includes(state.charAt(state.lastIndexOf(")") + 2));
}

/** Resolves to whether the process was gone within the time. */
export async function waitUntilGone(pid: number, waitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += POLL_MS) {
    if (!isRunning(pid)) return true;
    await sleep(POLL_MS);
  }
  return !isRunning(pid);
}

/** The program and its arguments; undefined where the system does not say (no /proc, or the process is gone). */
export function commandLine(pid: number): string[] | undefined {
  return readProcFile(pid, "cmdline")?.split("\0");
}

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

/** `ENOENT`, `EEXIST` and their like. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
