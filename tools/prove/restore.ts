/**
 * `node tools/prove/restore.ts`: fills a database, dumps it, drops it and restores the dump. With the master key, all
 * data is there. With another key, the service does not start and no sealed column can be decrypted.
 */
import { execFileSync } from "node:child_process";
import { createSecretKey, randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openBytes } from "../../packages/service/src/store/seal.ts";
import { masterKeyOf, wrappedPlaces } from "../../packages/service/src/store/vault.ts";
import { cloneDatabase, useServer } from "../../packages/service/src/test/harness/database-template.ts";
import { callsTo, openLoad } from "../../packages/service/src/test/harness/load.ts";
import { oldestBinaries, startOldestServer } from "../test-server.ts";
import { root, run, say, start } from "./process.ts";

const demoKey = "sk_sandbox_demo_api";
const [right, wrong] = ["7".repeat(64), "8".repeat(64)];
const requests = 400;
const sealedColumns = `select table_name as "table", column_name as "column" from information_schema.columns
  where table_schema = 'public' and data_type = 'bytea' and (column_name like 'sealed%' or column_name = 'wrapped')`;

const bin = oldestBinaries() ?? "";
const server = await startOldestServer();
if (server === undefined) throw new Error("there is no PostgreSQL with pg_dump on this machine: set PG_BIN");
useServer(server.url);
const folder = mkdtempSync(join(tmpdir(), "countersign-restore-"));
const dump = join(folder, "dump");
let url = "";
let isRight = true;
const check = (what: string, holds: boolean) => {
  isRight &&= holds;
  say(`${holds ? "yes" : "NO "}  ${what}`);
};

/**
 * Tries a key on every sealed value, at each place to which the value could be bound. Returns the numbers of values per
 * column and of opened values.
 */
async function tryAll(key: ReturnType<typeof createSecretKey>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tried: Record<string, number> = {};
  let opened = 0;
  const { rows: columns } = await client.query<{ table: string; column: string }>(sealedColumns);
  for (const { table, column } of columns) {
    const { rows } = await client.query(`select *, ${column} as value from ${table} where ${column} is not null`);
    for (const row of rows) {
      const places = [row.uuid, `${row.lookup_uuid}|${row.name}`, `${row.purpose}|1`, `${row.environment}|${row.uuid}`];
      for (const place of places) if (opens(key, { table, row: String(place) }, row.value)) opened += 1;
    }
    tried[`${table}.${column}`] = rows.length;
  }
  await client.end();
  return { tried, opened };
}

function opens(key: ReturnType<typeof createSecretKey>, place: { table: string; row: string }, value: Buffer): boolean {
  try {
    openBytes(key, place, value);
    return true;
  } catch {
    return false;
  }
}

async function drill(): Promise<void> {
  const first = await cloneDatabase("empty");
  const service = await start(root, { DATABASE_URL: first.url, MASTER_KEY: right });
  let target = service.apiUrl;
  const load = openLoad((...asked) => callsTo(target, demoKey)(...asked));
  await load.run(requests);
  check(`filled by ${load.answered} requests, ${load.failed.length} failed`, load.failed.length === 0);
  await service.stop();
  let began = performance.now();
  execFileSync(join(bin, "pg_dump"), ["--format=custom", `--file=${dump}`, first.url]);
  say(`     dumped in ${Math.round(performance.now() - began)} ms; the database is dropped`);
  await first.drop();
  const second = await cloneDatabase("empty");
  url = second.url;
  began = performance.now();
  execFileSync(join(bin, "pg_restore"), ["--no-owner", "--exit-on-error", `--dbname=${url}`, dump]);
  say(`     restored in ${Math.round(performance.now() - began)} ms`);

  const refused = await run(root, ["start"], { DATABASE_URL: url, MASTER_KEY: wrong, DATA_DIR: join(folder, "other") });
  check(`with another key it does not start: ${refused.err.split("\n")[0]}`, refused.code !== 0);
  const { tried, opened } = await tryAll(createSecretKey(randomBytes(32)));
  const values = Object.values(tried).reduce((sum, count) => sum + count, 0);
  const filled = Object.entries(tried).filter(([, count]) => count > 0);
  say(`     ${filled.map(([column, count]) => `${column} ${count}`).join(", ")}`);
  check(`a random key opens ${opened} of ${values} values in ${filled.length} columns`, opened === 0 && values > 0);
  const other = (await tryAll(masterKeyOf(Buffer.from(wrong, "hex")).key)).opened;
  check(`the other key opens ${other}`, other === 0);
  // Check that the same trial succeeds with the right key.
  const withRight = (await tryAll(masterKeyOf(Buffer.from(right, "hex")).key)).opened;
  check(
    `the master key opens ${withRight} wrapped keys by the same trial (${Object.keys(wrappedPlaces).length} kinds)`,
    withRight > 0,
  );

  const restored = await start(root, { DATABASE_URL: url, MASTER_KEY: right });
  target = restored.apiUrl;
  check(`with the master key ${await load.check()} acknowledged are read again, each as it was`, true);
  await restored.stop();
}

try {
  await drill();
} finally {
  await server.stop();
}
process.exit(isRight ? 0 : 1);
