import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 20;

/**
 * Whether a process runs. A zombie counts as ended: it answers signal 0, but it holds no locks and no files. Under a
 * slow PID 1, a dead postmaster stayed a zombie for 1.5 s.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== "EPERM") return false; // EPERM: it runs as another user
  }
  const state = readProcFile(pid, "stat");
  // Format: "pid (name) state …". A name can contain parentheses, so the state follows the last parenthesis.
  return state === undefined || !["Z", "X"].includes(state.charAt(state.lastIndexOf(")") + 2));
}

/** Resolves to true if the process ends within the time. */
export async function waitUntilGone(pid: number, waitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += POLL_MS) {
    if (!isRunning(pid)) return true;
    await sleep(POLL_MS);
  }
  return !isRunning(pid);
}

/** The program and its arguments. Undefined if there is no /proc, or if the process has ended. */
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

/** Returns the error's code, such as `ENOENT` or `EEXIST`. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
