/** Runs a quickstart as its page says: its shell block, in a copy of its folder. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const running = new Set<ChildProcess>();
async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, "close");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
}

/** The commands of a page's first shell block, without the first one, which enters the folder. */
function commandsOf(name: string): string[] {
  const page = readFileSync(join(root, "docs/quickstarts", `${name}.md`), "utf8");
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const [enter, ...commands] = block.trim().split("\n");
  assert.equal(enter, `cd examples/${name}`);
  assert.ok(commands.length > 0);
  return commands;
}

const environment = {
  ...process.env,
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_package_lock: "false",
  NEXT_TELEMETRY_DISABLED: "1",
  GOPROXY: "off",
};

/** Copies the folder into a cache and installs there. An install is repeated only after its list of packages changed. */
async function installed(name: string, commands: readonly string[]): Promise<string> {
  const source = join(root, "examples", name);
  const folder = join(root, "artifacts/quickstarts", name);
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(source).filter((file) => !/^(node_modules|\.venv|\.next)$/.test(file));
  for (const file of files) cpSync(join(source, file), join(folder, file), { recursive: true, force: true });
  const list = ["package.json", "requirements.txt"].map((file) => join(source, file)).find((path) => existsSync(path));
  if (list === undefined) return folder;
  const hash = createHash("sha256").update(readFileSync(list)).update(commands.join("\n")).digest("hex");
  const mark = join(folder, ".installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === hash) return folder;
  // An install can take minutes. A blocking call would keep `fetch` from seeing that a server closed its idle connection.
  for (const command of commands) {
    const { child, said } = spawned(command, folder, {});
    child.stdin.end();
    const [status] = await once(child, "close");
    assert.equal(status, 0, `"${command}" in examples/${name} failed:\n${said.text}`);
  }
  writeFileSync(mark, hash);
  return folder;
}

/** Runs a command in a shell, in a process group of its own, and collects what it prints. */
function spawned(command: string, cwd: string, variables: Record<string, string>) {
  const child = spawn("sh", ["-c", command], { cwd, env: { ...environment, ...variables }, detached: true });
  running.add(child);
  after(() => end(child));
  child.once("close", () => running.delete(child));
  const said = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => {
      said.text += part;
    });
  return { child, said };
}

type Quickstart = { url: string; printed(): string; stop(): Promise<void> };

/** Installs and starts a quickstart, and returns its URL once it answers. */
export async function startQuickstart(name: string, variables: Record<string, string>): Promise<Quickstart> {
  const commands = commandsOf(name);
  const folder = await installed(name, commands.slice(0, -1));
  const port = String(await freePort());
  const command = (commands.at(-1) ?? "").replaceAll("4200", port);
  const { child, said } = spawned(command, folder, { ...variables, PORT: port });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    assert.ok(running.has(child), `"${command}" in examples/${name} ended:\n${said.text}`);
    return fetch(url).catch(() => undefined);
  });
  return { url, printed: () => said.text, stop: () => end(child) };
}
