// alone: sets the variables that the commands read
/** A command prints a whole list, however long it is. An operator who reads a part would take it for all. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import { addAuthorities } from "../../domain/state-id/authority-rows.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";

const MASTER_KEY = "1".repeat(64);
const it = await sandbox({}, { MASTER_KEY });
const { pool, connection, home } = it.store;
assert.ok("connectionString" in connection && typeof connection.connectionString === "string");
const DATA_DIR = await dataDir();
Object.assign(process.env, { DATABASE_URL: connection.connectionString, DATA_DIR, MASTER_KEY });
let printed = "";
Object.assign(terminal, { out: (text: string) => (printed += text), err: () => {} });

async function run(...line: string[]): Promise<string> {
  printed = "";
  await countersign.parseAsync(line, { from: "user" });
  process.exitCode = undefined;
  return printed;
}

/** More entries than two pages, all for one brand, and a change of its mode as the oldest one. */
async function entriesFor(brandUuid: string, count: number): Promise<void> {
  const insert = (subject: string, action: string, each: string) =>
    pool.query(
      `insert into account_audit (at, via, brand_uuid, environment, action, subject, changes)
       select $1, 'commandLine', $2, 'sandbox', $3, $4, '[]' ${each}`,
      [Date.parse("2026-11-29T03:00Z"), brandUuid, action, subject],
    );
  await insert("stopped", "brand.limited", "");
  await insert("line\u2028end", "settings.changed", `from generate_series(2, ${count})`);
}

test("`audit changes` prints every entry, and `restored` repeats the oldest one of them", async (t) => {
  const { uuid } = await it.brand();
  const count = 2_001;
  await entriesFor(uuid, count);
  const json = await run("audit", "changes", "--brand", uuid, "--json");
  const entries: { id: number; action: string; subject: string }[] = JSON.parse(json);
  const added = entries.filter(({ action }) => action !== "brand.created");
  assert.equal(new Set(added.map(({ id }) => id)).size, count);
  assert.deepEqual(
    entries.map(({ id }) => id),
    entries.map(({ id }) => id).sort((a, b) => b - a),
  );
  assert.equal(added[0]?.subject, "line\u2028end");
  const isForPeople = t.mock.method(terminal, "isForPeople", () => true);
  const table = await run("audit", "changes", "--brand", uuid);
  assert.equal(table.split("\n").filter((line) => line.includes("settings.changed")).length, count - 1);
  isForPeople.mock.restore();
  const log = join(DATA_DIR, "printed.json");
  await writeFile(log, json);
  await run("restored", "--since", "2026-11-29T02:00Z", "--log", log);
  assert.equal((await findBrand(home, "sandbox", uuid))?.mode, "stopped");
});

test("an empty list is `[]` as JSON, and says so as a table", async (t) => {
  const nobody = ["audit", "changes", "--customer", it.deps.random.uuid()];
  assert.equal(await run(...nobody, "--json"), "[]\n");
  t.mock.method(terminal, "isForPeople", () => true);
  assert.equal(await run(...nobody), "None.\n");
});

test("`keys list` prints every key, also the oldest revoked one", async () => {
  const { uuid } = await it.brand();
  await pool.query(
    `insert into api_key (uuid, brand_uuid, environment, name, hash, last_four, created_at, revoked_at)
     select gen_random_uuid(), $1, 'sandbox', 'old ' || n, sha256(gen_random_uuid()::text::bytea), '0000', n, n
       from generate_series(1, 300) n`,
    [uuid],
  );
  const keys: { name: string }[] = JSON.parse(
    await run("keys", "list", "--brand", uuid, "--environment", "sandbox", "--json"),
  );
  assert.equal(keys.filter(({ name }) => name.startsWith("old ")).length, 300);
});

test("an authority that could be neither listed nor accepted is refused", async () => {
  const authorities = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      fingerprint: Buffer.from(`fingerprint ${from + at}`),
      name: "California",
      jurisdiction: "US-CA",
      certificate: new Uint8Array([1]),
      expiresAt: Date.parse("2030-01-01"),
    }));
  const added = { source: "many.pem", replaces: false, now: 0 };
  await addAuthorities(home, authorities(0, 1_000), added);
  const listed: unknown[] = JSON.parse(await run("issuers", "list", "--json"));
  assert.equal(listed.length, 1_000);
  await assert.rejects(addAuthorities(home, authorities(1_000, 1), added), /At most 1000 authorities.*issuers remove/);
  // A new version of the same file replaces the former one.
  await addAuthorities(home, authorities(1, 1_000), { ...added, replaces: true });
});
