/**
 * Home and cells on the Citus cluster whose coordinator `CITUS_URL` names: home in a plain schema of the coordinator, one
 * cell through the coordinator, and one at the worker that has it. `CITUS_STATEMENTS` names a file that gets the text of
 * every statement to a distributed cell.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { sql } from "kysely";
import { distributeSchema } from "../../store/cells/citus.ts";
import { openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/migrations/migrate.ts";
import { inSchema } from "./database-template.ts";

export function coordinatorUrl(): string {
  const { CITUS_URL: url } = process.env;
  if (url === undefined) throw new Error("CITUS_URL is not set: see tools/prove/citus.ts");
  return url;
}

/** Creates a schema with the service's tables. Returns the URL of connections that use it. */
export async function openSchema(name: string, isDistributed: boolean): Promise<string> {
  const url = inSchema(coordinatorUrl(), name);
  const store = openDatabase({ connectionString: url }, () => {}, { poolSize: 1 });
  try {
    await sql`create schema ${sql.id(name)}`.execute(store.db);
    await migrate(store.db);
    if (isDistributed) await distributeSchema(store.db, name);
    return url;
  } finally {
    await store.close();
  }
}

/** The worker that has a distributed schema. */
export async function workerOf(schema: string): Promise<{ host: string; port: number }> {
  return await onCoordinator(async (db) => {
    const { rows } = await sql<{ host: string; port: number }>`
      select nodename as host, nodeport as port from citus_shards where table_name = ${`${schema}.person`}::regclass`.execute(
      db,
    );
    const [worker] = rows;
    if (worker === undefined) throw new Error(`no worker has ${schema}`);
    return worker;
  });
}

/** A URL of a worker instead of the coordinator. */
export function atWorker(url: string, { host, port }: { host: string; port: number }): string {
  const changed = new URL(url);
  changed.hostname = host;
  changed.port = String(port);
  return changed.toString();
}

export async function dropSchemas(names: readonly string[]): Promise<void> {
  await onCoordinator(async (db) => {
    for (const name of names) await sql`drop schema if exists ${sql.id(name)} cascade`.execute(db);
  });
}

async function onCoordinator<Answer>(work: (db: ReturnType<typeof openDatabase>["db"]) => Promise<Answer>) {
  const store = openDatabase({ connectionString: coordinatorUrl() }, () => {}, { poolSize: 1 });
  try {
    return await work(store.db);
  } finally {
    await store.close();
  }
}

/** The addresses of home, which is also cell 0, and of two distributed cells. */
export async function openCitusSchemas() {
  const id = randomUUID().slice(0, 8);
  const names = { home: `home_${id}`, through: `cell_${id}_1`, at: `cell_${id}_2` };
  const home = await openSchema(names.home, false);
  const through = await openSchema(names.through, true);
  const at = atWorker(await openSchema(names.at, true), await workerOf(names.at));
  return { urls: [home, through, at], drop: () => dropSchemas(Object.values(names)) };
}

const told = new Set<string>();

/** Writes a statement's text into the file of `CITUS_STATEMENTS`, once per process. */
export function tellStatement(text: string): void {
  const { CITUS_STATEMENTS: file } = process.env;
  if (file === undefined || told.has(text)) return;
  told.add(text);
  appendFileSync(file, `${JSON.stringify(text)}\n`);
}
