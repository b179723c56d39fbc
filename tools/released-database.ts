/**
 * `node tools/released-database.ts [version]`: fills a database as every kind of caller of this version does, and stores
 * it as the database of a version, by default of the one in `package.json`. Later versions are tested from it.
 */
import { existsSync, readFileSync } from "node:fs";
import { after, mock, test } from "node:test";
import pg from "pg";
import { cellSweeps, homeSweeps } from "../packages/service/src/domain/retention/sweep.ts";
import { prepareTemplate, useServer } from "../packages/service/src/test/harness/database-template.ts";
import { testStart } from "../packages/service/src/test/harness/sandbox.ts";
import { sentStatements } from "../packages/service/src/test/harness/sent-statements.ts";
import { dumpDatabase } from "../packages/service/src/test/harness/upgrade/dump.ts";
import { fill } from "../packages/service/src/test/harness/upgrade/fill.ts";
import { understood } from "../packages/service/src/test/harness/upgrade/old-process.ts";
import { openUpgradable } from "../packages/service/src/test/harness/upgrade/open.ts";
import { common, readsOf, sendRead } from "../packages/service/src/test/harness/upgrade/reads.ts";
import { releases, restored, sizeOf, writeRelease } from "../packages/service/src/test/harness/upgrade/release.ts";
import { uses } from "../packages/service/src/test/harness/upgrade/use.ts";
import { startTestServer } from "./test-server.ts";

const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const version = process.argv[2] ?? manifest.version;
/** Its migrations never change again, so its database need not either. */
const isReleased = existsSync(new URL("../packages/service/src/store/migrations/released.json", import.meta.url));
if (isReleased && Object.hasOwn(releases(), version)) throw new Error(`${version} is released: its database stays`);

const statements = new Set<string>();
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, "query", function (this: pg.Client, ...asked: unknown[]) {
  // The service's statements, and not those that this file sends as a text.
  if (typeof asked[0] === "object") for (const { text } of sentStatements(asked[0])) statements.add(text);
  return Reflect.apply(query, this, asked);
});

const server = await startTestServer();
after(server.stop);
useServer(server.url);
await prepareTemplate();

// What the harness opens is closed at the end of a test.
test(`the database of ${version}`, async () => {
  const filled = await openUpgradable();
  const held = await fill(filled);
  const offsetMs = filled.deps.clock.now() - testStart;
  const dump = await dumpDatabase(filled.store.pool);

  // Two processes answer, each on its own copy, to see what no later version can answer alike.
  const [first, second] = [await restored(dump), await restored(dump)];
  const [one, other] = [
    await openUpgradable({ databaseUrl: first.url, offsetMs }),
    await openUpgradable({ databaseUrl: second.url, offsetMs }),
  ];
  const answers = [];
  for (const read of await readsOf(one, held)) {
    const { status, answer } = await sendRead(one, read);
    answers.push({ ...read, status, answer: common(answer, (await sendRead(other, read)).answer) });
  }
  for (const use of Object.values(uses)) await use(one, held);
  for (const sweep of Object.values({ ...cellSweeps.hourly, ...homeSweeps.hourly })) await sweep(one.deps);

  const client = await second.pool.connect();
  await client.query("begin");
  writeRelease(version, dump, { offsetMs, held, answers, statements: await understood(client, statements) });
  client.release(true);
  process.stdout.write(`written: the database of ${version}, ${Math.ceil(sizeOf(version) / 1024)} KB\n`);
});
