import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { Client } from "pg";
import { type EmbeddedAddress, embeddedAddress } from "../../store/embedded/cluster.ts";
import { DataDirInUse, lockByPidFile, lockDataDir } from "../../store/embedded/data-dir.ts";
import type { LauncherName } from "../../store/embedded/launcher.ts";
import { waitUntilGone } from "../../store/embedded/process-state.ts";
import { type EmbeddedServer, startEmbedded } from "../../store/embedded/server.ts";

const isRoot = process.getuid?.() === 0;
const log = { info: () => undefined, warn: () => undefined };
const GONE_WAIT_MS = 20_000;

const temporaryDirs = new Set<string>();
// A test's own `after` hooks run in the order they were added, so one would delete the directory before the server
// stops.
after(() => {
  for (const path of temporaryDirs) rmSync(path, { recursive: true, force: true });
});

test("a new data directory gets a cluster, and a second start finds the stored rows", async (t) => {
  const dataDir = temporaryDir();
  const first = await start(t, dataDir);
  assert.equal(first.host, join(dataDir, "socket"));
  await query(first, "create table kept (n int)");
  await query(first, "insert into kept values (1)");
  await Promise.all([first.stop(), first.stop()]);
  await assert.rejects(query(first, "select 1"), { code: "ENOENT" });
  const second = await start(t, dataDir);
  assert.deepEqual(await query(second, "select n from kept"), [{ n: 1 }]);
  assert.deepEqual(embeddedAddress(dataDir), addressOf(second));
});

test("the server has durable settings and listens only on its private socket", async (t) => {
  const server = await start(t, temporaryDir());
  const settings = ["fsync", "full_page_writes", "synchronous_commit", "listen_addresses", "server_encoding"];
  const selected = settings.map((name) => `current_setting('${name}') as ${name}`).join(", ");
  assert.deepEqual(
    await query(
      server,
      `select ${selected}, pg_encoding_to_char(encoding), datcollate from pg_database where datname = 'postgres'`,
    ),
    [
      {
        fsync: "on",
        full_page_writes: "on",
        synchronous_commit: "on",
        listen_addresses: "",
        server_encoding: "UTF8",
        pg_encoding_to_char: "UTF8",
        datcollate: "C",
      },
    ],
  );
});

test("data from clients never reaches the server's log, not even in an error", async (t) => {
  const dataDir = temporaryDir();
  const server = await start(t, dataDir);
  await query(server, "create table people (phone text primary key)");
  await query(server, "insert into people values ($1)", ["+15550100"]);
  await assert.rejects(query(server, "insert into people values ($1)", ["+15550100"]), /duplicate key/);
  await assert.rejects(query(server, "select $1::int", ["+15550100 Jane"]), /invalid input syntax/);
  await assert.rejects(query(server, "select * from no_table where phone = '+15550100'"), /does not exist/);
  await server.stop();
  assert.doesNotMatch(readFileSync(join(dataDir, "postgres.log"), "utf8"), /5550100|Jane|people/);
});

test("after kill -9 of the server, its owner is notified, and the next start has every acknowledged row", async (t) => {
  const dataDir = temporaryDir();
  const first = await start(t, dataDir);
  await query(first, "create table kept (n int)");
  for (let n = 0; n < 50; n += 1) await query(first, "insert into kept values ($1)", [n]);
  process.kill(postmasterPid(dataDir), "SIGKILL");
  await first.exited;
  const second = await start(t, dataDir);
  assert.deepEqual(await query(second, "select count(*)::int as rows from kept"), [{ rows: 50 }]);
});

test("after kill -9 of the server's owner, the next start runs a new server and loses no data", async (t) => {
  const dataDir = temporaryDir();
  const owner = runScript(
    t,
    `const { startEmbedded } = await import(${moduleUrl("../../store/embedded/server.ts")});
     const { Client } = await import("pg");
     const server = await startEmbedded({ dataDir: process.argv[1], log: { info() {}, warn() {} } });
     const { host, port, user, database } = server;
     const client = new Client({ host, port, user, database });
     await client.connect();
     await client.query("create table kept as select 1 as n");
     process.stdout.write("stored\\n");`,
    [dataDir],
  );
  await waitForOutput(owner, "stored");
  const orphan = postmasterPid(dataDir);
  owner.kill("SIGKILL");
  await once(owner, "exit");
  const server = await start(t, dataDir);
  assert.notEqual(postmasterPid(dataDir), orphan);
  assert.ok(await waitUntilGone(orphan, GONE_WAIT_MS));
  assert.deepEqual(await query(server, "select n from kept"), [{ n: 1 }]);
});

test("a start first stops a server that still runs on the data directory", async (t) => {
  const dataDir = temporaryDir();
  const first = await start(t, dataDir);
  await query(first, "create table kept as select 1 as n");
  const second = await start(t, dataDir);
  await first.exited;
  assert.deepEqual(await query(second, "select n from kept"), [{ n: 1 }]);
});

test("a leftover postmaster.pid does not prevent a start, even if another process has its pid", async (t) => {
  const dataDir = temporaryDir();
  const first = await start(t, dataDir);
  const leftover = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8")
    .split("\n")
    .slice(1);
  await first.stop();
  const stranger = runScript(t, "process.stdin.resume()", []);
  const socketLock = join(first.host, ".s.PGSQL.5432.lock");
  for (const pid of [stranger.pid, 999_999_999]) {
    writeFileSync(join(dataDir, "postgres", "postmaster.pid"), [pid, ...leftover].join("\n"));
    writeFileSync(socketLock, [pid, ...leftover].join("\n"));
    const server = await start(t, dataDir);
    await server.stop();
  }
  assert.equal(stranger.exitCode ?? stranger.signalCode, null, "the other process must keep running");
});

