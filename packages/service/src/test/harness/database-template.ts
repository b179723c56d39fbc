import { randomUUID } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/migrations/migrate.ts";

const template = "countersign_template";

/** Returns the URL of the server that `tools/test.ts` started for the suite. */
function testServer(): string {
  const url = process.env.TEST_POSTGRES;
  if (url === undefined) throw new Error("TEST_POSTGRES is not set: run the tests with `npm test -- <file>`");
  return url;
}

/** Sets the server for code that runs outside the suite. */
export function useServer(url: string): void {
  process.env.TEST_POSTGRES = url;
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

async function administer(statement: string, connectionString = testServer()): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Creates the migrated database that each test file's database is cloned from. Runs once per suite, before the first
 * test.
 */
export async function prepareTemplate(): Promise<void> {
  await administer(`drop database if exists ${template}`);
  await administer(`create database ${template}`);
  const url = withDatabase(testServer(), template);
  // Also with cells, because some files open their databases without schemas.
  await migrateAt(url);
  if (cellCount === 1) return;
  for (const schema of [everyCell, ...cellSchemas]) {
    await administer(`create schema ${schema}`, url);
    await migrateAt(inSchema(url, schema));
  }
  // Statements on a parent table read and change the rows of its children, so a test sees all cells at once.
  await administer(
    `do $$ declare one record; begin
       for one in select table_name, table_schema from information_schema.tables
                   where table_schema like 'cell\\_%' and table_type = 'BASE TABLE' loop
         execute format('alter table %I.%I inherit ${everyCell}.%I', one.table_schema, one.table_name, one.table_name);
       end loop; end $$`,
    url,
  );
  // A row that a test inserts into a parent table goes to cell 0, which may have rows of any person. Its number comes
  // from cell 0 too.
  await administer(
    `create function ${everyCell}.to_first() returns trigger language plpgsql as $$ begin
       for at in 0 .. tg_nargs - 1 loop
         new := jsonb_populate_record(new, jsonb_build_object(
           tg_argv[at], nextval(pg_get_serial_sequence('cell_0.' || tg_table_name, tg_argv[at]))));
       end loop;
       execute format('insert into cell_0.%I overriding system value select ($1).*', tg_table_name) using new;
       return null; end $$;
     do $$ declare one record; begin
       for one in select table_name, string_agg(quote_literal(column_name), ', ') filter (where is_identity = 'YES') as numbered
                    from information_schema.tables join information_schema.columns using (table_schema, table_name)
                   where table_schema = '${everyCell}' and table_type = 'BASE TABLE' group by table_name loop
         execute format('create trigger to_first before insert on ${everyCell}.%I
                         for each row execute function ${everyCell}.to_first(%s)', one.table_name, one.numbered);
       end loop; end $$`,
    url,
  );
}

async function migrateAt(connectionString: string): Promise<void> {
  const store = openDatabase({ connectionString }, (error) => {
    throw error;
  });
  await migrate(store.db);
  await store.close();
}

/** With `CELLS=4`, each test's service has four cells: four schemas of its database. */
export const cellCount = Number(process.env.CELLS ?? 1);
export const cellSchemas = Array.from({ length: cellCount }, (_, number) => `cell_${number}`);
/** The schema in which a test sees the rows of all cells. */
export const everyCell = "every_cell";

/** A URL whose connections use this schema. */
export function inSchema(url: string, schema: string): string {
  const changed = new URL(url);
  changed.searchParams.set("options", `-c search_path=${schema}`);
  return changed.toString();
}

/** Creates a separate migrated database within some tens of milliseconds. `empty` has no tables yet. */
export async function cloneDatabase(
  from: "template" | "empty" = "template",
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  await administer(from === "template" ? `create database ${name} template ${template}` : `create database ${name}`);
  return { url: withDatabase(testServer(), name), drop: () => administer(`drop database ${name} with (force)`) };
}
