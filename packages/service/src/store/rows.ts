/** Writes and reads many rows with one statement. Its text is the same for any number of rows, so it is prepared once. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { columnTypes, type DefaultColumns, type NullableColumns } from "./columns.generated.ts";
import type { AnyReader } from "./database.ts";
import { type Placeholders, statement } from "./statement.ts";
import type { Tables } from "./tables.ts";

type TableName = keyof Tables;
type StoredRow<Table extends TableName> = Selectable<Tables[Table]>;
type OptionalColumns<Table extends TableName> = (NullableColumns[Table] | DefaultColumns[Table]) &
  keyof StoredRow<Table>;

/**
 * A row to insert. Columns that can be null or have a default may be left out, but all rows of one insert must have the
 * same columns. A jsonb column takes a value, not its text.
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
  await insertStatement(table, types)(reader, columnsOf(table, types, rows));
}

type InsertStatement = (reader: AnyReader, columns: Columns) => Promise<unknown>;
const insertStatements = new Map<string, InsertStatement>();

function insertStatement(table: TableName, types: ColumnTypes<Record<string, unknown>>): InsertStatement {
  const names = namesOf(types);
  const key = `${table} ${names.join()}`;
  const known = insertStatements.get(key);
  if (known !== undefined) return known;
  const made = statement((db, columns: ColumnPlaceholders) => ({
    compile: () => {
      const values = sql.join(Object.values<RawBuilder<unknown>>(valuesOf(table, types, columns)));
      return sql`insert into ${sql.table(table)} (${refsOf(names)}) values (${values})`.compile(db);
    },
  }));
  insertStatements.set(key, made);
  return made;
}

type PostgresType = (typeof columnTypes)[TableName] extends infer Types
  ? Types extends object
    ? Types[keyof Types]
    : never
  : never;
/** The PostgreSQL type of each member of a row. */
export type ColumnTypes<Row> = Record<keyof Row & string, PostgresType>;
/** Column values of rows. Each column is one array parameter. */
export type Columns = Record<`${string}.${string}`, readonly unknown[]>;
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
  for (const name of namesOf(types)) {
    const asSent = sentAs[types[name]] ?? ((value: unknown) => value);
    columns[`${table}.${name}`] = rows.map((row) => asSent(row[name]));
  }
  return columns;
}

/** PostgreSQL has no arrays of arrays of different lengths, so an array is sent as one text. */
const separator = "\n";
const sentAs: Partial<Record<PostgresType, (value: unknown) => unknown>> = {
  jsonb: (value) => JSON.stringify(value),
  "text[]": (value) => (Array.isArray(value) ? value.join(separator) : null),
};

/**
 * The values of an insert: `insert into … values (unnest($1), …)` inserts one row per element. Citus sends this form to
 * the worker of the table, but cannot plan `insert … select` with parameters once for all values.
 */
export function valuesOf<Row>(
  table: string,
  types: ColumnTypes<Row>,
  columns: ColumnPlaceholders,
): { [Name in keyof Row & string]: RawBuilder<Row[Name]> } {
  const values = namesOf(types).map((name) => {
    const column = columns[`${table}.${name}`];
    const value =
      types[name] === "text[]"
        ? sql`string_to_array(unnest(${column}::text[]), ${sql.lit(separator)})`
        : sql`unnest(${column}::${sql.raw(types[name])}[])`;
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** The rows that `columnsOf` split into columns, for a table without array columns. */
export function recordsOf<Row>(table: string, types: ColumnTypes<Row>, columns: ColumnPlaceholders): RawBuilder<Row> {
  const names = namesOf(types);
  const values = names.map((name) => sql`${columns[`${table}.${name}`]}::${sql.raw(types[name])}[]`);
  return sql`select ${refsOf(names)} from unnest(${sql.join(values)}) as record (${refsOf(names)})`;
}

export function namesOf<Row>(types: ColumnTypes<Row>): (keyof Row & string)[] {
  return Object.keys(types).filter((name): name is keyof Row & string => Object.hasOwn(types, name));
}

function refsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** The condition that a column has one of the uuids. Null: any uuid. */
export function isAmong(column: string, uuids: readonly string[] | null): RawBuilder<boolean> {
  return uuids === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${[...uuids]}::uuid[])`;
}
