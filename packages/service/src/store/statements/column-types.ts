/** The PostgreSQL types of the columns that a statement writes. */
import type { columnTypes } from "./columns.generated.ts";

export type PostgresType = (typeof columnTypes)[keyof typeof columnTypes] extends infer Types
  ? Types extends object
    ? Types[keyof Types]
    : never
  : never;
/** The PostgreSQL type of each member of a row. */
export type ColumnTypes<Row> = Record<keyof Row & string, PostgresType>;

export function namesOf<Row>(types: ColumnTypes<Row>): (keyof Row & string)[] {
  return Object.keys(types).filter((name): name is keyof Row & string => Object.hasOwn(types, name));
}
