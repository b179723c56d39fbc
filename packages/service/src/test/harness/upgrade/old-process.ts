/**
 * What a process of a released version needs from a database that a later version has migrated. During an upgrade, both
 * work on it. The process itself is not needed: its statements, its columns and their values are known.
 */
import type pg from "pg";
import { tablesOf } from "./dump.ts";

type Client = Pick<pg.ClientBase, "query">;
type Column = { type: string; isRequired: boolean; hasDefault: boolean };
type Schema = { columns: Map<string, Column>; rules: Set<string>; values: Map<string, string> };

const columns = `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as "isRequired", a.atthasdef or a.attidentity <> '' as "hasDefault"
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migration'
    and a.attnum > 0 and not a.attisdropped`;
/** What can refuse a row, or what an upsert relies on. Constraints of kind n repeat what the columns say. */
const rules = `select conrelid::regclass::text || ': ' || pg_get_constraintdef(oid) as rule from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select tablename || ': ' || substring(indexdef from ' USING .*') from pg_indexes
    where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'
      and not exists (select from pg_constraint where conname = indexname)
  union all select tgrelid::regclass::text || ': trigger ' || tgname from pg_trigger where not tgisinternal`;

/** What the database is like. `known`: read only the values of these columns, in these tables. */
export async function readSchema(client: Client | Pick<pg.Pool, "query">, known?: Schema): Promise<Schema> {
  const { rows: found } = await client.query<{ name: string } & Column>(columns);
  const { rows: made } = await client.query<{ rule: string }>(rules);
  const listed = new Map(found.map(({ name, ...column }) => [name, column]));
  const values = new Map<string, string>();
  for (const [table, names] of tablesOf([...(known?.columns ?? listed).keys()].filter((name) => listed.has(name)))) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(jsonb_build_array(${names.join(", ")})::text, 0)), 0)
         as digest from ${table}`,
    );
    values.set(table, rows[0]?.digest ?? "");
  }
  return { columns: listed, rules: new Set(made.map(({ rule }) => rule)), values };
}

/** Why a process of the release cannot work on the database as it is now. In a transaction. */
export async function refusals(client: Client, was: Schema, statements: readonly string[]): Promise<string[]> {
  const is = await readSchema(client, was);
  return [
    ...columnRefusals(was, is),
    ...ruleRefusals(was, is),
    ...[...was.values]
      .filter(([table, digest]) => is.values.has(table) && is.values.get(table) !== digest)
      .map(([table]) => `${table}: values or rows that it knows have changed`),
    ...(await statementRefusals(client, statements)),
  ];
}

const tableOf = (name: string) => name.split(/[.:]/)[0] ?? "";

function columnRefusals(was: Schema, is: Schema): string[] {
  const found: string[] = [];
  for (const [name, before] of was.columns) {
    const now = is.columns.get(name);
    if (now === undefined) found.push(`${name} is gone`);
    else if (now.type !== before.type) found.push(`${name} was ${before.type} and is ${now.type}`);
    else if (now.isRequired && !before.isRequired) found.push(`${name} is required now`);
    else if (!now.isRequired && before.isRequired) found.push(`${name} can be null now`);
    else if (!now.hasDefault && before.hasDefault) found.push(`${name} has lost its default`);
  }
  const tables = new Set([...was.columns.keys()].map(tableOf));
  for (const [name, { isRequired, hasDefault }] of is.columns)
    if (!was.columns.has(name) && tables.has(tableOf(name)) && isRequired && !hasDefault)
      found.push(`${name} is new, and it does not know the value to insert`);
  return found;
}

function ruleRefusals(was: Schema, is: Schema): string[] {
  const tables = new Set([...was.columns.keys()].map(tableOf));
  const isKnown = (rule: string) => tables.has(tableOf(rule));
  return [
    ...[...is.rules].filter((rule) => isKnown(rule) && !was.rules.has(rule)).map((rule) => `new rule of ${rule}`),
    ...[...was.rules].filter((rule) => !is.rules.has(rule)).map((rule) => `lost rule of ${rule}`),
  ];
}

const isPlanned = (text: string) => /^\s*(with|select|insert|update|delete)\b/i.test(text);

/** The statements that PostgreSQL does not understand. */
async function statementRefusals(client: Client, statements: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const text of statements.filter(isPlanned)) {
    try {
      await client.query(`savepoint before; prepare statement as ${text}; deallocate statement; release before`);
    } catch (error) {
      found.push(`${error instanceof Error ? error.message : error} in: ${text.slice(0, 120)}`);
      await client.query("rollback to before; release before");
    }
  }
  return found;
}

/** The statements that can be checked later, because PostgreSQL understands them now. In a transaction. */
export async function understood(client: Client, statements: Iterable<string>): Promise<string[]> {
  const kept: string[] = [];
  for (const text of [...new Set(statements)].filter(isPlanned).sort())
    if ((await statementRefusals(client, [text])).length === 0) kept.push(text);
  return kept;
}
