import type { Insertable } from "kysely";
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
