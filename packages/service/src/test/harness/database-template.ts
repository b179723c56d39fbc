import { randomUUID } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../store/database.ts";
import { migrate } from "../../store/migrate.ts";

const template = "countersign_template";

/** Returns the URL of the server that `tools/test.ts` started for the suite. */
export function testServer(): string {
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

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServer() });
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
  const store = openDatabase({ connectionString: withDatabase(testServer(), template) }, (error) => {
    throw error;
  });
  await migrate(store.db);
  await store.close();
}

/** Creates a separate migrated database within some tens of milliseconds. `empty` has no tables yet. */
export async function cloneDatabase(
  from: "template" | "empty" = "template",
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  await administer(from === "template" ? `create database ${name} template ${template}` : `create database ${name}`);
  return { url: withDatabase(testServer(), name), drop: () => administer(`drop database ${name} with (force)`) };
}
