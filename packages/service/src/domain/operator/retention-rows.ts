/** Reads what was erased, what is due next, and which master key wraps how many keys. It writes nothing. */
import { dayMs } from "@countersign/contract/time";
import { type RawBuilder, sql } from "kysely";
import type { AnyReader, Database, HomeReader, Keyed } from "../../store/database.ts";

type Column = { table: string; at: string; which?: RawBuilder<unknown> };

const unerased = sql`erased_at is null`;
/** Tables of personal data that expires, with the column of the time. Each has an index on it. */
const ofCell: readonly Column[] = [
  { table: "one_click", at: "expires_at", which: unerased },
  { table: "verification", at: "kept_until" },
  { table: "health_lookup", at: "expires_at", which: unerased },
  { table: "account_session", at: "expires_at" },
  { table: "presentation", at: "expires_at" },
  { table: "state_id_request", at: "expires_at" },
  { table: "takeout", at: "expires_at" },
];
const ofKeyed: readonly Column[] = [{ table: "session", at: "expires_at" }];
/** Counting stops here, so that a large table cannot hold up a page. */
const countMax = 10_000;

export type CountedDue = { table: string; due: number; soon: number; nextAt: number | null };

function dueIn({ table, at, which }: Column, { environment, now }: { environment: string; now: number }) {
  const column = sql.ref(at);
  const rows = sql`from ${sql.table(table)} where environment = ${environment} and ${which ?? sql`true`}`;
  const counted = (from: number, to: number) => sql`
    (select count(*)::int from (select 1 ${rows} and ${column} > ${from} and ${column} <= ${to} limit ${countMax}) t)`;
  return sql`select ${table}::text as table, ${counted(0, now)} as due, ${counted(now, now + dayMs)} as soon,
    (select min(${column})::bigint ${rows} and ${column} > ${now}) as "nextAt"`;
}

async function countDue(reader: AnyReader, columns: readonly Column[], at: { environment: string; now: number }) {
  const all = columns.map((column) => dueIn(column, at));
  const { rows } = await sql<CountedDue>`${sql.join(all, sql` union all `)}`.execute(reader);
  return rows;
}

export async function countDueInCell(db: Database, at: { environment: string; now: number }): Promise<CountedDue[]> {
  return await countDue(db, ofCell, at);
}

export async function countDueInKeyed(keyed: Keyed, at: { environment: string; now: number }): Promise<CountedDue[]> {
  return await countDue(keyed, ofKeyed, at);
}

export type SweepSum = {
  sweep: string;
  erasedToday: number;
  erased: number;
  erasedAt: number | null;
  failures: number;
  failedAt: number | null;
};

/** The results of sweeps from a day on. `today`: the start of today. */
export async function sumSweeps(
  reader: HomeReader,
  { environment, since, today }: { environment: string; since: number; today: number },
): Promise<SweepSum[]> {
  const { rows } = await sql<SweepSum>`
    select sweep, sum(erased)::int as erased, coalesce(sum(erased) filter (where day >= ${today}), 0)::int as "erasedToday",
           max(erased_at) as "erasedAt", sum(failures)::int as failures, max(failed_at) as "failedAt"
      from sweep_result where environment = ${environment} and day >= ${since} group by sweep order by sweep`.execute(
    reader,
  );
  return rows;
}

/** Sweeps that failed after an instant. */
export async function listFailedSince(reader: HomeReader, environment: string, since: number): Promise<string[]> {
  const rows = await reader
    .selectFrom("sweep_result")
    .select("sweep")
    .distinct()
    .where("environment", "=", environment)
    .where("failed_at", ">", since)
    .orderBy("sweep")
    .execute();
  return rows.map(({ sweep }) => sweep);
}

/** Whether a retired master key still wraps keys of this database. */
export async function isRotating(reader: AnyReader): Promise<boolean> {
  const row = await reader
    .selectFrom("master_key")
    .select("id")
    .where("retired_at", "is not", null)
    .where("emptied_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The master keys of a database, and how many keys each wraps. It reads the whole table of keys. */
export async function listMasterKeys(reader: AnyReader) {
  const { rows } = await sql<{
    id: string;
    usedAt: number | null;
    retiredAt: number | null;
    emptiedAt: number | null;
    wraps: number;
  }>`
    select master_key.id, used_at as "usedAt", retired_at as "retiredAt", emptied_at as "emptiedAt",
           coalesce(counted.keys, 0)::int as wraps
      from master_key
      left join (select master_key_id as id, count(*) as keys from data_key where wrapped is not null group by 1) counted
        on counted.id = master_key.id
     order by used_at, master_key.id`.execute(reader);
  return rows;
}
