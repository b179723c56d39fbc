import { type Insertable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

export type RequestLogRow = Insertable<Tables["request_log"]>;
/** Collects lines and writes them behind the requests' backs: what a crash loses is a line, never a release's record. */
export type RequestLog = { add(row: RequestLogRow): void; close(): Promise<void> };

const flushMs = 250;
/** Lines of one statement; more than that wait for the next. */
const batchMax = 500;
/** Lines that may wait; beyond that the oldest are dropped rather than the memory filled. */
const waitingMax = 20_000;

export function openRequestLog(db: Database, onError: (error: unknown) => void): RequestLog {
  let waiting: RequestLogRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await db.insertInto("request_log").values(rows).execute();
      await noteUse(db, rows);
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(flush).catch(onError);
  }, flushMs);
  timer.unref();
  return {
    add(row) {
      if (waiting.length >= waitingMax) waiting.shift();
      waiting.push(row);
    },
    async close() {
      clearInterval(timer);
      await writing;
      await flush().catch(onError);
    },
  };
}

/** When each key was used last, in one statement for all of them; one that is older than what is noted changes nothing. */
async function noteUse(db: Database, rows: readonly RequestLogRow[]): Promise<void> {
  const lastUses = new Map<string, number>();
  for (const { api_key_uuid, at } of rows) {
    if (typeof api_key_uuid === "string") lastUses.set(api_key_uuid, Math.max(at, lastUses.get(api_key_uuid) ?? 0));
  }
  if (lastUses.size === 0) return;
  await sql`
    update api_key set last_used_at = greatest(last_used_at, used.at)
      from unnest(${[...lastUses.keys()]}::uuid[], ${[...lastUses.values()]}::bigint[]) as used (uuid, at)
     where api_key.uuid = used.uuid`.execute(db);
}
