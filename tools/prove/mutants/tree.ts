/** A copy of the tree for mutants, and its tests. Each test file runs in a separate process. */
import { spawn } from "node:child_process";
import { cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../process.ts";

/** A longer test waits for something that a mutant removed. Long enough for a busy machine. */
const testTimeoutMs = 180_000;
const own = "@countersign";

export type Tree = { folder: string; path: string; signal: AbortSignal };
/** `broken`: the process ended without a failed test. */
export type Outcome = "passed" | "failed" | "hung" | "broken";

/** Copies our packages. Links installed packages, and links our packages to the copies. */
export function copyTree(folder: string, signal: AbortSignal): Tree {
  const path = join(folder, "tree");
  for (const name of ["package.json", "packages", "docs"])
    cpSync(join(root, name), join(path, name), {
      recursive: true,
      filter: (source, target) => {
        if (basename(source) !== "node_modules") return true;
        symlinkSync(source, target);
        return false;
      },
    });
  const installed = join(root, "node_modules");
  for (const name of readdirSync(installed)) {
    if (name !== own) link(join(installed, name), join(path, "node_modules", name));
  }
  for (const name of readdirSync(join(installed, own)))
    link(join(path, "packages", name), join(path, "node_modules", own, name));
  return { folder, path, signal };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** The file of a test, and the part of its name if there is one. */
export function placeOf(test: string): { file: string; name: string | undefined } {
  const [word = ""] = test.split(": ");
  const name = test.includes(": ") ? test.slice(word.length + 2) : undefined;
  const [file] = globSync(`packages/*/src/test/**/${word}.test.ts`, { cwd: root });
  if (file === undefined) throw new Error(`there is no test file ${word}.test.ts`);
  return { file, name };
}

/**
 * Runs the tests of a file whose names contain one of `names` (all tests if it is empty). Stops at the first failure.
 */
export async function runTests(
  { folder, path, signal }: Tree,
  file: string,
  names: readonly string[],
): Promise<{ outcome: Outcome; said: string }> {
  const patterns = names.map((name) => `--test-name-pattern=${name.replace(/[^\w ]/g, "\\$&")}`);
  const child = spawn(process.execPath, ["--test-reporter=tap", ...patterns, file], {
    cwd: path,
    // A killed process may leave files, which are removed with the folder.
    env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, "compiled") },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    killSignal: "SIGKILL",
  });
  let said = "";
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    child.kill("SIGKILL");
  }, testTimeoutMs);
  child.stdout.on("data", (chunk) => {
    said += chunk;
    if (hasFailed(said)) child.kill("SIGKILL");
  });
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  return await new Promise((resolve, reject) => {
    child.on("error", (error) => {
      if (!signal.aborted) reject(error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      const isGreen = code === 0 && /^# pass [1-9]/m.test(said);
      const outcome = hasFailed(said) ? "failed" : isHung ? "hung" : isGreen ? "passed" : "broken";
      resolve({ outcome, said });
    });
  });
}

function hasFailed(said: string): boolean {
  return /^\s*not ok /m.test(said);
}
