import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbedded } from "../packages/service/src/store/embedded/server.ts";

export type BenchServer = { database(name: string): Promise<string>; stop(): Promise<void> };

/**
 * The PostgreSQL server that comes with the service, with the same durability. Every contestant has its own database on
 * it.
 */
export async function startServer(): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  const warn = (message: string) => process.stderr.write(`${message}\n`);
  const server = await startEmbedded({ dataDir, log: { info: () => undefined, warn } });
  const url = (name: string) =>
    `postgres://${server.user}@localhost:${server.port}/${name}?host=${encodeURIComponent(server.host)}`;
  return {
    async database(name) {
      await query(url(server.database), `create database ${name}`);
      return url(name);
    },
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs statements on a separate connection. */
export async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
