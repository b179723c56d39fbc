/**
 * The databases that released versions made, under today's process: it migrates them, and everybody finds what they had.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { oneClickEdges } from "../../domain/signup/one-click.ts";
import { openDatabase } from "../../store/database.ts";
import { migrate, migrations } from "../../store/migrations/migrate.ts";
import { dumpDatabase, linesOf, tableOfMigrations } from "../harness/upgrade/dump.ts";
import { openUpgradable } from "../harness/upgrade/open.ts";
import { missing, sendRead } from "../harness/upgrade/reads.ts";
import { filesHere, hashOf, readRelease, releases, restored, sizeOf } from "../harness/upgrade/release.ts";
import { uses } from "../harness/upgrade/use.ts";

/** A service with one database has no cells. */
const emptyTables = ["cell", "cell_home"];
const bytesMax = 300 * 1024;

/** By table and column: the words that its rows have. Left out are those of a process that ended during a call. */
const words = {
  "one_click.state": Object.keys(oneClickEdges),
  "one_click.journey": [
    ...["openid", "v1Hosted", "v1NonHosted", "v1Trusted", "v2Hosted", "v2NonHosted", "v2SemiHosted"],
    ...["v21Api", "v21Sdk"],
  ],
  "verification.status": ["delivered", "failed", "pending", "sending", "verified"],
  "message.status": ["delivered", "failed", "queued", "sent", "superseded"],
  "health_lookup.state": ["failed", "offered", "partial", "pending", "succeeded"],
  "webhook_delivery.status": ["deadLettered", "delivered", "pending"],
  "issued_credential.status": ["revoked", "valid"],
};

const opened = await Promise.all(
  Object.keys(releases()).map(async (version) => {
    const release = readRelease(version);
    const [untouched, { url }] = [await restored(release.dump), await restored(release.dump)];
    // As a process does when it starts.
    const store = openDatabase({ connectionString: url }, () => {});
    await migrate(store.db);
    await store.close();
    const it = await openUpgradable({ databaseUrl: url, offsetMs: release.offsetMs });
    return { version, ...release, untouched: untouched.pool, it };
  }),
);

test("the database of a released version is as it was written, and small", () => {
  const versions = Object.keys(releases());
  assert.ok(versions.length > 0);
  const files = versions.flatMap((version) => [`${version}.json.gz`, `${version}.sql.gz`]);
  assert.deepEqual(filesHere(), [...files, "hashes.json"].sort());
  for (const [version, hash] of Object.entries(releases())) {
    assert.equal(hashOf(version), hash, `${version}: its database never changes`);
    assert.ok(sizeOf(version) <= bytesMax, `${version}: ${sizeOf(version)} bytes`);
  }
});

for (const { version, dump, held, answers, untouched, it } of opened) {
  test(`${version}: every table has rows, in every state`, async () => {
    const { rows } = await untouched.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    );
    const empty: string[] = [];
    for (const { name } of rows)
      if ((await untouched.query(`select from ${name} limit 1`)).rowCount === 0) empty.push(name);
    assert.deepEqual(empty, emptyTables);
    for (const [place, expected] of Object.entries(words)) {
      const [table, column] = place.split(".");
      const { rows: found } = await untouched.query(`select distinct ${column} as word from ${table}`);
      assert.deepEqual(found.map(({ word }) => word).sort(), [...expected].sort(), place);
    }
  });

  test(`${version}: its migrations are the first ones of today`, () => {
    const isRow = (line: string) => /^(insert|select setval)/.test(line);
    const then = dump.split("\n").filter((line) => line !== "" && !isRow(line));
    const today = [tableOfMigrations, ...Object.values(migrations).flatMap(linesOf)];
    assert.deepEqual(today.slice(0, then.length), then, "run tools/released-database.ts, unless it is released");
  });

  test(`${version}: its dump is complete`, async () => {
    // A table has no order.
    const rowsIn = (text: string) => text.split(/\n|\[\{|\}, \{|\}\]/).sort();
    assert.ok(isDeepStrictEqual(rowsIn(await dumpDatabase(untouched)), rowsIn(dump)));
  });

  test(`${version}: keys, sessions and pages read what they read before`, async () => {
    assert.ok(answers.filter(({ status }) => status === 200).length > 100);
    const lost: string[] = [];
    for (const { status, answer, ...read } of answers) {
      const now = await sendRead(it, read);
      const found = now.status === status ? missing(answer, now.answer) : [`status ${now.status}`];
      lost.push(...found.map((one) => `${read.at} ${read.url}: ${one}`));
    }
    assert.deepEqual(lost, []);
  });

  for (const [promise, use] of Object.entries(uses)) test(`${version}: ${promise}`, () => use(it, held));
}
