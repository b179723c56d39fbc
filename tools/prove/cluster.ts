/** PostgreSQL servers with streaming replication on this machine, for proofs. All their data is temporary. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  changeOwner,
  chooseLauncher,
  type Launcher,
  outcome,
} from "../../packages/service/src/store/embedded/launcher.ts";

const user = "countersign";
const pollMs = 20;
const waitMs = 60_000;

export class DatabaseNode {
  readonly name: string;
  readonly port: number;
  readonly #lab: Lab;
  #child: ChildProcess | null = null;

  constructor(lab: Lab, name: string, port: number) {
    this.#lab = lab;
    this.name = name;
    this.port = port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get #data(): string {
    return join(this.#lab.folder, this.name);
  }

  /** Creates an empty server that others can replicate. */
  async create(): Promise<void> {
    const file = join(this.#lab.folder, "password");
    writeFileSync(file, this.#lab.password);
    await changeOwner(this.#lab.launcher.owner, file);
    await this.#makeFolder();
    const auth = ["--auth=scram-sha-256", `--pwfile=${file}`, "--no-sync", "--data-checksums"];
    await this.#lab.run("initdb", ["-D", this.#data, "-U", user, "--locale=C", "--encoding=UTF8", ...auth]);
    await this.#start();
  }

  /** Makes it a standby of another server, with a fresh copy of its data. */
  async follow(primary: DatabaseNode): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true });
    await this.#makeFolder();
    const { password } = this.#lab;
    const from = `host=127.0.0.1 port=${primary.port} user=${user} password=${password} application_name=${this.name}`;
    const copy = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--wal-method=stream"];
    await this.#lab.run("pg_basebackup", ["-D", this.#data, "-d", from, ...copy]);
    // The copy has the primary's setting, but a standby needs it only after promotion, with its own standby.
    appendFileSync(join(this.#data, "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
    await this.#start();
  }

  /** Sets whether commits wait for a standby, as Patroni does. */
  async synchronous(isOn: boolean): Promise<void> {
    await this.ask(`alter system set synchronous_standby_names = '${isOn ? "*" : ""}'`);
    await this.ask("select pg_reload_conf()");
    if (!isOn) return;
    await until(`${this.name} has no synchronous standby`, async () => {
      const [row] = await this.ask("select count(*)::int as count from pg_stat_replication where sync_state = 'sync'");
      return row?.count === 1;
    });
  }

  async promote(): Promise<void> {
    await this.ask("select pg_promote(wait => true)");
  }

  /** Kills the server and all its processes with SIGKILL. */
  async kill(): Promise<void> {
    const lines = readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
    for (const one of [pid, ...children]) process.kill(one, "SIGKILL");
    await this.#ended();
    // The next server in this folder starts from a copy, so it would not remove this one's shared memory.
    const [, segment = ""] = /\d+\s+(\d+)/.exec(lines[6] ?? "") ?? [];
    await outcome(this.#lab.launcher.run("ipcrm", ["-m", segment], "ignore"));
  }

  async stop(): Promise<void> {
    this.#child?.kill("SIGQUIT");
    await this.#ended();
  }

  async ask(statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.#lab.url([this]) });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(statement, values)).rows;
    } finally {
      await client.end();
    }
  }

  async #makeFolder(): Promise<void> {
    mkdirSync(this.#data, { mode: 0o700 });
    await changeOwner(this.#lab.launcher.owner, this.#data);
  }

  async #start(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      port: String(this.port),
      fsync: "off", // only processes are killed, not the machine
      shared_buffers: "32MB",
      max_connections: "80",
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#child = this.#lab.launcher.run(join(this.#lab.bin, "postgres"), ["-D", this.#data, ...options], "ignore");
    await until(`${this.name} does not answer`, () => this.ask("select 1").then(Boolean, () => false));
  }

  async #ended(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise((resolve) => child.once("exit", resolve));
  }
}

/** A temporary folder for servers, the programs in `bin`, and the password of the servers' only user. */
export class Lab {
  readonly folder: string;
  readonly bin: string;
  readonly launcher: Launcher;
  readonly password = randomBytes(16).toString("hex");

  private constructor(folder: string, bin: string, launcher: Launcher) {
    this.folder = folder;
    this.bin = bin;
    this.launcher = launcher;
  }

  static async open(bin: string): Promise<Lab> {
    const folder = mkdtempSync(join(tmpdir(), "countersign-cluster-"));
    chmodSync(folder, 0o711);
    return new Lab(folder, bin, await chooseLauncher({ dataDir: folder, postgres: join(bin, "postgres") }));
  }

  /** The URL of one or more servers. */
  url(nodes: readonly DatabaseNode[], query = ""): string {
    return `postgres://${user}:${this.password}@${nodes.map(({ address }) => address).join()}/postgres${query}`;
  }

  async node(name: string): Promise<DatabaseNode> {
    return new DatabaseNode(this, name, await freePort());
  }

  async run(program: string, args: string[]): Promise<void> {
    const refusal = await outcome(this.launcher.run(join(this.bin, program), args, ["ignore", "ignore", "pipe"]));
    if (refusal !== undefined) throw new Error(`${program} failed: ${refusal}`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The version of the programs in a folder. */
export function versionIn(bin: string): string {
  return execFileSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" }).trim();
}

async function until(otherwise: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await isSo()); waitedMs += pollMs) {
    if (waitedMs > waitMs) throw new Error(otherwise);
    await sleep(pollMs);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no free port");
  return address.port;
}
