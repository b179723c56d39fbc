/**
 * `npm run build -- docs`: builds the documentation site, unless a build of these sources exists. `--base` is the path
 * under which it is served; `--out` is a folder for another web server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { systemErrorCode } from "../../packages/service/src/store/embedded/process-state.ts";
import { finishSite } from "./finish.ts";
import { docsFolder, root } from "./pages.ts";

/** The builds by version. The file `current` names the version that the service serves. */
const dist = join(docsFolder, ".vitepress/dist");
const current = join(dist, "current");
/** A file with the process id of the running build. */
const building = join(dist, "building");
const otherBuildPollMs = 250;
const defaultBase = "/docs/";

let running: ChildProcess | undefined;
let holdsLock = false;

/** Builds the site that the service serves. Waits if another process is building it. */
async function buildForService(): Promise<void> {
  mkdirSync(dist, { recursive: true });
  const version = sourceVersion();
  while (!isBuilt(version)) {
    if (!takeLock()) {
      await delay(otherBuildPollMs);
      continue;
    }
    try {
      await build(join(dist, version), defaultBase);
      writeFileSync(`${current}.new`, version);
      renameSync(`${current}.new`, current);
      for (const name of readdirSync(dist))
        if (/^[0-9a-f]{16}/.test(name) && name !== version) rmSync(join(dist, name), { recursive: true, force: true });
    } finally {
      holdsLock = false;
      rmSync(building, { force: true });
    }
  }
}

async function build(out: string, base: string): Promise<void> {
  const made = `${out}.new`;
  await installPackages();
  rmSync(made, { recursive: true, force: true });
  const vitepress = join(docsFolder, "node_modules/vitepress/bin/vitepress.js");
  await run(process.execPath, [vitepress, "build", docsFolder, "--outDir", made, "--base", base]);
  const downloads = await import(pathToFileURL(join(docsFolder, ".vitepress/downloads.ts")).href);
  await finishSite(made, { base, downloads });
  rmSync(out, { recursive: true, force: true });
  renameSync(made, out);
}

/**
 * Installs the packages of `docs/` if they do not match their lock file. The project's own install does not include
 * them.
 */
async function installPackages(): Promise<void> {
  const wanted = readFileSync(join(docsFolder, "package-lock.json"), "utf8");
  const installed = join(docsFolder, "node_modules/.installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  const npm = process.env.npm_execpath ?? "";
  const [file, ...before] = basename(npm) === "npm-cli.js" ? [process.execPath, npm] : ["npm"];
  const args = ["ci", "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  await run(file ?? "npm", [...before, ...args]);
  writeFileSync(installed, wanted);
}

/** Runs a program and waits for its end. Prints its output only if it fails. */
async function run(file: string, args: string[]): Promise<void> {
  const child = spawn(file, args, { cwd: docsFolder, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  const code = await new Promise((done, failed) => child.on("error", failed).on("close", done));
  if (code !== 0) throw new Error(`${basename(file)} ${args[0]} failed:\n${output}`);
}

/** A hash of all sources of the site. */
function sourceVersion(): string {
  const folders = [
    "docs/**/*.{md,json}",
    "docs/.vitepress/**/*.{ts,css}",
    "{ARCHITECTURE,CONTRIBUTING,packages/sdk/README}.md",
    "tools/site/*.ts",
    "packages/service/src/http/mark{.ts,/*}",
    "packages/web/{package.json,src/ui/tokens.css}",
  ];
  const isOurs = (path: string) => !/node_modules|\.vitepress[\\/](dist|cache)/.test(path);
  const made = createHash("sha256");
  for (const path of globSync(folders, { cwd: root, exclude: (name) => /node_modules|dist$|cache$/.test(name) }).sort())
    if (isOurs(path)) made.update(`${path}\n`).update(readFileSync(join(root, path)));
  return made.digest("hex").slice(0, 16);
}

function isBuilt(version: string): boolean {
  return existsSync(current) && readFileSync(current, "utf8") === version && existsSync(join(dist, version));
}

/** Takes the build lock, or that of a dead process. Returns false if another process is building. */
function takeLock(): boolean {
  try {
    writeFileSync(building, String(process.pid), { flag: "wx" });
    holdsLock = true;
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    try {
      process.kill(Number(readFileSync(building, "utf8")), 0);
    } catch {
      rmSync(building, { force: true });
    }
    return false;
  }
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => {
    running?.kill(signal);
    if (holdsLock) rmSync(building, { force: true });
    process.exit(1);
  });

const { values } = parseArgs({ options: { base: { type: "string" }, out: { type: "string" } } });
if (values.out === undefined && values.base === undefined) await buildForService();
else {
  const out = resolve(process.env.INIT_CWD ?? root, values.out ?? "site");
  await build(out, values.base ?? "/");
  process.stdout.write(`The site is in ${out}.\n`);
}
