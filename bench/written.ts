/** What the service writes to PostgreSQL for a request, up to the erasure of everything about it. */

import { setTimeout as sleep } from "node:timers/promises";
import { dayMs } from "@countersign/contract/time";
import pg from "pg";
import { Pool } from "undici";
import type { Bench } from "./bench.ts";
import { startContestant } from "./contestant.ts";
import { flows } from "./flows.ts";
import { makeKeys } from "./load-racer.ts";
import { openEmbedded } from "./signup-service.ts";

const flowsCount = Number(process.env.BENCH_FLOWS ?? 2_000);
const clients = 16;
/** People whom the service knows before 1-Clicks are counted. */
const peopleCount = 256;
/** After this time, texts are sent and log lines are written, in milliseconds. */
const quietMs = 3_000;
/** Nearly everything is erased after a day, and log lines after 30. Consents are kept for years. */
const lifeMs = 31 * dayMs;

type Written = { name: string; inserted: number; updated: number; hot: number; deleted: number; entries: number };
type Life = { tables: Written[]; walBytes: number; cpuMicroseconds: number };

/** Measures a verification of an unknown phone, and a 1-Click of a known person. */
export async function benchWritten(bench: Bench): Promise<void> {
  const embedded = await openEmbedded();
  const { host, port, user, database } = embedded.database;
  const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const ours = await startContestant<string>("ours.ts", [url], "measured");
  const keys = await makeKeys(ours.ready);
  const pool = new Pool(ours.ready, { connections: clients });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create extension pg_walinspect");
  const post = async (path: string, body: object, key = keys[0] ?? "") => {
    const headers = { authorization: key, "content-type": "application/json" };
    const { statusCode, body: answer } = await pool.request({
      ...{ method: "POST", path, headers, body: JSON.stringify(body) },
      // Moving the clock takes as long as the sweeps do.
      headersTimeout: 0,
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`);
  };
  const oneClick = (turn: number) => {
    const person = turn % peopleCount;
    const body = { phone: `+1415${2_000_000 + person}`, email: `person-${person}@example.com` };
    return post("/v2/1-click", body, keys[person % keys.length]);
  };
  const advance = () => post("/sandbox/clock", { advanceMs: lifeMs });

  const life = async (flow: (turn: number) => Promise<void>): Promise<{ begun: Life; ended: Life }> => {
    const began = await position(client);
    const cpuBefore = embedded.cpu();
    await together(flow, flowsCount);
    await sleep(quietMs);
    const between = await position(client);
    const cpuBetween = embedded.cpu();
    await advance();
    await sleep(quietMs);
    const begun = await lifeOf(client, began, between, cpuBetween - cpuBefore);
    return { begun, ended: await lifeOf(client, between, await position(client), embedded.cpu() - cpuBetween) };
  };
  const report = async (what: string, flow: (turn: number) => Promise<void>, limit: number) => {
    const { begun, ended } = await life(flow);
    const [rows, entries] = [tell(`${what}: the flow`, begun), tell(`${what}: its erasure`, ended)].reduce(
      ([rowsSum, entriesSum], one) => [rowsSum + one.rows, entriesSum + one.entries],
      [0, 0],
    );
    bench.row({ what: `rows and index entries written for ${what}, over its life`, figure: rows + entries, limit });
  };
  await together((turn) => flows.verification(pool, 900_000 + turn, keys), peopleCount);
  await together(oneClick, peopleCount);
  await advance();
  await sleep(quietMs);
  await report("a verification of a new phone", (turn) => flows.verification(pool, turn, keys), 46);
  await report("a 1-Click of a known person", oneClick, 20);
  await client.end();
  await pool.close();
  await ours.stop();
  await embedded.close();
}

async function together(flow: (turn: number) => Promise<void>, count: number): Promise<void> {
  let turn = 0;
  const one = async () => {
    while (turn < count) {
      turn += 1;
      await flow(turn);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
}

async function position(client: pg.Client): Promise<string> {
  const { rows } = await client.query("select pg_current_wal_flush_lsn() as lsn");
  return rows[0].lsn;
}

/**
 * Counts records of the write-ahead log, which, unlike the server's statistics, has every index entry. Parts of rows
 * that are too long, and their index entries, count for their table.
 */
async function lifeOf(client: pg.Client, from: string, to: string, cpuMicroseconds: number): Promise<Life> {
  const { rows: tables } = await client.query<Written>(
    `with written as (
       select relfilenode, resource_manager as kind, split_part(record_type, '+', 1) as deed, count(*)::int as count
         from pg_get_wal_block_info($1, $2, false) where relforknumber = 0 and block_id = 0 group by 1, 2, 3)
     select coalesce(owner.relname, base.relname, relation.relname) as name,
            coalesce(sum(count) filter (where kind = 'Heap' and deed = 'INSERT'), 0)::int as inserted,
            coalesce(sum(count) filter (where kind = 'Heap' and deed in ('UPDATE', 'HOT_UPDATE')), 0)::int as updated,
            coalesce(sum(count) filter (where kind = 'Heap' and deed = 'HOT_UPDATE'), 0)::int as hot,
            coalesce(sum(count) filter (where kind = 'Heap' and deed = 'DELETE'), 0)::int as deleted,
            coalesce(sum(count) filter (where kind = 'Btree'
              and deed in ('INSERT_LEAF', 'INSERT_POST', 'SPLIT_L', 'SPLIT_R')), 0)::int as entries
       from written join pg_class relation using (relfilenode)
       left join pg_index on indexrelid = relation.oid
       left join pg_class base on base.oid = indrelid
       left join pg_class owner on owner.reltoastrelid = coalesce(base.oid, relation.oid)
      where coalesce(base.oid, relation.oid) >= 16384
      group by 1 order by entries desc, inserted desc`,
    [from, to],
  );
  const { rows } = await client.query("select sum(record_size)::float8 as bytes from pg_get_wal_stats($1, $2, false)", [
    from,
    to,
  ]);
  return { tables, walBytes: rows[0].bytes, cpuMicroseconds };
}

/** Prints a table per flow and returns the sums. Omits tables that are hardly written. */
function tell(what: string, { tables, walBytes, cpuMicroseconds }: Life): { rows: number; entries: number } {
  const each = (count: number) => count / flowsCount;
  const shown = (count: number) => each(count).toFixed(2).padStart(9);
  process.stdout.write(`${what}\n${"".padEnd(22)} inserted   updated (in place) deleted   entries\n`);
  for (const { name, inserted, updated, hot, deleted, entries } of tables) {
    if (each(inserted + updated + deleted + entries) < 0.02) continue;
    const cells = [inserted, updated, hot, deleted, entries].map(shown).join(" ");
    process.stdout.write(`${name.padEnd(22)}${cells}\n`);
  }
  const sum = (of: (one: Written) => number) => each(tables.reduce((all, one) => all + of(one), 0));
  const rows = sum(({ inserted, updated, deleted }) => inserted + updated + deleted);
  const entries = sum((one) => one.entries);
  const rest = `${each(walBytes).toFixed(0)} bytes of log, ${each(cpuMicroseconds).toFixed(0)} µs of PostgreSQL`;
  process.stdout.write(`together: ${rows.toFixed(1)} rows, ${entries.toFixed(1)} entries, ${rest}\n\n`);
  return { rows, entries };
}
