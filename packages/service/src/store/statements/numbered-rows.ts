/**
 * Inserts into tables that number their rows. Citus assigns the numbers before it sends an insert to a worker, one per
 * row of `values`, so these rows cannot be array elements.
 */
import { CompiledQuery } from "kysely";
import { type AnyReader, Database } from "../database.ts";
import { type ColumnTypes, namesOf } from "./column-types.ts";
import type { Tables } from "./tables.ts";

/** The tables with a column that PostgreSQL numbers, including those that `prepareForMoves` in `citus.ts` adds. */
export const numberedTables: ReadonlySet<keyof Tables> = new Set([
  "account_audit",
  "audit",
  "issuance",
  "job",
  "ledger_entry",
  "mail",
  "message",
  "request_log",
  "verification_past",
  "webhook_attempt",
]);

/**
 * Numbers of rows per statement. Each size is another prepared statement on every connection, so keep the list short.
 * Most batches have two to five rows.
 */
const sizes = [64, 16, 4, 2, 1];

/** Returns an insert of any number of rows. `ending` is the SQL after the values, and has no parameters. */
export function numberedInsert<Row extends object, Stored>(
  table: keyof Tables,
  types: ColumnTypes<Row>,
  ending = "",
): (reader: AnyReader, rows: readonly Row[]) => Promise<Stored[]> {
  const names = namesOf(types);
  const texts = new Map<number, string>();
  const textOf = (count: number) => {
    const known = texts.get(count);
    if (known !== undefined) return known;
    const rowOf = (row: number) => `(${names.map((_, at) => `$${row * names.length + at + 1}`).join()})`;
    const values = Array.from({ length: count }, (_, row) => rowOf(row)).join();
    const columns = names.map((name) => `"${name}"`).join();
    const text = `insert into "${table}" (${columns}) values ${values} ${ending}`.trim();
    texts.set(count, text);
    return text;
  };
  const insert = async (on: AnyReader, rows: readonly Row[]) => {
    const parameters = rows.flatMap((row) =>
      names.map((name) => (types[name] === "jsonb" ? JSON.stringify(row[name]) : row[name])),
    );
    return (await on.executeQuery<Stored>(CompiledQuery.raw(textOf(rows.length), parameters))).rows;
  };
  const insertAll = async (on: AnyReader, parts: readonly (readonly Row[])[]) =>
    (await Promise.all(parts.map((part) => insert(on, part)))).flat();
  return async (reader, rows) => {
    const parts = partsOf(rows);
    const isOneTransaction = parts.length < 2 || !(reader instanceof Database);
    return isOneTransaction
      ? await insertAll(reader, parts)
      : await reader.inTransaction(async (trx) => await insertAll(trx, parts));
  };
}

/** Splits rows into parts of the known sizes. */
function partsOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  let from = 0;
  for (const size of sizes)
    while (rows.length - from >= size) {
      parts.push(rows.slice(from, from + size));
      from += size;
    }
  return parts;
}
