import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { chmod, chown, lchown, lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Runs PostgreSQL's programs as a user other than root and, where possible, ends the server when this process ends. */
export interface Launcher {
  readonly name: LauncherName;
  /** Required owner of the cluster and the socket directory; undefined means the current user. */
  readonly owner: Owner | undefined;
  run(program: string, args: readonly string[], stdio: StdioOptions): ChildProcess;
}

/**
 * - `direct`: this process is not root.
 * - `namespace`: root, mapped to uid 1000 in its own user namespace. Needs no account, and works below a closed
 *   directory such as /root, because outside the namespace the process still owns our files.
 * - `account`: for root where namespaces are blocked (most containers). Runs as the account `postgres` or `nobody`.
 * - `accountBelowClosed`: the same account, with the capability to enter directories that are closed to it. Without
 *   this, the server could not start below /root. PostgreSQL only requires a uid other than 0.
 */
export type LauncherName = "direct" | "namespace" | "account" | "accountBelowClosed";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const ROOT: readonly LauncherName[] = ["namespace", "account", "accountBelowClosed"];
const NOBODY: Owner = { uid: 65534, gid: 65534 };

/** Picks the first way that works here. Each is tested by running `postgres --version` inside the data directory. */
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
    `Cannot run the embedded PostgreSQL here. Set DATABASE_URL, or run as an ordinary user. ${refusals.join("; ")}`,
  );
}

function makeLauncher(name: LauncherName, deathSignal: readonly string[], account: Owner): Launcher {
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  switch (name) {
    case "direct":
      return launcher({ name, prefix: deathSignal, owner: undefined });
    case "namespace":
      // Run setpriv inside unshare: in the other order, the change of user clears the death signal.
      return launcher({ name, prefix: ["unshare", "--user", "--map-user=1000", "--", ...deathSignal], owner: user });
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
        // Start a new session: Ctrl-C signals the terminal's process group, and the server must run until requests are
        // done.
        detached: true,
        // Every user can enter "/"; the account may not be allowed to enter our working directory.
        cwd: "/",
        // Don't pass our environment: it may contain the master key, and PG… variables change the server's behavior.
        env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
      });
    },
  };
}

/** With util-linux, the kernel sends the server SIGINT (fast shutdown) when this process dies. Empty without it. */
async function deathSignalPrefix(): Promise<readonly string[]> {
  const prefix = ["setpriv", "--pdeathsig", "INT", "--"];
  const probe = launcher({ name: "direct", prefix, owner: undefined });
  return (await outcome(probe.run("true", [], "ignore"))) === undefined ? prefix : [];
}

function tryLauncher(launcher: Launcher, { dataDir, postgres }: { dataDir: string; postgres: string }) {
  const script = 'cd "$1" && exec "$2" --version';
  return outcome(launcher.run("/bin/sh", ["-c", script, "sh", dataDir, postgres], ["ignore", "ignore", "pipe"]));
}

/** Resolves to undefined if the program succeeds, otherwise to its error output, its signal or its exit code. */
export function outcome(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const output: string[] = [];
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => output.push(chunk));
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) =>
      resolve(code === 0 ? undefined : output.join("").trim() || `${signal ?? code}`),
    );
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

/** Lets other users enter the data directory, but not list it. Every secret in it has its own mode 0600. */
async function openForPassage(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o011) !== 0o011) await chmod(dataDir, (mode & 0o777) | 0o011);
}

/** Changes the owner of a directory tree. The top directory comes last, so that an interrupted run is repeated. */
export async function changeOwner(owner: Owner | undefined, path: string): Promise<void> {
  if (owner === undefined || (await lstat(path)).uid === owner.uid) return;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  await chown(path, owner.uid, owner.gid);
}
