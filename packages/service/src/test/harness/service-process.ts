/** Real CLI processes for tests, with their own data directories and the embedded database server. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import type { Ready } from "../../service.ts";
import { cloneDatabase } from "./database-template.ts";

const sources = resolve(import.meta.dirname, "../../cli.ts");
/** What runs, and the data directory of each. */
const running = new Map<{ kill(): void; exited: Promise<unknown> }, string | undefined>();

process.on("exit", () => {
  for (const one of running.keys()) one.kill();
});

/** A new data directory. It is deleted after the test file, or after the test that asked for it. */
export async function dataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-process-"));
  after(async () => {
    await Promise.all([...running].filter(([, used]) => used === directory).map(([one]) => end(one)));
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
}

/** The variable that puts a process on a database of the suite's server, which starts faster than one of its own. */
export async function suiteDatabase(): Promise<{ DATABASE_URL: string }> {
  const { url, drop } = await cloneDatabase();
  after(drop);
  return { DATABASE_URL: url };
}

async function end({ kill, exited }: { kill(): void; exited: Promise<unknown> }): Promise<void> {
  kill();
  await exited;
}

const quiet = { API_PORT: "0", WALLET_PORT: "0", DASHBOARD_PORT: "0", OPERATOR_PORT: "0", LOG_LEVEL: "silent" };
/**
 * Starts a CLI process from the bundle that `npm test` built, or from `ENTRY`. With `preload`, that file is loaded before
 * the sources, and the two processes can send each other messages.
 */
export function countersign(args: string[], { ENTRY, ...variables }: Record<string, string>, preload?: string) {
  const entry = ENTRY ?? (preload === undefined ? process.env.TEST_CLI : undefined) ?? sources;
  const { HOME = "/", PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const before = preload === undefined ? [] : ["--import", preload];
  const child = spawn(process.execPath, [...before, entry, ...args], {
    env: { HOME, PATH, NODE_COMPILE_CACHE, ...quiet, ...variables },
    stdio: ["pipe", "pipe", "pipe", ...(preload === undefined ? [] : (["ipc"] as const))],
  });
  const { stdout, stderr } = child;
  assert.ok(stdout && stderr);
  const one = { kill: () => child.kill("SIGTERM"), exited: once(child, "exit") };
  running.set(one, variables.DATA_DIR);
  after(() => end(one));
  const said = { out: "", err: "" };
  let printed = Promise.withResolvers<void>();
  for (const [name, stream] of [
    ["out", stdout],
    ["err", stderr],
  ] as const)
    stream.setEncoding("utf8").on("data", (part) => {
      said[name] += part;
      printed.resolve();
      printed = Promise.withResolvers();
    });
  const exit = once(child, "close").then(([code, signal]) => {
    running.delete(one);
    return { code: code as number | null, signal: signal as string | null, ...said };
  });
  /** Waits until a condition on what the process has printed is met. Fails if the process ends before that. */
  const until = async (isMet: () => boolean): Promise<void> => {
    const ended = exit.then(({ code, err }) => assert.fail(`the process ended with ${code}: ${err.slice(-2_000)}`));
    ended.catch(() => {});
    while (!isMet()) await Promise.race([printed.promise, ended]);
  };
  return { child, stdout, said, exit, until };
}
export const run = (args: string[], variables: Record<string, string>) => countersign(args, variables).exit;

/** Starts the service and waits until it reports that it is ready. */
export async function start(DATA_DIR: string, variables: Record<string, string> = {}, preload?: string) {
  const started = countersign(["start"], { DATA_DIR, ...variables }, preload);
  await started.until(() => started.said.out.endsWith("\n\n"));
  const ready: Ready = JSON.parse(await readFile(join(DATA_DIR, "ready.json"), "utf8"));
  const stop = async (signal: NodeJS.Signals) => {
    started.child.kill(signal);
    return await started.exit;
  };
  return { ...started, ready, stop };
}
export type Started = Awaited<ReturnType<typeof start>>;

type LogLine = { msg: string; pid: number; process?: number };

/** The lines that a process has logged so far. A line whose end has not arrived yet is left out. */
export function logLines({ said }: Pick<Started, "said">): LogLine[] {
  const whole = said.err.split("\n").slice(0, -1);
  return whole.filter((line) => line.startsWith('{"')).map((line) => JSON.parse(line));
}
