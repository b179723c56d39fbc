import { sql } from "kysely";
import type { Database, Home } from "./database.ts";
import { isDatabaseOutage } from "./outage.ts";
import { joined } from "./serial.ts";
import { deleteInBatches } from "./statements/deletes.ts";
import { insertRows, type NewRow } from "./statements/rows.ts";

/** A log line and the index of the call's phone, which finds the person at write time and is not stored. */
type RequestLogRow = Omit<NewRow<"request_log">, "person_uuid"> & { phoneIndex: Buffer | null };
/**
 * Collects log lines and writes them in the background. A crash or a long outage of the database can lose lines, but
 * never the record of a release.
 */
export type RequestLog = { add(row: RequestLogRow): void; close(): Promise<void> };

const flushMs = 250;
/** Lines per statement. Further lines wait for the next statement. */
const batchMax = 500;
/** Maximum number of waiting lines of a cell. Beyond it, the oldest lines are dropped to limit memory use. */
const waitingMax = 20_000;

/** Stores the last use of each API key since the previous call. */
type NoteUse = (home: Home, lastUses: ReadonlyMap<string, number>) => Promise<void>;
/** What a line is about. It selects the cell of the line. */
export type LineSubject = { subjectUuid: string | null; phoneIndex: Buffer | null; brandUuid: string | null };
/**
 * A line is in the cell of its subject or its phone, where the person and the audit entries are. Otherwise it is in a
 * cell of the brand.
 */
type Stores = { home: Home; cellOf(subject: LineSubject): number; dbOf(cell: number): Database };
/**
 * The journeys whose 1-Clicks do not tell the brand who the person is, so their lines have no person. `anonymous`: never.
 * `open`: not until the phone is proven, because anyone can type a phone on their page.
 */
type HidingPerson = { anonymous: readonly string[]; open: readonly string[] };
type Reporting = { noteUse: NoteUse; onError(error: unknown): void; hidingPerson: HidingPerson };

/** Each cell has its own queue, so a slow or unreachable cell does not delay the lines of others. */
export function openRequestLog(
  { home, cellOf, dbOf }: Stores,
  { noteUse, onError, hidingPerson }: Reporting,
): RequestLog {
  const queues = new Map<number, Queue>();
  let uses = new Map<string, number>();
  const use = (key: string, at: number) => uses.set(key, Math.max(at, uses.get(key) ?? 0));
  const noteUses = async () => {
    const lastUses = uses;
    uses = new Map();
    if (lastUses.size === 0) return;
    try {
      await noteUse(home, lastUses);
    } catch (error) {
      for (const [key, at] of lastUses) use(key, at);
      throw error;
    }
  };
  const note = joined(() => noteUses().catch(onError));
  const write = () => Promise.all([...[...queues.values()].map((queue) => queue.write()), note()]);
  const timer = setInterval(() => void write(), flushMs);
  timer.unref();
  return {
    add(row) {
      const { subject_uuid: subjectUuid = null, phoneIndex, brand_uuid: brandUuid = null, api_key_uuid: key, at } = row;
      const cell = cellOf({ subjectUuid, phoneIndex, brandUuid });
      const queue = queues.get(cell) ?? openQueue(() => dbOf(cell), { onError, hidingPerson });
      queues.set(cell, queue);
      queue.add(row);
      if (typeof key === "string") use(key, at);
    },
    async close() {
      clearInterval(timer);
      // The first call waits for a write in progress, and the second writes the lines added since.
      await write();
      await write();
    },
  };
}

type Queue = { add(row: RequestLogRow): void; write(): Promise<void> };

