/** Checks the files for a database with standbys against each other, the guide, the service and, if installed, Patroni. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { parse } from "yaml";
import { readConfig } from "../../config/config.ts";
import { readHosts } from "../../config/database-url.ts";
import { openDatabase } from "../../store/database.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const folder = resolve(root, "deploy/cluster");
const read = (name: string) => readFile(join(folder, name), "utf8");
const guide = await readFile(resolve(root, "docs/operate/scale.md"), "utf8");
const patroni = parse(await read("patroni.yml"));
const etcdText = await read("etcd.env");
const pairsOf = (text: string) =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value = ""] = /^(\w+) ?= ?(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );

test("Patroni makes each commit wait for a standby, and may promote only a synchronous one", () => {
  const { ttl, loop_wait, retry_timeout, synchronous_mode, synchronous_mode_strict, postgresql } =
    patroni.bootstrap.dcs;
  assert.deepEqual([synchronous_mode, synchronous_mode_strict], [true, true]);
  assert.equal(postgresql.parameters.synchronous_commit, "on");
  // Otherwise a primary that cannot reach etcd would lose its role before it has tried again.
  assert.ok(ttl >= loop_wait + 2 * retry_timeout);
  assert.match(guide, new RegExp(`\`ttl\` of ${ttl} seconds`));
});

test("the files name the same three servers as the guide's settings, which the service accepts", async () => {
  const [, DATABASE_URL = "", ha] = /^DATABASE_URL=(.*)\nHA=(\w+)$/m.exec(guide) ?? [];
  const config = readConfig({ DATABASE_URL, HA: ha });
  assert.deepEqual([config.databaseUrl, config.isStandbyRequired], [DATABASE_URL, true]);
  const hosts = readHosts(DATABASE_URL).urls.map((url) => new URL(url).hostname);
  assert.equal(hosts.length, 3);
  assert.deepEqual(
    patroni.etcd3.hosts,
    hosts.map((host) => `${host}:2379`),
  );
  const etcd = pairsOf(etcdText);
  assert.equal(etcd.ETCD_INITIAL_CLUSTER, hosts.map((host, at) => `db${at + 1}=http://${host}:2380`).join());
  const [, DATABASE_REPLICA_URL = ""] = /^`(postgresql:.*read-only)`/m.exec(guide) ?? [];
  assert.equal(readConfig({ DATABASE_URL, DATABASE_REPLICA_URL }).databaseReplicaUrl, DATABASE_REPLICA_URL);
});

test("the guide fills in every placeholder of the files, and installs each file", async () => {
  const files = await readdir(folder);
  assert.deepEqual(files.sort(), ["etcd.env", "patroni.yml", "pgbouncer.ini"]);
  const texts = await Promise.all(files.map(read));
  const placeholders = new Set(texts.join().match(/\b[A-Z]+_(?:NAME|ADDRESS|PASSWORD)\b/g));
  placeholders.delete("ETCD_NAME");
  const filled = new Set([...guide.matchAll(/\bs\/([A-Z_]+)\//g)].map(([, name]) => name));
  assert.deepEqual(filled, placeholders);
  for (const name of files) assert.ok(guide.includes(`cluster/${name}`), name);
});

test("the guide closes the files before it writes passwords, and the ports that ask for none", async () => {
  assert.match(guide, /^chmod -R go= cluster\n(?:sed .*\n)*sed -i "s\/SUPERUSER_PASSWORD\//m);
  const [client, peer] = ["ETCD_LISTEN_CLIENT_URLS", "ETCD_LISTEN_PEER_URLS"].map(
    (name) => new RegExp(`^${name}=.*:(\\d+)$`, "m").exec(etcdText)?.[1],
  );
  const [, api] = String(patroni.restapi.listen).split(":");
  assert.ok(guide.includes(`allow the ports ${client}, ${peer} and ${api} only between\n   these three machines`));
});

test("the pooler keeps sessions, and ignores exactly the settings that the service sends when it connects", async () => {
  const settings = pairsOf(await read("pgbouncer.ini"));
  assert.equal(settings.pool_mode, "session");
  const store = openDatabase({ connectionString: "postgres://user@h/db" }, () => {});
  const client = new pg.Client(store.pool.options) as pg.Client & { getStartupConf(): object };
  const sent = Object.keys(client.getStartupConf());
  const known = ["user", "database", "application_name"];
  assert.deepEqual(
    settings.ignore_startup_parameters?.split(",").sort(),
    sent.filter((name) => !known.includes(name)).sort(),
  );
  assert.ok(Number(settings.default_pool_size) < patroni.bootstrap.dcs.postgresql.parameters.max_connections);
  await store.close();
});

test("Patroni's own check accepts the file, on machines that have Patroni and PostgreSQL", async () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.internal === false && one.family === "IPv4")?.address;
  const [bin] = globSync("/usr/lib/postgresql/*/bin");
  const isThere = spawnSync("patroni", ["--version"]).status === 0;
  if (!isThere || address === undefined || bin === undefined) return;
  const directory = await mkdtemp(join(tmpdir(), "countersign-patroni-"));
  const file = join(directory, "patroni.yml");
  const text = (await read("patroni.yml"))
    .replaceAll("NODE_ADDRESS:8008", `${address}:18008`)
    .replaceAll("NODE_ADDRESS:5432", `${address}:15432`)
    .replace(/bin_dir: .*/, `bin_dir: ${bin}`)
    .replace(/data_dir: .*/, `data_dir: ${directory}/data`);
  await writeFile(file, text);
  const { stdout, stderr } = spawnSync("patroni", ["--validate-config", file], { encoding: "utf8" });
  await rm(directory, { recursive: true });
  const problems = `${stdout}${stderr}`
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith("is not reachable'"));
  assert.deepEqual(problems, []);
});