test("a start removes the files of an initdb that crashed", async (t) => {
  const dataDir = temporaryDir();
  const halfDone = mkdtempSync(join(dataDir, "initdb-"));
  writeFileSync(join(halfDone, "PG_VERSION"), "18\n");
  await start(t, dataDir);
  assert.equal(existsSync(halfDone), false);
});

test("a data directory may have a path too long for a socket, or spaces, commas and quotes", async (t) => {
  const longDir = join(temporaryDir(), "long".repeat(30));
  const server = await start(t, longDir);
  assert.ok(Buffer.byteLength(join(server.host, ".s.PGSQL.5432")) <= 100);
  assert.deepEqual(embeddedAddress(longDir), addressOf(server));
  await server.stop();
  rmSync(server.host, { recursive: true });
  const oddly = await start(t, join(temporaryDir(), `a b, "c' d`));
  assert.deepEqual(await query(oddly, "select 1 as n"), [{ n: 1 }]);
});

const rootLaunchers: LauncherName[] = isRoot ? ["namespace", "account", "accountBelowClosed"] : [];
for (const way of rootLaunchers) {
  test(`as root, the launcher ${way} runs the cluster of other launchers, or its error names it`, async (t) => {
    const dataDir = temporaryDir();
    const first = await startEmbedded({ dataDir, log });
    t.after(first.stop);
    await query(first, "create table kept as select 1 as n");
    await first.stop();
    const second = await startEmbedded({ dataDir, log, ways: [way] }).catch((error: unknown) => error);
    // The machine may deny namespaces or capabilities. The error must then name the way that failed.
    if (second instanceof Error) return assert.match(second.message, new RegExp(way));
    assert.ok(isServer(second));
    t.after(second.stop);
    assert.deepEqual(await query(second, "select n from kept"), [{ n: 1 }]);
    await second.stop();
    const third = await start(t, dataDir);
    assert.deepEqual(await query(third, "select n from kept"), [{ n: 1 }]);
  });
}

test("a data directory cannot be locked a second time until the first holder is gone", async (t) => {
  const dataDir = temporaryDir();
  const holder = holdLock(t, dataDir);
  await waitForOutput(holder, "locked");
  await assert.rejects(lockDataDir(dataDir), (error) => {
    assert.ok(error instanceof DataDirInUse);
    assert.equal(error.pid, holder.pid);
    assert.match(error.message, new RegExp(`${dataDir} .*pid ${holder.pid}`));
    return true;
  });
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const lock = await lockDataDir(dataDir);
  await assert.rejects(lockDataDir(dataDir), DataDirInUse);
  lock.release();
  lock.release();
  (await lockDataDir(dataDir)).release();
});

test("only one of several concurrent locks on a data directory succeeds", async () => {
  const dataDir = temporaryDir();
  for (const attempt of [lockDataDir, lockByPidFile]) {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => attempt(dataDir)));
    const held = outcomes.filter((outcome) => outcome.status === "fulfilled");
    assert.equal(held.length, 1);
    for (const { value } of held) value.release();
  }
});

/** Linux lists the open files of a process under `/proc`. */
const seesDescriptors = process.platform === "linux";
const testOnLinux = seesDescriptors ? test : () => {};
testOnLinux("the server process does not inherit its owner's lock", async (t) => {
  const dataDir = temporaryDir();
  const lock = await lockDataDir(dataDir);
  t.after(lock.release);
  await start(t, dataDir);
  const pid = postmasterPid(dataDir);
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  assert.ok(!open.includes(join(dataDir, "lock")));
});

test("a pid file is a lock only while its process is alive", async (t) => {
  const dataDir = temporaryDir();
  const path = join(dataDir, "lock.pid");
  const holder = runScript(t, "process.stdin.resume()", []);
  writeFileSync(path, `${holder.pid}\n`);
  await assert.rejects(lockByPidFile(dataDir), DataDirInUse);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  (await lockByPidFile(dataDir)).release();
  writeFileSync(path, `${process.pid}\n`); // after a container restart, our pid may equal the dead owner's
  (await lockByPidFile(dataDir)).release();
  assert.equal(existsSync(path), false);
});

async function start(t: TestContext, dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log });
  t.after(server.stop);
  return server;
}

function isServer(value: unknown): value is EmbeddedServer {
  return typeof value === "object" && value !== null && "stop" in value;
}

function addressOf({ host, port, user, database }: EmbeddedAddress): EmbeddedAddress {
  return { host, port, user, database };
}

async function query(address: EmbeddedAddress, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ ...addressOf(address), ssl: false });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

function temporaryDir(): string {
  const path = mkdtempSync(join(tmpdir(), "cs-"));
  temporaryDirs.add(path);
  return path;
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

function holdLock(t: TestContext, dataDir: string): ChildProcess {
  const script = `const { lockDataDir } = await import(${moduleUrl("../../store/embedded/data-dir.ts")});
    await lockDataDir(process.argv[1]);
    process.stdin.resume();
    process.stdout.write("locked\\n");`;
  return runScript(t, script, [dataDir]);
}

function runScript(t: TestContext, script: string, args: string[]): ChildProcess {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script, ...args], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

async function waitForOutput(child: ChildProcess, word: string): Promise<void> {
  assert.ok(child.stdout);
  for await (const chunk of child.stdout) {
    if (String(chunk).includes(word)) return;
  }
  assert.fail(`the process ended without printing ${word}`);
}
