import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * Whether processes can be bound to cores. The measured process has the first core, and the database has the second.
 * The load has the third, or shares the second.
 */
const canBind = spawnSync("taskset", ["--version"]).status === 0 && availableParallelism() > 1;
export const cores = canBind ? { measured: 0, database: 1, load: Math.min(2, availableParallelism() - 1) } : null;
export type Place = "measured" | "database" | "load";

/** Binds a running process, with all its threads and children, to its core. */
export function bind(pid: number, place: Place): void {
  if (cores === null) return;
  for (const one of [pid, ...childrenOf(pid)]) spawnSync("taskset", ["-acp", `${cores[place]}`, `${one}`]);
}

/** Lets a running process and its threads use every core. */
export function release(pid: number): void {
  if (cores !== null) spawnSync("taskset", ["-acp", `0-${availableParallelism() - 1}`, `${pid}`]);
}

/** A command that runs the given one on its core. */
export function boundTo(place: Place, command: string[]): [string, string[]] {
  const [file = "", ...args] = cores === null ? command : ["taskset", "-c", `${cores[place]}`, ...command];
  return [file, args];
}

const tickMicroseconds = 10_000;

/** Microseconds of CPU time that a process and its children have used so far. */
export function cpuOf(pid: number): number {
  return [pid, ...childrenOf(pid)].map(cpuOfOne).reduce((sum, one) => sum + one, 0);
}

function cpuOfOne(pid: number): number {
  // Fields 12 to 15 of /proc/<pid>/stat after the name: user and system time, of the process and of its ended children.
  const ticks = statOf(pid).slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) * tickMicroseconds;
}

function childrenOf(pid: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((one) => statOf(one)[1] === `${pid}`);
}

function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return []; // the process has ended
  }
}
