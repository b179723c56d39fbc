/**
 * Reads and writes many rows with one statement. Most statement texts do not depend on the number of rows, so they are
 * prepared once.
 */
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { AnyReader } from "../database.ts";
import { type ColumnTypes, namesOf, type PostgresType } from "./column-types.ts";
import { columnTypes, type DefaultColumns, type NullableColumns } from "./columns.generated.ts";
import { numberedInsert, numberedTables } from "./numbered-rows.ts";
import { type Placeholders, statement } from "./statement.ts";
import type { Tables } from "./tables.ts";

type TableName = keyof Tables;
export type StoredRow<Table extends TableName> = Selectable<Tables[Table]>;
type OptionalColumns<Table extends TableName> = (NullableColumns[Table] | DefaultColumns[Table]) &
  keyof StoredRow<Table>;

/**
 * A row to insert. Columns that can be null or have a default may be omitted, but all rows of an insert must have the
 * same columns. A jsonb column takes a value, not text.
 */
export type NewRow<Table extends TableName> = Omit<StoredRow<Table>, OptionalColumns<Table>> &
  Partial<Pick<StoredRow<Table>, OptionalColumns<Table>>>;

/** Inserts rows. */
export async function insertRows<Table extends TableName>(
  reader: AnyReader,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const types: ColumnTypes<Record<string, unknown>> = columnsIn(table, Object.keys(first) as never[]);
  await insertOf(table, types)(reader, rows);
}

type Insert = (reader: AnyReader, rows: readonly Record<string, unknown>[]) => Promise<unknown>;
const inserts = new Map<string, Insert>();

function insertOf(table: TableName, types: ColumnTypes<Record<string, unknown>>): Insert {
  const key = `${table} ${namesOf(types).join()}`;
  const known = inserts.get(key);
  if (known !== undefined) return known;
  const made = numberedTables.has(table)
    ? numberedInsert<Record<string, unknown>, never>(table, types)
    : arrayInsert(table, types);
  inserts.set(key, made);
  return made;
}

function arrayInsert(table: TableName, types: ColumnTypes<Record<string, unknown>>): Insert {
  const insert = statement((db, columns: ColumnPlaceholders) => ({
    compile: () => {
      const values = sql.join(Object.values(insertedValues(table, types, columns)));
      return sql`insert into ${sql.table(table)} (${refsOf(namesOf(types))}) values (${values})`.compile(db);
    },
  }));
  return (reader, rows) => insert(reader, columnsOf(table, types, rows));
}

/** Column values of rows. Each column is one array parameter, as `arrayOf` writes it. */
export type Columns = Record<`${string}.${string}`, unknown>;
/** The placeholders of `Columns` in a statement that is being built. */
export type ColumnPlaceholders = Placeholders<Columns>;

/** The types of some columns of a table. */
export function columnsIn<Table extends TableName, Name extends keyof Tables[Table] & string>(
  table: Table,
  names: readonly Name[],
): Record<Name, PostgresType> {
  const types: Record<string, PostgresType> = columnTypes[table];
  return Object.fromEntries(names.map((name) => [name, types[name]])) as Record<Name, PostgresType>;
}

export function columnsOf<Row extends object>(table: string, types: ColumnTypes<Row>, rows: readonly Row[]): Columns {
  const columns: Columns = {};
  for (const name of namesOf(types))
    columns[`${table}.${name}`] = arrayOf(
      types[name],
      rows.map((row) => row[name]),
    );
  return columns;
}

function arrayOf(type: PostgresType, values: readonly unknown[]): unknown {
  if (type === "jsonb") return values.map((value) => JSON.stringify(value));
  return type === "bytea" ? bytesArray(values as readonly (Uint8Array | null | undefined)[]) : values;
}

/** The object id of the type `bytea`. */
const byteaType = 17;
const arrayHeadBytes = 20;

/** An array of `bytea` in PostgreSQL's binary format. The driver would write each byte as two hexadecimal digits. */
function bytesArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  const length = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), arrayHeadBytes);
  const bytes = Buffer.allocUnsafe(length);
  const dimensions = 1;
  const firstIndex = 1;
  const hasNull = values.some((value) => value === null || value === undefined) ? 1 : 0;
  let at = 0;
  for (const number of [dimensions, hasNull, byteaType, values.length, firstIndex]) at = bytes.writeInt32BE(number, at);
  for (const value of values) {
    at = bytes.writeInt32BE(value?.length ?? -1, at);
    bytes.set(value ?? [], at);
    at += value?.length ?? 0;
  }
  return bytes;
}

/**
 * The values of an insert into a table without array columns. `insert into … values (unnest($1), …)` inserts one row
 * per element. Citus forwards it to a worker; it cannot reuse a plan of `insert … select` with parameters.
 */
export function insertedValues<Name extends string>(
  table: string,
  types: Record<Name, PostgresType>,
  columns: ColumnPlaceholders,
): Record<Name, RawBuilder<never>> {
  const values = Object.entries<PostgresType>(types).map(([name, type]) => {
    return [name, sql`unnest(${columns[`${table}.${name}`]}::${sql.raw(type)}[])`];
  });
  return Object.fromEntries(values);
}

/** Converts columns from `columnsOf` back to rows, for a table without array columns. */
export function recordsOf<Row>(table: string, types: ColumnTypes<Row>, columns: ColumnPlaceholders): RawBuilder<Row> {
  const names = namesOf(types);
  const values = names.map((name) => sql`${columns[`${table}.${name}`]}::${sql.raw(types[name])}[]`);
  return sql`select ${refsOf(names)} from unnest(${sql.join(values)}) as record (${refsOf(names)})`;
}

function refsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** The condition that a column has one of these uuids (null: any). */
export function isAmong(column: string, uuids: readonly string[] | null): RawBuilder<boolean> {
  return uuids === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${[...uuids]}::uuid[])`;
}
