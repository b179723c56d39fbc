import { type RawBuilder, sql } from "kysely";

type ColumnType = "uuid" | "text" | "bigint" | "integer" | "boolean" | "bytea" | "jsonb";
/** The PostgreSQL type of each member of a row to insert. */
export type ColumnTypes<Row> = Record<keyof Row & string, ColumnType>;
/** Column values of rows. Each column is one array parameter, so text and plan are the same for any number of rows. */
export type Columns = Record<`${string}.${string}`, readonly unknown[]>;

export function columnsOf<Row extends object>(table: string, types: ColumnTypes<Row>, rows: readonly Row[]): Columns {
  const columns: Columns = {};
  for (const name of namesOf(types))
    columns[`${table}.${name}`] =
      types[name] === "jsonb" ? rows.map((row) => JSON.stringify(row[name])) : rows.map((row) => row[name]);
  return columns;
}

/** The rows that `columnsOf` split into columns. `which` is a condition that selects rows. */
export function recordsOf<Row>(
  table: string,
  types: ColumnTypes<Row>,
  columns: Columns,
  which: RawBuilder<unknown> = sql`true`,
): RawBuilder<Row> {
  const names = namesOf(types);
  const values = names.map((name) => sql`${columns[`${table}.${name}`]}::${sql.raw(types[name])}[]`);
  const refs = sql.join(names.map((name) => sql.ref(name)));
  return sql`select ${refs} from unnest(${sql.join(values)}) as record (${refs}) where ${which}`;
}

export function namesOf<Row>(types: ColumnTypes<Row>): (keyof Row & string)[] {
  return Object.keys(types).filter((name): name is keyof Row & string => Object.hasOwn(types, name));
}
