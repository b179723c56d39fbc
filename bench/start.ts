import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { Bench } from "./bench.ts";
import { quantile } from "./timed.ts";

const rounds = 5;
const pollMs = 5;
/** After this time, all work of the start is done, in milliseconds. */
const idleAfterMs = 5_000;
const root = resolve(import.meta.dirname, "..");
const ports = { API_PORT: "0", WALLET_PORT: "0", DASHBOARD_PORT: "0", OPERATOR_PORT: "0" };
const key = "sk_sandbox_demo_api";
const primary = "+12125550010";

type Ready = { pid: number; environments: { sandbox: { apiUrl: string; walletUrl: string } } };
type Times = { readyMs: number; identityMs: number };
type Memory = { ours: number; server: number };

/**
 * Runs `npm start` in an empty directory, and again in the same one. Measures the time until it is ready, and until the
 * first identity.
 */
export async function benchStart(bench: Bench): Promise<void> {
  const [cold, warm]: [Times[], Times[]] = [[], []];
  const memory: Memory[] = [];
  const build = spawn("npm", ["run", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if ((await once(build, "exit"))[0] !== 0) throw new Error("npm run build failed");
  for (let round = 0; round < rounds; round += 1) {
    const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"));
    cold.push(await startOnce(directory, async () => {}));
    const measure = async (pid: number) => {
      await sleep(idleAfterMs);
      memory.push(memoryOf(pid));
    };
    warm.push(await startOnce(directory, measure));
    await rm(directory, { recursive: true, force: true });
  }
  const middle = (all: Times[], what: keyof Times) =>
    quantile(
      all.map((one) => one[what] / 1_000),
      0.5,
    );
  bench.row({
    what: "npm start to ready in an empty directory, s",
    figure: middle(cold, "readyMs"),
    limit: 3,
    aim: 2.5,
  });
  bench.row({ what: "npm start to ready once more, s", figure: middle(warm, "readyMs"), limit: 0.9, aim: 0.7 });
  bench.row({ what: "npm start to a first identity, empty, s", figure: middle(cold, "identityMs"), limit: 6 });
  bench.row({ what: "npm start to a first identity once more, s", figure: middle(warm, "identityMs"), limit: 2 });
  const megabytes = (what: keyof Memory) =>
    quantile(
      memory.map((one) => one[what] / 1_024),
      0.5,
    );
  if (memory.every(({ ours }) => ours === 0)) return;
  bench.row({ what: "our process when idle, MB resident", figure: megabytes("ours"), limit: 150, aim: 120 });
  bench.row({
    what: "the embedded server after that, MB (shared counted once)",
    figure: megabytes("server"),
    limit: 150,
  });
}

async function startOnce(directory: string, meanwhile: (pid: number) => Promise<void>): Promise<Times> {
  const began = performance.now();
  const { HOME = "/", PATH = "" } = process.env;
  const env = { HOME, PATH, ...ports, DATA_DIR: directory };
  const child = spawn("npm", ["start"], { cwd: root, env, stdio: "ignore" });
  const { pid, environments } = await readiness(child, join(directory, "ready.json"));
  const readyMs = performance.now() - began;
  const answer = await request(`${environments.sandbox.apiUrl}/v2/1-click`, {
    method: "POST",
    headers: { authorization: key, "content-type": "application/json" },
    body: JSON.stringify({ phone: primary }),
  });
  const { identity }: { identity?: object } = JSON.parse(await answer.body.text());
  if (identity === undefined) throw new Error("there was no identity");
  const identityMs = performance.now() - began;
  await meanwhile(pid);
  const gone = once(child, "exit");
  process.kill(pid, "SIGTERM");
  await gone;
  return { readyMs, identityMs };
}

async function readiness(child: ChildProcess, file: string): Promise<Ready> {
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
    await sleep(pollMs);
  }
  return JSON.parse(await readFile(file, "utf8"));
}

/** Memory of a process and of the server below it, in kilobytes. Zero on systems other than Linux. */
function memoryOf(pid: number): Memory {
  const kilobytes = (file: string, name: string) => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  };
  const beneath = descendantsOf(pid).map((one) => kilobytes(`/proc/${one}/smaps_rollup`, "Pss"));
  return { ours: kilobytes(`/proc/${pid}/status`, "VmRSS"), server: beneath.reduce((sum, one) => sum + one, 0) };
}

function descendantsOf(pid: number): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map((file) => readFileSync(file, "utf8"));
  const children = lists.flatMap((text) =>
    text
      .split(" ")
      .filter((one) => one !== "")
      .map(Number),
  );
  return children.flatMap((one) => [one, ...descendantsOf(one)]);
}