function openQueue(db: () => Database, { onError, hidingPerson }: Omit<Reporting, "noteUse">): Queue {
  const waiting = openRing<RequestLogRow>(waitingMax);
  const write = async () => {
    while (waiting.size() > 0) {
      // This throws while the cell is not open, so take the lines after it.
      const cell = db();
      const rows = waiting.take(batchMax);
      let isCommitting = false;
      try {
        const personOf = await peopleOf(cell, rows, hidingPerson);
        const lines = rows.map(({ phoneIndex, ...row }) => ({ ...row, person_uuid: personOf({ phoneIndex, ...row }) }));
        await cell.inTransaction(async (trx) => {
          await insertRows(trx, "request_log", lines);
          isCommitting = true;
        });
      } catch (error) {
        // A commit without an answer may have stored the lines. Lines that the database refuses would be refused again.
        if (!isCommitting && isDatabaseOutage(error)) waiting.putBack(rows);
        throw error;
      }
    }
  };
  return { add: waiting.add, write: joined(() => write().catch(onError)) };
}

/**
 * The newest `max` items, oldest first. Nothing moves when an item is added or taken, because a full queue during an
 * outage gets thousands of lines a second.
 */
function openRing<Item>(max: number) {
  const items: (Item | undefined)[] = [];
  let first = 0;
  let size = 0;
  return {
    size: () => size,
    add(item: Item): void {
      items[(first + size) % max] = item;
      if (size < max) size += 1;
      else first = (first + 1) % max;
    },
    /** Removes the oldest items, at most `count`. */
    take(count: number): Item[] {
      const taken: Item[] = [];
      for (; size > 0 && taken.length < count; size -= 1) {
        taken.push(items[first] as Item);
        items[first] = undefined;
        first = (first + 1) % max;
      }
      return taken;
    },
    /** Adds items that are older than all others. If they do not fit, the oldest of them are dropped. */
    putBack(older: readonly Item[]): void {
      const fitting = older.slice(Math.max(0, older.length - (max - size)));
      first = (first - fitting.length + max) % max;
      size += fitting.length;
      for (const [at, item] of fitting.entries()) items[(first + at) % max] = item;
    },
  };
}

/**
 * Finds the person of each line: by the subject if it is the brand's own, otherwise by the phone if the brand knows its
 * holder.
 */
async function peopleOf(
  db: Database,
  rows: readonly RequestLogRow[],
  hidingPerson: HidingPerson,
): Promise<(row: RequestLogRow) => string | null> {
  const subjects = rows.flatMap(({ subject_uuid }) => (typeof subject_uuid === "string" ? [subject_uuid] : []));
  const bySubject = new Map<string, { person_uuid: string; agreed: boolean }>();
  if (subjects.length > 0) {
    const { rows: found } = await sql<{ uuid: string; brand_uuid: string; person_uuid: string; agreed: boolean }>`
      select uuid, brand_uuid, person_uuid, ${hasAgreed("verification")} as agreed
        from verification where uuid = any(${subjects}::uuid[]) and person_uuid is not null
         and ${showsPerson("verification", hidingPerson)}
      union all
      select uuid, brand_uuid, person_uuid, true
        from one_click where uuid = any(${subjects}::uuid[]) and person_uuid is not null and not ${hidesPerson("one_click", hidingPerson)}
      union all
      select uuid, brand_uuid, person_uuid, true
        from health_lookup where uuid = any(${subjects}::uuid[]) and person_uuid is not null`.execute(db);
    for (const row of found) bySubject.set(`${row.brand_uuid}|${row.uuid}`, row);
  }
  const others = rows.filter(
    ({ brand_uuid, subject_uuid, phoneIndex }) =>
      phoneIndex !== null && !bySubject.has(`${brand_uuid}|${subject_uuid}`),
  );
  const byPhone = await holdersKnown(db, others, hidingPerson);
  return (row) => {
    const found = bySubject.get(`${row.brand_uuid}|${row.subject_uuid}`);
    if (found === undefined) return byPhone.get(phoneOf(row)) ?? null;
    // Only these calls show that the key may know the verification. A brand chooses the ids of its credentials.
    const isKnown = row.status < 400 && /\/verifications|\/client\/1-click$/.test(row.route);
    return found.agreed || isKnown ? found.person_uuid : null;
  };
}

