/** Citus stores the schemas of cells on workers and moves them between workers. These functions tell it to. */
import { type Kysely, sql } from "kysely";
import type { AnyReader, Database } from "../database.ts";
import type { Tables } from "../statements/tables.ts";

/** Whether the server has the Citus extension. */
export async function hasCitus(reader: AnyReader): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(reader);
  return rows.length > 0;
}

/** Whether the connection reaches a worker. Only the coordinator can change the tables of a distributed schema. */
export async function isWorker(reader: AnyReader): Promise<boolean> {
  if (!(await hasCitus(reader))) return false;
  const { rows } = await sql<{ is_worker: boolean }>`select not citus_is_coordinator() as is_worker`.execute(reader);
  return rows[0]?.is_worker === true;
}

/** The address of the same schema on another server of the cluster. Either address may name several hosts. */
export function throughServer(server: string, address: string): string {
  const [place = "", query] = server.split("?");
  const parameters = new URLSearchParams(query);
  const options = new URLSearchParams(address.split("?")[1]).get("options");
  if (options !== null) parameters.set("options", options);
  return parameters.size === 0 ? place : `${place}?${parameters}`;
}

/** Stores a schema and its tables on one worker. The tables must exist, and must be empty. */
export async function distributeSchema(db: Database, schema: string): Promise<void> {
  await withoutTimeLimit(db, async (one) => {
    await prepareForMoves(one, schema);
    await sql`select citus_schema_distribute(${schema}::regnamespace)`.execute(one);
  });
}

/**
 * Adds primary keys and makes all tables logged, because Citus moves schemas by logical replication. Two tables have no
 * primary key by default, because its index would cost every other installation time and space.
 */
export async function prepareForMoves(reader: Kysely<Tables>, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string; is_keyed: boolean; is_logged: boolean; has_id: boolean }>`
    select relname as name, relpersistence = 'p' as is_logged,
           exists (select from pg_index where indrelid = pg_class.oid and indisprimary) as is_keyed,
           exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'id') as has_id
      from pg_class where relnamespace = ${schema}::regnamespace and relkind = 'r' order by relname`.execute(reader);
  for (const { name, is_keyed, is_logged, has_id } of rows) {
    const table = sql.table(`${schema}.${name}`);
    if (!is_logged) await sql`alter table ${table} set logged`.execute(reader);
    if (is_keyed) continue;
    const key = has_id
      ? sql`add primary key (id)`
      : sql`add column row_number bigint generated always as identity primary key`;
    await sql`alter table ${table} ${key}`.execute(reader);
  }
}

type Move = { schema: string; host: string; port: number };

/** Whether the server still has tables that an earlier move left there. Until Citus deletes them, a move fails. */
export async function hasLeftTables(reader: AnyReader, { schema, host, port }: Move): Promise<boolean> {
  const { rows } = await sql`
    select from pg_dist_cleanup join pg_dist_node on groupid = node_group_id
     where nodename = ${host} and nodeport = ${port}::integer
       and starts_with(object_name, quote_ident(${schema}) || '.') limit 1`.execute(reader);
  return rows.length > 0;
}

/** Moves a schema to another worker while it is in use. */
export async function moveSchema(db: Pick<Database, "connection">, { schema, host, port }: Move): Promise<void> {
  await withoutTimeLimit(db, async (one) => {
    await sql`select citus_schema_move(${schema}::regnamespace, ${host}, ${port}::integer)`.execute(one);
  });
}

/** Spreads the schemas evenly over all workers, in the background. */
export async function rebalanceSchemas(reader: AnyReader): Promise<void> {
  await sql`select citus_rebalance_start()`.execute(reader);
}

/** Turns off the statement timeout, because Citus copies a whole schema in one statement. */
async function withoutTimeLimit(
  db: Pick<Database, "connection">,
  work: (one: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    try {
      await work(one);
    } finally {
      await sql`reset statement_timeout`.execute(one);
    }
  });
}
