/**
 * `node tools/prove/upgrade.ts [FOLDER]`: runs a released version and this one on one database under load, while this
 * version migrates big tables. FOLDER is an installation of the released version; by default, the newest release of the
 * repository is installed. Before 1.0.0, this version takes its place. Both then have the same tables, so the new one
 * gets two more migrations.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { cloneDatabase, useServer } from "../../packages/service/src/test/harness/database-template.ts";
import { callsTo, openLoad } from "../../packages/service/src/test/harness/load.ts";
import { roundRobin } from "../../packages/service/src/test/harness/round-robin.ts";
import { startOldestServer, startTestServer } from "../test-server.ts";
import { root, say, start } from "./process.ts";

const newerVersion = join(root, "packages/service/src/test/harness/newer-version.ts");
const demoKey = "sk_sandbox_demo_api";
const requests = 400;
/** Lines in the request log before this version starts. It may build indexes over them. */
const linesMax = 1_000_000;

/** The newest release, as a tag of the repository. Undefined before 1.0.0. */
function newestRelease(): string | undefined {
  const tags = execFileSync("git", ["-C", root, "tag", "--list", "v[0-9]*", "--sort=-version:refname"], {
    encoding: "utf8",
  });
  return tags.split("\n").find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
}

function layOut(release: string): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-released-"));
  execFileSync("bash", ["-c", `git -C "$1" archive "$2" | tar -x -C "$3"`, "bash", root, release, folder]);
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
  return folder;
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into request_log (environment, at, request_id, brand_uuid, method, route, status, latency_ms)
     select 'sandbox', n, n::text, (select uuid from brand limit 1), 'GET', '/', 200, 1 from generate_series(1, $1::int) n`,
    [linesMax],
  );
  await client.end();
}

const [, , given] = process.argv;
const release = given === undefined ? newestRelease() : undefined;
const folder = given ?? (release === undefined ? root : layOut(release));
const preload = folder === root ? newerVersion : undefined;
say(`released version: ${release ?? (folder === root ? "none yet, so this one takes its place" : folder)}`);

const server = (await startOldestServer()) ?? (await startTestServer());
useServer(server.url);
const database = await cloneDatabase("empty");
const proxy = await roundRobin();
const variables = { DATABASE_URL: database.url, MASTER_KEY: "6".repeat(64) };
let slowestMs = 0;
const plain = callsTo(proxy.url, demoKey);
const load = openLoad(async (...asked) => {
  const began = performance.now();
  const answer = await plain(...asked);
  slowestMs = Math.max(slowestMs, performance.now() - began);
  return answer;
});
const stage = async (what: string, action?: () => Promise<void>) => {
  const [answered, failed] = [load.answered, load.failed.length];
  slowestMs = 0;
  await load.run(requests, action);
  const figures = `${load.answered - answered} answered, ${load.failed.length - failed} failed`;
  say(`${what}: ${figures}, slowest ${Math.round(slowestMs)} ms`);
};

try {
  const released = await start(folder, variables);
  proxy.behind.add(released.apiUrl);
  await stage("released one alone");
  await fill(database.url);
  await stage("this one comes and migrates", async () => {
    const began = performance.now();
    const present = await start(root, variables, preload);
    say(`this one ready after ${Math.round(performance.now() - began)} ms`);
    proxy.behind.add(present.apiUrl);
  });
  await stage("side by side");
  await stage("released one goes", async () => {
    proxy.behind.delete(released.apiUrl);
    await released.stop();
  });
  await stage("this one alone");
  say(`${await load.check()} acknowledged and read again, PostgreSQL ${server.version}`);
  for (const line of load.failed) say(line);
  process.exitCode = load.failed.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
}
process.exit();
