/** Prepares the database or the schema of a new cell. */
import { sql } from "kysely";
import type { AnyReader, Database } from "../database.ts";

/** The schema in which a connection creates tables. `found` is null if no schema in its search path exists. */
async function schemaOf(db: Database): Promise<{ wanted: string; found: string | null }> {
  const { rows } = await sql<{ wanted: string; found: string | null }>`
    select split_part(current_setting('search_path'), ',', 1) as wanted, current_schema() as found`.execute(db);
  return rows[0] ?? { wanted: "", found: null };
}

/** Creates the schema that the connection's search path names, if it does not exist. Returns its name. */
export async function ensureSchema(db: Database): Promise<string> {
  const { wanted, found } = await schemaOf(db);
  if (found !== null) return found;
  const name = wanted.trim().replace(/^"|"$/g, "");
  await sql`create schema if not exists ${sql.id(name)}`.execute(db);
  return name;
}

/** A name for the schema that a connection uses. It is the same for every address of the schema. */
export async function identifySchema(reader: AnyReader): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select concat_ws('/', system_identifier, current_database(), current_schema()) as name
      from pg_control_system()`.execute(reader);
  return rows[0]?.name ?? "";
}

/** Whether the schema already has data of a service. */
export async function isInUse(db: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('person') is not null or to_regclass('migration') is not null as found`.execute(db);
  if (rows[0]?.found !== true) return false;
  const { rows: used } = await sql<{ used: boolean }>`
    select exists (select from person) or exists (select from brand) as used`.execute(db);
  return used[0]?.used === true;
}
