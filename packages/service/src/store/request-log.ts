import { type Insertable, sql } from "kysely";
import type { Database, Home } from "./database.ts";
import { deleteInBatches } from "./delete-in-batches.ts";
import type { Tables } from "./tables.ts";

/** A log line and the index of the call's phone, which finds the person at write time and is not stored. */
type RequestLogRow = Omit<Insertable<Tables["request_log"]>, "person_uuid"> & { phoneIndex: Buffer | null };
/** Collects log lines and writes them in the background. A crash can lose lines, but never the record of a release. */
export type RequestLog = { add(row: RequestLogRow): void; close(): Promise<void> };

const flushMs = 250;
/** Lines per statement. Further lines wait for the next statement. */
const batchMax = 500;
/** Maximum number of waiting lines. Beyond it, the oldest lines are dropped to limit memory use. */
const waitingMax = 20_000;

/** Called after lines are written, with the last use of each API key in them. */
type NoteUse = (home: Home, lastUses: ReadonlyMap<string, number>) => Promise<void>;

export function openRequestLog(
  { db, home }: { db: Database; home: Home },
  { noteUse, onError }: { noteUse: NoteUse; onError(error: unknown): void },
): RequestLog {
  let waiting: RequestLogRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      const personOf = await peopleOf(db, rows);
      await insertLines(
        db,
        rows.map(({ phoneIndex, ...row }) => ({ ...row, person_uuid: personOf({ phoneIndex, ...row }) })),
      );
      await noteUse(home, lastUsesOf(rows));
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

const columns = sql.raw(
  [
    ...["environment", "at", "request_id", "brand_uuid", "api_key_uuid", "method", "route", "status", "error_code"],
    ...["latency_ms", "subject_uuid", "person_uuid", "warnings"],
  ].join(),
);

/** Sends all lines as one parameter, so that the statement is the same for any number of lines. */
async function insertLines(db: Database, lines: Insertable<Tables["request_log"]>[]): Promise<void> {
  await sql`
    insert into request_log (${columns})
    select ${columns} from jsonb_populate_recordset(null::request_log, ${JSON.stringify(lines)}::jsonb)`.execute(db);
}

/** Finds each line's person: the person of the brand's own subject, or else the holder of the phone in the call. */
async function peopleOf(db: Database, rows: readonly RequestLogRow[]): Promise<(row: RequestLogRow) => string | null> {
  const subjects = rows.flatMap(({ subject_uuid }) => (typeof subject_uuid === "string" ? [subject_uuid] : []));
  const indexes = rows.flatMap(({ phoneIndex }) => (phoneIndex === null ? [] : [phoneIndex]));
  const bySubject = new Map<string, string>();
  if (subjects.length > 0) {
    const { rows: found } = await sql<{ uuid: string; brand_uuid: string; person_uuid: string }>`
      select uuid, brand_uuid, person_uuid from verification where uuid = any(${subjects}::uuid[]) and person_uuid is not null
      union all
      select uuid, brand_uuid, person_uuid from one_click where uuid = any(${subjects}::uuid[]) and person_uuid is not null
      union all
      select uuid, brand_uuid, person_uuid from health_lookup where uuid = any(${subjects}::uuid[]) and person_uuid is not null`.execute(
      db,
    );
    for (const row of found) bySubject.set(`${row.brand_uuid}|${row.uuid}`, row.person_uuid);
  }
  const byPhone = new Map<string, string>();
  if (indexes.length > 0) {
    const environments = [...new Set(rows.map(({ environment }) => environment))];
    const { rows: found } = await sql<{ uuid: string; environment: string; phone_index: Buffer }>`
      select uuid, environment, phone_index from person
       where environment = any(${environments}::text[]) and phone_index = any(${indexes}::bytea[])`.execute(db);
    for (const { uuid, environment, phone_index } of found)
      byPhone.set(`${environment}|${phone_index.toString("base64")}`, uuid);
  }
  return ({ brand_uuid, environment, subject_uuid, phoneIndex }) =>
    bySubject.get(`${brand_uuid}|${subject_uuid}`) ??
    byPhone.get(`${environment}|${phoneIndex?.toString("base64")}`) ??
    null;
}

function lastUsesOf(rows: readonly RequestLogRow[]): Map<string, number> {
  const lastUses = new Map<string, number>();
  for (const { api_key_uuid, at } of rows) {
    if (typeof api_key_uuid === "string") lastUses.set(api_key_uuid, Math.max(at, lastUses.get(api_key_uuid) ?? 0));
  }
  return lastUses;
}

/** Lines per statement of a purge. */
const purgeBatchMax = 10_000;

/** Deletes the lines of an environment outside a span of time. */
export async function deleteLines(
  db: Database,
  environment: string,
  { before, after }: { before: number; after: number },
): Promise<void> {
  // Two deletions, because the index by time can't answer an `or`.
  for (const outside of [sql`at < ${before}`, sql`at > ${after}`])
    await deleteInBatches(db, "request_log", sql`environment = ${environment} and ${outside}`, purgeBatchMax);
}
