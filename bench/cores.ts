import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * Who runs where: what is measured has the first core for itself; the database has the second, and so has whoever loads
 * them, where there is no third. Null: nothing can be bound here.
 */
const canBind = spawnSync("taskset", ["--version"]).status === 0 && availableParallelism() > 1;
export const cores = canBind ? { measured: 0, database: 1, load: Math.min(2, availableParallelism() - 1) } : null;
export type Place = "measured" | "database" | "load";

/** A running process with all its threads and children. */
export function bind(pid: number, place: Place): void {
  if (cores === null) return;
  for (const one of [pid, ...childrenOf(pid)]) spawnSync("taskset", ["-acp", `${cores[place]}`, `${one}`]);
}

/** The command that runs another where it belongs. */
export function boundTo(place: Place, command: string[]): [string, string[]] {
  const [file = "", ...args] = cores === null ? command : ["taskset", "-c", `${cores[place]}`, ...command];
  return [file, args];
}

const tickMicroseconds = 10_000;

/** Microseconds of CPU that a process and its children have used until now. */
export function cpuOf(pid: number): number {
  return [pid, ...childrenOf(pid)].map(cpuOfOne).reduce((sum, one) => sum + one, 0);
}

function cpuOfOne(pid: number): number {
  // After the name: the state, the parent and so on; from the 12th on user and system time, and those of children that ended.
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
    return []; // it has ended meanwhile
  }
}