/** Whether a 1-Click does not tell the brand who the person is. */
function hidesPerson(oneClick: string, { anonymous, open }: HidingPerson) {
  const [journey, state] = [sql.ref(`${oneClick}.journey`), sql.ref(`${oneClick}.state`)];
  return sql`(${journey} = any(${anonymous}::text[]) or (${state} = 'awaitingProof' and ${journey} = any(${open}::text[])))`;
}

/** Whether no 1-Click of a verification hides the person. */
function showsPerson(verification: string, hidingPerson: HidingPerson) {
  const uuid = sql.ref(`${verification}.uuid`);
  return sql`not exists (select from one_click c where c.verification_uuid = ${uuid} and ${hidesPerson("c", hidingPerson)})`;
}

/**
 * Whether a person agreed to more than a verification by device, which a frame begins before they agree to anything. The
 * brand's key cannot read that one, so a refused read of it must not confirm a phone.
 */
function hasAgreed(verification: string) {
  const [uuid, channel] = [sql.ref(`${verification}.uuid`), sql.ref(`${verification}.channel`)];
  // PostgreSQL could answer "exists" beside "or" by reading the whole table, but not a query of one row.
  const wentOn = sql`(select true from one_click c where c.verification_uuid = ${uuid} limit 1) is true`;
  return sql<boolean>`(${channel} not in ('autofill', 'silent') or ${wentOn})`;
}

type OfPhone = Pick<RequestLogRow, "environment" | "brand_uuid" | "phoneIndex">;
const phoneOf = ({ environment, brand_uuid, phoneIndex }: OfPhone) =>
  `${environment}|${brand_uuid}|${phoneIndex?.toString("base64")}`;

/**
 * The holders of the phones in calls, if the brand has something about them. Otherwise, a refused call would tell the
 * brand whether other brands know the phone.
 */
async function holdersKnown(
  db: Database,
  rows: readonly OfPhone[],
  hidingPerson: HidingPerson,
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const { rows: found } = await sql<{ environment: string; brand_uuid: string; phone_index: Buffer; uuid: string }>`
    select call.environment, call.brand_uuid, call.phone_index, holder.uuid
      from unnest(
             ${rows.map(({ environment }) => environment)}::text[],
             ${rows.map(({ brand_uuid }) => brand_uuid)}::uuid[],
             ${rows.map(({ phoneIndex }) => phoneIndex)}::bytea[]) as call (environment, brand_uuid, phone_index)
     cross join lateral (
           select uuid from person
            where person.environment = call.environment and person.phone_index = call.phone_index
            order by generation desc limit 1) as holder
     where exists (select from verification v where v.person_uuid = holder.uuid and v.brand_uuid = call.brand_uuid
                     and ${showsPerson("v", hidingPerson)} and ${hasAgreed("v")})
        or exists (select from one_click o where o.person_uuid = holder.uuid and o.brand_uuid = call.brand_uuid
                     and not ${hidesPerson("o", hidingPerson)})
        or exists (select from health_lookup h where h.person_uuid = holder.uuid and h.brand_uuid = call.brand_uuid)
        or exists (select from issued_credential i where i.person_uuid = holder.uuid and i.brand_uuid = call.brand_uuid)`.execute(
    db,
  );
  return new Map(found.map(({ phone_index, uuid, ...of }) => [phoneOf({ ...of, phoneIndex: phone_index }), uuid]));
}

/** Lines per statement of a purge. */
const purgeBatchMax = 10_000;

/** Deletes the lines of an environment outside a time span. */
export async function deleteLines(
  db: Database,
  environment: string,
  { before, after }: { before: number; after: number },
): Promise<void> {
  // Two deletions, because the index by time can't answer an `or`.
  for (const outside of [sql`at < ${before}`, sql`at > ${after}`])
    await deleteInBatches(db, "request_log", sql`environment = ${environment} and ${outside}`, purgeBatchMax);
}
