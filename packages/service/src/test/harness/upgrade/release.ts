/** The databases of released versions. `tools/released-database.ts` writes them, and tests upgrade them. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { after } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { cloneDatabase } from "../database-template.ts";
import { restoreDatabase } from "./dump.ts";
import type { Held } from "./fill.ts";
import type { Answered } from "./reads.ts";

/**
 * `offsetMs`: where the sandbox's clock stood. `statements`: what a process of the release asks its database, beside
 * its migrations.
 */
export type Release = { offsetMs: number; held: Held; answers: Answered[]; statements: string[] };

const folder = new URL("../../../store/migrations/released/", import.meta.url);
const fileOf = (name: string) => new URL(name, folder);
const hashes = fileOf("hashes.json");

/** Every version whose database is here, with the hash of its files when they were written. */
export function releases(): Record<string, string> {
  return existsSync(hashes) ? JSON.parse(readFileSync(hashes, "utf8")) : {};
}

const filesOf = (version: string) => [fileOf(`${version}.sql.gz`), fileOf(`${version}.json.gz`)] as const;
const bytesOf = (version: string) => filesOf(version).map((file) => readFileSync(file));

export function hashOf(version: string): string {
  const hash = createHash("sha256");
  for (const bytes of bytesOf(version)) hash.update(bytes);
  return hash.digest("hex");
}

export const sizeOf = (version: string) => bytesOf(version).reduce((sum, { length }) => sum + length, 0);
export const filesHere = () => readdirSync(folder).sort();

export function readRelease(version: string): { dump: string } & Release {
  const [dump = "", callers = ""] = bytesOf(version).map((bytes) => gunzipSync(bytes).toString());
  return { dump, ...JSON.parse(callers) };
}

export function writeRelease(version: string, dump: string, release: Release): void {
  const [ofDump, ofCallers] = filesOf(version);
  writeFileSync(ofDump, gzipSync(dump, { level: 9 }));
  writeFileSync(ofCallers, gzipSync(JSON.stringify(release), { level: 9 }));
  writeFileSync(hashes, `${JSON.stringify({ ...releases(), [version]: hashOf(version) }, null, 2)}\n`);
}

/** A new database with the rows of a dump. No migration has run on it since. */
export async function restored(dump: string): Promise<{ url: string; pool: pg.Pool }> {
  const { url, drop } = await cloneDatabase("empty");
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  after(async () => {
    await pool.end();
    await drop();
  });
  await restoreDatabase(pool, dump);
  return { url, pool };
}
