/** The languages besides JavaScript in which the documents have code, and how to find them on this machine. */
import { spawnSync } from "node:child_process";

const runtimes = {
  Python: { command: "python3", flag: "--version" },
  Go: { command: "go", flag: "version" },
  PHP: { command: "php", flag: "--version" },
} as const;
export type Runtime = keyof typeof runtimes;

export function isInstalled(runtime: Runtime): boolean {
  const { command, flag } = runtimes[runtime];
  return spawnSync(command, [flag]).status === 0;
}

/** The languages whose code cannot run here. `npm test` names them at its end. */
export function missingRuntimes(): string[] {
  return Object.entries(runtimes)
    .filter(([, { command, flag }]) => spawnSync(command, [flag]).status !== 0)
    .map(([name]) => name);
}
