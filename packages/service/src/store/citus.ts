/** What Citus does with the schemas of cells. It moves them between its workers; we only ask it to. */
import { sql } from "kysely";
import type { AnyReader } from "./database.ts";

/** Whether the server has the Citus extension. */
export async function hasCitus(reader: AnyReader): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(reader);
  return rows.length > 0;
}

/** Stores a schema and its tables on one worker. The tables must exist: a distributed schema cannot be migrated in steps. */
export async function distributeSchema(reader: AnyReader, schema: string): Promise<void> {
  await sql`select citus_schema_distribute(${schema}::regnamespace)`.execute(reader);
}

/** Moves a schema to another worker while it is in use. */
export async function moveSchema(
  reader: AnyReader,
  { schema, host, port }: { schema: string; host: string; port: number },
): Promise<void> {
  await sql`select citus_schema_move(${schema}::regnamespace, ${host}, ${port}::integer)`.execute(reader);
}

/** Spreads the schemas evenly over all workers, in the background. */
export async function rebalanceSchemas(reader: AnyReader): Promise<void> {
  await sql`select citus_rebalance_start()`.execute(reader);
}
