import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { chmod, chown, lchown, lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** How the server's programs are run, so that they are not root and do not outlive us. */
export interface Launcher {
  readonly name: LauncherName;
  /** Who must own the cluster and the socket directory; undefined: whoever we are. */
  readonly owner: Owner | undefined;
  run(program: string, args: readonly string[], stdio: StdioOptions): ChildProcess;
}

/**
 * - `direct`: we are not root.
 * - `namespace`: root, mapped to uid 1000 in a user namespace of its own. Needs no account, and works below a closed
 *   directory such as /root, since outside the namespace the process is still the owner of our files.
 * - `account`: root where namespaces are blocked (most containers): the account `postgres` or `nobody`.
 * - `accountBelowClosed`: the same account, allowed to pass directories it could not enter. PostgreSQL asks only not to
 *   be uid 0; the alternative would be not to start at all under /root.
 */
export type LauncherName = "direct" | "namespace" | "account" | "accountBelowClosed";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const ROOT: readonly LauncherName[] = ["namespace", "account", "accountBelowClosed"];
const NOBODY: Owner = { uid: 65534, gid: 65534 };

/** Takes the first way that works here; each is tried by running `postgres --version` from inside the data directory. */
export async function chooseLauncher(options: {
  dataDir: string;
  postgres: string;
  ways?: readonly LauncherName[] | undefined;
}): Promise<Launcher> {
  const isRoot = process.getuid?.() === 0;
  const deathSignal = await deathSignalPrefix();
  const account = isRoot ? await serverAccount() : NOBODY;
  const refusals: string[] = [];
  for (const name of options.ways ?? (isRoot ? ROOT : ["direct" as const])) {
    if (name === "account") await openForPassage(options.dataDir);
    const launcher = makeLauncher(name, deathSignal, account);
    const refusal = await tryLauncher(launcher, options);
    if (refusal === undefined) return launcher;
    refusals.push(`${name}: ${refusal}`);
  }
  throw new Error(
    `The embedded PostgreSQL cannot be run here; set DATABASE_URL to a server of yours, or run as an ordinary user. ${refusals.join("; ")}`,
  );
}

function makeLauncher(name: LauncherName, deathSignal: readonly string[], account: Owner): Launcher {
  const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  switch (name) {
    case "direct":
      return launcher({ name, prefix: deathSignal, owner: undefined });
    case "namespace":
      // setpriv inside unshare: the other way round the death signal is cleared with the change of user.
      return launcher({ name, prefix: ["unshare", "--user", "--map-user=1000", "--", ...deathSignal], owner: us });
    case "account":
      return launcher({ name, prefix: deathSignal, owner: account, spawnAs: account });
    case "accountBelowClosed": {
      const { uid, gid } = account;
      const identity = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
      const passage = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
      const prefix = ["setpriv", ...identity, ...passage, "--pdeathsig", "INT", "--"];
      return launcher({ name, prefix, owner: account });
    }
  }
}

function launcher(options: {
  name: LauncherName;
  prefix: readonly string[];
  owner: Owner | undefined;
  spawnAs?: Owner;
}): Launcher {
  const { name, prefix, owner, spawnAs } = options;
  return {
    name,
    owner,
    run(program, args, stdio) {
      const [file = program, ...rest] = [...prefix, program, ...args];
      return spawn(file, rest, {
        ...spawnAs,
        stdio,
        // A session of its own: Ctrl-C goes to the terminal's whole group, and the server must outlive our drain.
        detached: true,
        // "/" can be entered by everyone; ours may not be enterable for the account.
        cwd: "/",
        // Nothing of our environment: it may hold the master key, and PG… variables would change the server.
        env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
      });
    },
  };
}

/** The kernel sends the server SIGINT (fast shutdown) when we die, however we die. Linux with util-linux only. */
async function deathSignalPrefix(): Promise<readonly string[]> {
  const prefix = ["setpriv", "--pdeathsig", "INT", "--"];
  const probe = launcher({ name: "direct", prefix, owner: undefined });
  return (await outcome(probe.run("true", [], "ignore"))) === undefined ? prefix : [];
}

function tryLauncher(launcher: Launcher, { dataDir, postgres }: { dataDir: string; postgres: string }) {
  const script = 'cd "$1" && exec "$2" --version';
  return outcome(launcher.run("/bin/sh", ["-c", script, "sh", dataDir, postgres], ["ignore", "ignore", "pipe"]));
}

/** Resolves to undefined when the program ended well, otherwise to what it said. */
export function outcome(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const said: string[] = [];
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => said.push(chunk));
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : said.join("").trim() || `${signal ?? code}`));
  });
}

async function serverAccount(): Promise<Owner> {
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, , uid, gid] =
    accounts
      .split("\n")
      .find((line) => line.startsWith("postgres:"))
      ?.split(":") ?? [];
  return uid === undefined || gid === undefined ? NOBODY : { uid: Number(uid), gid: Number(gid) };
}

/** Lets others pass through (not list) the data directory; every secret in it has its own mode 0600. */
async function openForPassage(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o011) !== 0o011) await chmod(dataDir, (mode & 0o777) | 0o011);
}

/** Hands a tree to its owner. The top comes last, so that an interrupted walk is taken up again. */
export async function giveTo(owner: Owner | undefined, path: string): Promise<void> {
  if (owner === undefined || (await lstat(path)).uid === owner.uid) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  await chown(path, owner.uid, owner.gid);
}
