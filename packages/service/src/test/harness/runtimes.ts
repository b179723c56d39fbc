/** The languages besides JavaScript in which the documents have code, and how to find them on this machine. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const runtimes = {
  Python: { command: "python3", flag: "--version" },
  Go: { command: "go", flag: "version" },
  PHP: { command: "php", flag: "--version" },
} as const;
export type Runtime = keyof typeof runtimes;
const names: readonly Runtime[] = ["Python", "Go", "PHP"];

export function isInstalled(runtime: Runtime): boolean {
  const { command, flag } = runtimes[runtime];
  return spawnSync(command, [flag]).status === 0;
}

/** Whether packages of a language can be installed here, for which an index must answer. Node's always can. */
export function hasPackages(runtime: Runtime): boolean {
  if (runtime !== "Python") return isInstalled(runtime);
  const folder = mkdtempSync(join(tmpdir(), "countersign-pip-"));
  const download = `python3 -m pip download --quiet --no-deps --retries 0 --timeout 10 --dest ${folder} httpx`;
  try {
    return spawnSync("sh", ["-c", `python3 -c "import ensurepip" && ${download}`]).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What did not run here, in sentences. `npm test` prints them at its end. */
export function notRun(): string[] {
  const missing = names.filter((name) => !isInstalled(name));
  return [
    ...missing.map((name) => `${name} is not on this machine: the quickstarts and samples in ${name} did not run`),
    ...(!missing.includes("Python") && !hasPackages("Python")
      ? ["packages of Python cannot be installed on this machine: the quickstart in Python did not run"]
      : []),
  ];
}
