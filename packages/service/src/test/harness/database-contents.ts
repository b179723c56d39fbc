import { sql } from "kysely";
import type { Sandbox } from "./sandbox.ts";

/**
 * Returns a row count and hash per table, read in one statement. It ignores the request log, counts of
 * texts, rate limits and `last_used_at`, because requests change them, also later, and turns of sweeps.
 */
export async function contents({ store }: Pick<Sandbox, "store">): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_name not in ('request_log', 'rate_limit', 'text_result', 'home_sweep', 'sweep_result')`.execute(
    store.db,
  );
  const digests = tables.map(
    ({ name }) => sql`
      select ${sql.lit(name)} as name, count(*) || ' ' || coalesce(sum(hashtextextended(line, 0)), 0) as digest
      from (select (to_jsonb(t) - 'last_used_at')::text as line from ${sql.table(name)} t) lines`,
  );
  const all = sql<{ name: string; digest: string }>`${sql.join(digests, sql` union all `)}`;
  const { rows } = await all.execute(store.db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Returns each row with its table. It ignores the tables and columns that requests and jobs change by themselves. */
export async function rowsOf({ store }: Pick<Sandbox, "store">): Promise<Set<string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_name not in ('request_log', 'rate_limit', 'text_result', 'home_sweep', 'sweep_result', 'use_count', 'job')`.execute(
    store.db,
  );
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`
      select (to_jsonb(t) - 'last_used_at')::text as line from ${sql.table(name)} t`.execute(store.db);
    for (const { line } of rows) found.add(`${name} ${line}`);
  }
  return found;
}

/** Returns rows that were removed or changed. New rows are ignored, because the caller may have created them. */
export function changedSince(was: ReadonlySet<string>, now: ReadonlySet<string>): string[] {
  return [...was].filter((row) => !now.has(row));
}
