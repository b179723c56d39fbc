/**
 * The service as `npm start` runs it, on a database server of its own with the same durability as the embedded server.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ready } from "../packages/service/src/service.ts";
import { clusterDir } from "../packages/service/src/store/embedded/cluster.ts";
import { startEmbedded } from "../packages/service/src/store/embedded/server.ts";
import { bind, boundTo, cpuOf, type Place, release } from "./cores.ts";
import type { Database, Statement } from "./signup-limit.ts";

/** The sources. A preloaded file can record the statements of their driver. */
const sourcesIn = (root: string) => join(root, "packages/service/src/cli.ts");
const bundles = new URL("../packages/service/dist/", import.meta.url).pathname;
const readyPollMs = 50;

export type Embedded = Awaited<ReturnType<typeof openEmbedded>>;

/** A directory and a database server. Closing removes both. */
export async function openEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  const quiet = { info: () => undefined, warn: (message: string) => void process.stderr.write(`${message}\n`) };
  const server = await startEmbedded({ dataDir, log: quiet });
  const [pid = ""] = (await readFile(join(clusterDir(dataDir), "postmaster.pid"), "utf8")).split("\n");
  bind(Number(pid), "database");
  const { host, port, user, database } = server;
  return {
    dataDir,
    database: { host, port, user, database } satisfies Database,
    cpu: () => cpuOf(Number(pid)),
    async close() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The bundle that `npm start` runs. `npm run bench` builds it before. */
function newestBundle(): string {
  const built = readdirSync(bundles).map((name) => join(bundles, name, "cli.mjs"));
  const [newest] = built.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (newest === undefined) throw new Error("build the service first: npm run build");
  return newest;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** One process with every role. Its log goes to a file, as in a real installation. */
export async function startService(
  { dataDir, database }: Embedded,
  preload?: string,
  { root = join(import.meta.dirname, ".."), node = process.execPath } = {},
) {
  const { host, port, user } = database;
  const DATABASE_URL = `postgres://${user}@localhost:${port}/${database.database}?host=${encodeURIComponent(host)}`;
  const own = join(dataDir, "service");
  const before = preload === undefined ? [] : ["--import", new URL(preload, import.meta.url).pathname];
  const cli = preload === undefined ? newestBundle() : sourcesIn(root);
  const [file, args] = boundTo("measured", [node, ...before, cli, "start"]);
  const log = openSync(join(dataDir, "service.log"), "a");
  const child = spawn(file, args, {
    // Do not inherit our environment, because it would change the measured settings.
    env: { DATA_DIR: own, DATABASE_URL, API_PORT: "0", WALLET_PORT: "0", DASHBOARD_PORT: "0", OPERATOR_PORT: "0" },
    stdio: ["ignore", log, log, "ipc"],
  });
  process.once("exit", () => child.kill());
  const ready = await readyOf(child, join(own, "ready.json"));
  return {
    child,
    ready,
    origin: ready.environments.sandbox.apiUrl,
    cpu: () => cpuOf(ready.pid),
    /** Lets the service use every core, or only its own. */
    useAllCores: (all: boolean) => (all ? release(ready.pid) : bind(ready.pid, "measured")),
    /** The statements since the last call. */
    async told(): Promise<Statement[]> {
      child.send("tell");
      const [statements] = await once(child, "message");
      return statements;
    },
    /** Asks the preloaded file. */
    async ask<Question extends object, Answer>(question: Question): Promise<Answer> {
      child.send(question);
      const [answer] = await once(child, "message");
      return answer;
    },
    async stop() {
      child.disconnect();
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function readyOf(child: ChildProcess, path: string): Promise<Ready> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const text = await readFile(path, "utf8").catch(() => "");
    if (text !== "") return JSON.parse(text);
    await sleep(readyPollMs);
  }
}

/** A helper process that is controlled by messages. */
export function helper(name: string, place: Place) {
  const child = fork(new URL(name, import.meta.url), { stdio: "inherit" });
  if (child.pid !== undefined) bind(child.pid, place);
  return {
    cpu: () => cpuOf(child.pid ?? 0),
    async ask<Answer>(question: object): Promise<Answer> {
      child.send(question);
      const [answer] = await once(child, "message");
      return answer;
    },
    stop: () => void child.kill(),
  };
}
