/**
 * A database as SQL: the migrations that made it, and its rows. It needs no programs of PostgreSQL, and any version of
 * PostgreSQL can run it.
 */
import type pg from "pg";
import { type Migrations, migrations, statementsOf } from "../../../store/migrations/migrate.ts";

type Client = Pick<pg.Pool, "query">;

/** Tables in the order in which they were created, so that a row is inserted after those that it refers to. */
const tablesInOrder = `select relname as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by oid`;
const numberedColumns = `select table_name as table, column_name as column from information_schema.columns
  where table_schema = 'public' and is_identity = 'YES' order by 1`;

/** Line by line: statements of one line each, and for each table its rows as one JSON array. */
export async function dumpDatabase(client: Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(tablesInOrder);
  const inserts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(
      `select replace(json_agg(t)::text, '''', '''''') as line from ${name} t having count(*) > 0`,
    );
    for (const { line } of rows)
      inserts.push(
        `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, '${oneLine(line)}');`,
      );
  }
  const { rows: numbered } = await client.query<{ table: string; column: string }>(numberedColumns);
  const sequences = numbered.map(
    ({ table, column }) =>
      `select setval(pg_get_serial_sequence('${table}', '${column}'), greatest(1, max(${column}))) from ${table};`,
  );
  return `${[tableOfMigrations, ...Object.values(migrations).flatMap(linesOf), ...inserts, ...sequences].join("\n")}\n`;
}

/** What `migrate` makes first. */
export const tableOfMigrations =
  "create table migration (name text primary key, ran_at timestamptz not null default now());";

/** A migration as it runs on an empty database, where indexes need not be built concurrently. */
export function linesOf(migration: Migrations[string]): string[] {
  if (typeof migration === "string") return statementsOf(migration).map((one) => `${oneLine(one)};`);
  return Object.entries(migration).map(([name, on]) =>
    typeof on === "string" ? `create index ${name} on ${on};` : `create unique index ${name} on ${on.unique};`,
  );
}

/** Text in JSON and in a migration has no line break that means anything. */
const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, " ").trim();

/** Runs a dump in an empty database. */
export async function restoreDatabase(client: Client, dump: string): Promise<void> {
  for (const line of dump.split("\n").filter((one) => one !== "")) await client.query(line);
}

/** Names of columns, such as `brand.name`, by their tables. */
export function tablesOf(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [table = "", column = ""] of names.map((name) => name.split(".")))
    found.set(table, [...(found.get(table) ?? []), column]);
  return found;
}
