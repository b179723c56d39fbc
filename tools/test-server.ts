import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { changeOwner, chooseLauncher, outcome } from "../packages/service/src/store/embedded/launcher.ts";
import { startEmbedded } from "../packages/service/src/store/embedded/server.ts";

/** A PostgreSQL server for tests. Stopping it deletes all its data. */
export type TestServer = {
  /** A connection URL for `pg`. The host is the directory of a Unix socket. */
  url: string;
  /** The version that the server reports, such as `18.4`. */
  version: string;
  stop(): Promise<void>;
};

/** With `CELLS=4`, each test's sandbox opens up to 32 connections. */
const maxConnections = 400;
const oldestMajorSupported = 15;
const user = "countersign";
const readyPollMs = 50;
const readyWaitMs = 30_000;

/** Starts the server that comes with the service. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = temporaryDir();
  const warn = (message: string) => process.stderr.write(`${message}\n`);
  const server = await startEmbedded({ dataDir, log: { info: () => undefined, warn }, maxConnections });
  return finish(dataDir, server, server.stop);
}

/**
 * Starts the oldest supported PostgreSQL on this machine, from `PG_BIN` or Debian's folders. Undefined if there is
 * none. It runs without root and listens only on its socket, like the embedded server.
 */
export async function startOldestServer(): Promise<TestServer | undefined> {
  const bin = oldestBinaries();
  if (bin === undefined) return undefined;
  const dataDir = temporaryDir();
  const [cluster, host] = [join(dataDir, "cluster"), join(dataDir, "socket")];
  const launcher = await chooseLauncher({ dataDir, postgres: join(bin, "postgres") });
  for (const path of [cluster, host]) {
    mkdirSync(path, { mode: 0o700 });
    await changeOwner(launcher.owner, path);
  }
  const initdb = ["-D", cluster, "-U", user, "--locale=C", "--encoding=UTF8", "--auth=trust"];
  const refusal = await outcome(launcher.run(join(bin, "initdb"), initdb, ["ignore", "ignore", "pipe"]));
  if (refusal !== undefined) throw new Error(`${bin}/initdb failed: ${refusal}`);
  const settings = [
    ...["-c", "listen_addresses=", "-c", `unix_socket_directories=${host}`],
    ...["-c", `max_connections=${maxConnections}`],
  ];
  const child = launcher.run(join(bin, "postgres"), ["-D", cluster, ...settings], ["ignore", "ignore", "ignore"]);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGINT");
    await gone;
  };
  return await finish(dataDir, { host, port: 5432, user, database: "postgres" }, stop);
}

/** The folder of the oldest supported PostgreSQL's programs. */
export function oldestBinaries(): string | undefined {
  const given = process.env.PG_BIN;
  if (given !== undefined && given !== "") return given;
  const found = globSync("/usr/lib/postgresql/*/bin")
    .map((path) => ({ path, major: Number(path.split("/").at(-2)) }))
    .filter(({ path, major }) => major >= oldestMajorSupported && existsSync(join(path, "initdb")));
  return found.sort((a, b) => a.major - b.major)[0]?.path;
}

function temporaryDir(): string {
  return mkdtempSync(join(tmpdir(), "countersign-test-"));
}

type Address = { host: string; port: number; user: string; database: string };

async function finish(dataDir: string, address: Address, stopServer: () => Promise<void>): Promise<TestServer> {
  const stop = async () => {
    await stopServer();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(address.host, { recursive: true, force: true });
  };
  const { port, database, host } = address;
  const url = `postgres://${address.user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  try {
    return { url, version: await makeForgetful(url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Turns off crash safety and background work, because the data is temporary. */
const forgetful = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  autovacuum: "off",
  checkpoint_timeout: "'1h'",
  max_wal_size: "'4GB'",
};

/** Waits until the server answers, changes its settings and returns its version. */
async function makeForgetful(url: string): Promise<string> {
  const client = await connected(url);
  try {
    for (const [name, value] of Object.entries(forgetful)) await client.query(`alter system set ${name} = ${value}`);
    await client.query("select pg_reload_conf()");
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    return rows[0]?.version.split(" ")[0] ?? "unknown";
  } finally {
    await client.end();
  }
}

async function connected(url: string): Promise<Client> {
  for (let waitedMs = 0; ; waitedMs += readyPollMs) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (waitedMs >= readyWaitMs) throw new Error(`The test server does not answer at ${url}.`, { cause: error });
      await sleep(readyPollMs);
    }
  }
}
