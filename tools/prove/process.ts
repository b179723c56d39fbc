/** Processes of the service for proofs: of this version, or of another one in a folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Ready } from "../../packages/service/src/service.ts";

export const root = resolve(import.meta.dirname, "../..");
const command = "packages/service/src/cli.ts";

/** Runs a command of the service in a folder, and resolves when it has ended. */
export async function run(folder: string, args: string[], variables: Record<string, string>) {
  const { child, said } = begin(folder, args, variables);
  const [code] = await once(child, "close");
  return { code: Number(code ?? 1), ...said }; // null: a signal ended it
}

/** Starts the service in a folder, and resolves once it reports that it is ready. `preload` is loaded before it. */
export async function start(folder: string, variables: Record<string, string>, preload?: string) {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "countersign-prove-"));
  const { child, said } = begin(folder, ["start"], { DATA_DIR, ...variables }, preload);
  const exit = once(child, "close");
  let isOver = false;
  exit.then(() => {
    isOver = true;
  });
  while (!said.out.endsWith("\n\n")) {
    if (isOver) throw new Error(`it ended: ${said.err}`);
    await Promise.race([once(child.stdout, "data"), exit]);
  }
  const ready: Ready = JSON.parse(await readFile(join(DATA_DIR, "ready.json"), "utf8"));
  return {
    ready,
    apiUrl: ready.environments.sandbox.apiUrl,
    async stop() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

function begin(folder: string, args: string[], variables: Record<string, string>, preload?: string) {
  const { HOME = "/", PATH = "" } = process.env;
  const ports = { API_PORT: "0", WALLET_PORT: "0", DASHBOARD_PORT: "0", OPERATOR_PORT: "0", LOG_LEVEL: "silent" };
  const before = preload === undefined ? [] : ["--import", preload];
  const child = spawn(process.execPath, [...before, join(folder, command), ...args], {
    env: { HOME, PATH, ...ports, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Do not leave a process running when a proof ends.
  process.once("exit", () => child.kill("SIGKILL"));
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  return { child, said };
}

/** Prints a line of a proof's report. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
