/** The row of `cell_home` in a cell: the first database that the cell belongs to. */
import { sql } from "kysely";
import type { AnyReader, Database } from "../database.ts";

/**
 * A name for the first database. Its servers with standbys share it, and a database that was restored from a dump has
 * another one.
 */
export async function identifyHome(home: AnyReader): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select concat_ws('/', system_identifier, database.oid, current_schema()) as name
      from pg_control_system(), pg_database as database where datname = current_database()`.execute(home);
  return rows[0]?.name ?? "";
}

/** The first database of a cell. Null for a database that is no cell yet. */
export async function findHomeOf(cell: Database): Promise<string | null> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('cell_home') is not null as exists`.execute(cell);
  if (rows[0]?.exists !== true) return null;
  const row = await cell.selectFrom("cell_home").select("home").executeTakeFirst();
  return row?.home ?? null;
}

/** Records the first database of a cell that has none. Returns the recorded one. */
export async function claimCell(cell: Database, home: string): Promise<string | null> {
  await cell
    .insertInto("cell_home")
    .values({ only_row: true, home })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await findHomeOf(cell);
}

/** Makes a cell belong to another first database. */
export async function adoptCell(cell: Database, home: string): Promise<void> {
  await cell
    .insertInto("cell_home")
    .values({ only_row: true, home })
    .onConflict((conflict) => conflict.column("only_row").doUpdateSet({ home }))
    .execute();
}
