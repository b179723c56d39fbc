/** Files that workers take one after another. A worker claims a file by creating the file with its number. */
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `timeoutMs` is the most that a file may take; null: no bound. */
export type Order = { folder: string; files: readonly string[]; timeoutMs: number | null };
/** `residentMb` is the memory of the process after the file. */
export type Cost = { cpuSeconds: number; residentMb: number };

export function isAnyUnclaimed({ folder, files }: Order): boolean {
  return files.some((_, index) => !existsSync(join(folder, String(index))));
}

/** Claims the next file that no other worker has claimed. */
export function claimNext({ folder, files }: Order): string | undefined {
  return files.find((_, index) => isClaimed(join(folder, String(index))));
}

/** Only one of all workers succeeds. */
function isClaimed(claim: string): boolean {
  if (existsSync(claim)) return false;
  try {
    closeSync(openSync(claim, "wx"));
    return true;
  } catch {
    return false;
  }
}

export function writeCost({ folder, files }: Order, file: string, cost: Cost): void {
  writeFileSync(join(folder, `${files.indexOf(file)}.cost`), JSON.stringify(cost));
}

/** Zeros if the worker did not write the cost. */
export function costOf({ folder, files }: Order, file: string): Cost {
  const path = join(folder, `${files.indexOf(file)}.cost`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { cpuSeconds: 0, residentMb: 0 };
}

/** CPU time of this process and, on Linux, of the processes that it has waited for. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const stat = "/proc/self/stat";
  const fields = existsSync(stat) ? readFileSync(stat, "utf8").split(") ").at(-1)?.split(" ") : undefined;
  return (user + system) / 1e6 + (Number(fields?.[13] ?? 0) + Number(fields?.[14] ?? 0)) / 100;
}
