/** During an upgrade, processes of a released version work on a database that a later version has migrated. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/migrations/migrate.ts";
import { readSchema, refusals } from "../harness/upgrade/old-process.ts";
import { readRelease, releases, restored } from "../harness/upgrade/release.ts";

/** Migrations that a process of the release does not notice. */
const allowed = [
  "alter table request_log add column newer text",
  "alter table one_click add column newer boolean not null default false",
  "alter table one_click add column newer text; update one_click set newer = state",
  "create table newer (id bigint generated always as identity primary key, one_click_uuid uuid references one_click)",
  "create index newer on message (sent_at)",
];

/** Migrations that it cannot live with, and what is refused. */
const forbidden = {
  "alter table one_click rename to signup": /one_click\.uuid is gone/,
  "alter table verification rename column attempts_used to attempts": /verification\.attempts_used is gone/,
  "alter table text_stop drop column heeded": /text_stop\.heeded is gone/,
  "alter table webhook_attempt alter column http_status type text": /http_status was integer and is text/,
  "alter table api_key alter column last_used_at type timestamptz using null": /last_used_at was bigint/,
  "alter table mail add column language text not null default 'en'; alter table mail alter column language drop default":
    /mail\.language is new/,
  "update webhook_endpoint set heard_at = 1; alter table webhook_endpoint alter column heard_at set not null":
    /webhook_endpoint\.heard_at is required now/,
  "alter table message alter column to_index drop not null": /message\.to_index can be null now/,
  "alter table job alter column attempts drop default": /job\.attempts has lost its default/,
  "alter table message add check (channel in ('sms', 'rcs'))": /new rule of message: CHECK/,
  "create unique index newer on audit (id, at)": /new rule of audit/,
  "alter table api_key drop constraint api_key_hash_key": /lost rule of api_key: UNIQUE \(hash\)/,
  "update message set status = 'SENT' where status = 'sent'": /message: values or rows/,
  "delete from payer": /payer: values or rows/,
  "alter table consent add foreign key (person_uuid) references person not valid": /new rule of consent/,
};

for (const version of Object.keys(releases())) {
  const { dump, statements } = readRelease(version);
  const { url, pool } = await restored(dump);
  const was = await readSchema(pool);

  /** What is refused after a migration, which is then taken back. */
  const after = async (migration: string) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query(migration);
      return await refusals(client, was, statements);
    } finally {
      client.release(true);
    }
  };

  test(`${version}: the statements of its processes are known`, () => {
    assert.ok(statements.length > 400, `${statements.length} statements`);
    const tables = new Set([...was.columns.keys()].map((name) => name.split(".")[0] ?? ""));
    for (const [verb, known] of Object.entries({ "insert into": 50, update: 20, "delete from": 20 })) {
      const used = [...tables].filter((table) => statements.some((text) => text.includes(`${verb} "${table}"`)));
      assert.ok(used.length >= known, `${verb}: ${used.length} tables`);
    }
  });

  test(`${version}: its processes can live with additions`, async () => {
    for (const migration of allowed) assert.deepEqual(await after(migration), [], migration);
  });

  for (const [migration, expected] of Object.entries(forbidden))
    test(`${version}: its processes cannot live with: ${migration}`, async () => {
      assert.match((await after(migration)).join("\n"), expected);
    });

  test(`${version}: a renamed table breaks its statements`, async () => {
    const broken = (await after("alter table one_click rename to signup")).filter((one) => one.includes(" in: "));
    assert.ok(broken.length > 10 && broken.every((one) => one.includes('relation "one_click" does not exist')));
  });

  test(`${version}: its processes can live with all migrations of today`, async () => {
    const store = openDatabase({ connectionString: url }, () => {});
    await migrate(store.db);
    await store.close();
    assert.deepEqual(await after("select"), []);
  });
}
