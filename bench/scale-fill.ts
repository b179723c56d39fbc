import { dayMs } from "@countersign/contract/time";
import pg from "pg";
import type { Sandbox } from "../packages/service/src/test/harness/sandbox.ts";

/** Rows of each kind that a brand adds per day. A larger database has a longer history, not busier days. */
const perDay = 5_000;
/** Maximum size of copied sealed values in bytes. Full-size values would measure this machine's disk. */
const sealedMax = 300;

/** The big tables. Frequent operations must never scan one of them. */
const bigTables = [
  ...["data_key", "person", "verification", "one_click", "webhook_delivery", "request_log", "job", "message"],
  ...["audit", "consent", "ledger_entry"],
];

/** Adds `count` people, verifications, 1-Clicks, deliveries, log lines and jobs of one brand, copied from real rows. */
export async function fill(it: Sandbox, count: number, { brandUuid, now }: { brandUuid: string; now: number }) {
  await it.api.createOneClick({ body: { phone: "+12125550010" } });
  const begun = await it.api.createVerification({ body: { channel: "sms", phone: "+14155550177" } });
  await it.api.deliverVerification({ params: { uuid: begun.body.uuid } });
  // The pool's statement timeout is too short for these statements.
  const { connectionString } = it.store.pool.options;
  const connection = new pg.Client({ connectionString });
  await connection.connect();
  const step = dayMs / perDay;
  // The UUIDs of row n are computed from n, so that rows can refer to each other without lookups.
  const id = (kind: string) => `md5('${kind}' || n)::uuid`;
  const from = `from generate_series(1::bigint, ${count}) n`;
  const at = `(${now} - (n * ${step})::bigint)`;
  const sealed = (column: string, table: string) =>
    `(select substr(${column}, 1, ${sealedMax}) from ${table} where ${column} is not null limit 1)`;
  const e = "'sandbox'";
  const b = `'${brandUuid}'`;
  const indexes = await secondaryIndexes(connection);
  const statements = [
    "set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0",
    "set maintenance_work_mem = '1GB'",
    ...indexes.map(({ name }) => `drop index ${name}`),
    `insert into data_key (uuid, environment, master_key_id, wrapped, created_at)
     select ${id("k")}, ${e}, (select master_key_id from data_key limit 1), ${sealed("wrapped", "data_key")}, ${at} ${from}`,
    `insert into person (uuid, environment, phone_index, index_key_version, generation, data_key_uuid, first_seen_at)
     select ${id("p")}, ${e}, sha256(n::text::bytea), 1, 1, ${id("k")}, ${at} ${from}`,
    `insert into verification (uuid, environment, brand_uuid, person_uuid, data_key_uuid, channel, format, status, sealed,
       created_at, expires_at, kept_until, delivered_at)
     select ${id("v")}, ${e}, ${b}, ${id("p")}, ${id("k")}, 'sms', 'code', 'verified', ${sealed("sealed", "verification")},
       ${at}, ${at} + 300000, ${at} + ${dayMs}, ${at} ${from}`,
    `insert into one_click (uuid, environment, brand_uuid, person_uuid, data_key_uuid, journey, state, settings_version,
       sealed, created_at, answered_at, expires_at)
     select ${id("o")}, ${e}, ${b}, ${id("p")}, ${id("k")}, (select journey from one_click limit 1), 'released', 1,
       ${sealed("sealed", "one_click")}, ${at}, ${at}, ${at} + 3600000 ${from}`,
    `insert into webhook_delivery (uuid, environment, brand_uuid, event, subject_uuid, data_key_uuid, status, created_at)
     select ${id("d")}, ${e}, ${b}, '1-click.health.lookup', ${id("o")}, ${id("k")}, 'delivered', ${at} ${from}`,
    `insert into message (uuid, environment, brand_uuid, person_uuid, verification_uuid, data_key_uuid, channel, to_index,
       status, created_at, sent_at)
     select ${id("m")}, ${e}, ${b}, ${id("p")}, ${id("v")}, ${id("k")}, 'sms', sha256(n::text::bytea), 'sent', ${at}, ${at} ${from}`,
    `insert into audit (environment, at, action, brand_uuid, person_uuid, one_click_uuid, detail)
     select ${e}, ${at}, 'oneClick.released', ${b}, ${id("p")}, ${id("o")}, '{}' ${from}`,
    `insert into request_log (environment, at, request_id, brand_uuid, method, route, status, latency_ms, subject_uuid,
       person_uuid)
     select ${e}, ${now} - ((${count} - n) * ${step})::bigint, n::text, ${b}, 'POST', '/v2/1-click',
       case when n % 50 = 0 then 400 else 201 end, 9, ${id("o")}, ${id("p")} ${from}`,
    `insert into job (environment, name, subject, payload, due_at)
     select ${e}, 'signup.erase', 'fill ' || n, '{}', ${now} + ${dayMs} + n ${from}`,
    ...indexes.map(({ definition }) => definition),
    "vacuum analyze",
    // Write to disk now instead of during the measurement.
    "checkpoint",
    "set session_replication_role = default; set synchronous_commit = on",
  ];
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

/** Indexes without a constraint. Building them after the inserts is much faster. */
async function secondaryIndexes(connection: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await connection.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[]) and not indisunique and not indisprimary`,
    [bigTables],
  );
  return rows;
}

/** Number of full scans of each big table so far. */
export async function sequentialScans(it: Sandbox): Promise<Record<string, number>> {
  const { rows } = await it.store.pool.query<{ relname: string; seq_scan: number }>(
    "select relname, seq_scan::int from pg_stat_user_tables where relname = any($1)",
    [bigTables],
  );
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}
