/** The statements about the lines of the request log, as a brand's members read them. */

import { type LogFilter, logSearchedMax } from "@countersign/contract/dashboard-reporting";
import { minuteMs } from "@countersign/contract/time";
import { type RawBuilder, sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import type { StoredRow } from "../../store/statements/rows.ts";
import { digitsOf } from "../person-rows.ts";
import { ranges } from "./buckets.ts";
import type { InCell, ReportingDeps } from "./deps.ts";
import type { LineRange } from "./pages.ts";

/** Maximum audit entries of a call, and related ids. */
const actionsMax = 50;
const relatedMax = 20;
/** Maximum duration of a call. A line has the time of the answer, so the call's audit entries have earlier times. */
const callMaxMs = 10 * minuteMs;

type StoredLine = StoredRow<"request_log">;
export type LineRow = StoredLine & {
  sealed: Buffer | null;
  data_key_uuid: string | null;
  wrapped: Buffer | null;
};
/** `people`: only lines about these. `hasSubject`: whether the filter's uuid is a subject instead of a request id. */
type Narrowed = { filter: LogFilter; people: readonly string[] | undefined; hasSubject: boolean };

/** The first lines of a cell after an id, oldest first, or its last lines, newest first. */
export async function listLines(
  deps: InCell,
  brandUuid: string,
  narrowed: Narrowed,
  { max, ...cut }: LineRange,
): Promise<LineRow[]> {
  const direction = cut.after === undefined ? "desc" : "asc";
  const lines = matching(deps, searched(deps, brandUuid, narrowed, cut), narrowed).selectAll();
  const page = lines.orderBy("id", direction).limit(max);
  return await withPeople(deps, sql`(${page})`).orderBy("request_log.id", direction).execute();
}

/** Lines with what the last four digits of their people are read from. */
function withPeople({ db }: InCell, lines: RawBuilder<unknown>) {
  const reader: Reader = db;
  return reader
    .selectFrom(sql<StoredLine>`${lines}`.as("request_log"))
    .leftJoin("person", "person.uuid", "request_log.person_uuid")
    .leftJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .selectAll("request_log")
    .select(["person.sealed", "person.data_key_uuid", "data_key.wrapped"]);
}

/** One line of a brand. */
export async function findLine(deps: InCell, brandUuid: string, id: number): Promise<LineRow | undefined> {
  return await withPeople(deps, sql`request_log`)
    .where("request_log.brand_uuid", "=", brandUuid)
    .where("request_log.environment", "=", deps.environment)
    .where("request_log.id", "=", id)
    .executeTakeFirst();
}

/** The audit entries of a call. */
export async function listActions({ db, environment }: InCell, brandUuid: string, row: LineRow) {
  return await db
    .selectFrom("audit")
    .select(["action", "one_click_uuid", "verification_uuid"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("at", ">=", row.at - callMaxMs)
    .where("at", "<=", row.at)
    .where("request_id", "=", row.request_id)
    .orderBy("id")
    .limit(actionsMax)
    .execute();
}

/** The other subjects of a brand's calls about a person, newest first. */
export async function listRelated(
  { db, environment }: InCell,
  brandUuid: string,
  { person_uuid, subject_uuid }: Pick<LineRow, "person_uuid" | "subject_uuid">,
) {
  const rows = await db
    .selectFrom("request_log")
    .select(({ fn }) => ["subject_uuid", fn.max("id").as("id"), fn.max("at").as("at"), fn.max("route").as("route")])
    .where("person_uuid", "=", person_uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("subject_uuid", "is not", null)
    .groupBy("subject_uuid")
    .orderBy("id", "desc")
    .limit(relatedMax + 1)
    .execute();
  return rows
    .flatMap(({ subject_uuid: uuid, at, route }) =>
      uuid === null || uuid === subject_uuid ? [] : [{ uuid, at: Number(at), route }],
    )
    .slice(0, relatedMax);
}

/** Whether a uuid is the subject of a brand's call. If not, it may be a request id, which has no index. */
export async function isSubject({ db, environment }: InCell, brandUuid: string, uuid: string): Promise<boolean> {
  const found = await db
    .selectFrom("request_log")
    .select("id")
    .where("subject_uuid", "=", uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** When a search begins and ends. Undefined: no bound. */
export function timesOf({ clock }: Pick<InCell, "clock">, { range, from, to }: LogFilter) {
  return { from: from ?? (range === undefined ? undefined : clock.now() - ranges[range].ms), to };
}

/** Whether a filter can match failed calls only. They have an index. */
function isOfFailures({ status, statusCode, errorCode }: LogFilter): boolean {
  const isOfOutcome = status !== undefined && status !== "succeeded";
  return isOfOutcome || errorCode !== undefined || (statusCode ?? 0) >= 400;
}

/**
 * The lines that a search reads: at most `logSearchedMax`, the newest ones of its time, or the first ones after an id.
 * Most filters have no index, so without this bound a search for something rare would read the whole log.
 */
function searched(
  deps: InCell,
  brandUuid: string,
  { filter, people, hasSubject }: Narrowed,
  { after, until }: Omit<LineRange, "max"> = {},
): RawBuilder<unknown> {
  const { environment } = deps;
  const { from, to } = timesOf(deps, filter);
  const parts = [
    sql`brand_uuid = ${brandUuid} and environment = ${environment}`,
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`]),
    ...(hasSubject ? [sql`subject_uuid = ${filter.uuid}::uuid`] : []),
    ...(people === undefined ? [] : [sql`person_uuid = any(${people}::uuid[])`]),
    // Written out, because the planner must see that the indexes of failed calls fit.
    ...(isOfFailures(filter) ? [sql`status >= 400`] : []),
    ...(after === undefined ? [] : [sql`id > ${after}`]),
    ...(until === undefined ? [] : [sql`id <= ${until}`]),
  ];
  // Each order is that of the index which finds these lines.
  const hasOwnIndex = hasSubject || people !== undefined || (from === undefined && to === undefined);
  const order = after !== undefined ? sql`id` : hasOwnIndex ? sql`id desc` : sql`at desc`;
  return sql`(select * from request_log where ${sql.join(parts, sql` and `)} order by ${order} limit ${logSearchedMax})`;
}

const statuses = { succeeded: [100, 399], failed: [400, 599], refused: [400, 499], broken: [500, 599] } as const;

/** Those of some lines that match the rest of a filter. */
function matching({ db }: InCell, lines: RawBuilder<unknown>, { filter, hasSubject }: Narrowed) {
  const { status, statusCode, errorCode, method, route, uuid } = filter;
  const reader: Reader = db;
  let query = reader.selectFrom(sql<StoredLine>`${lines}`.as("request_log"));
  if (status !== undefined) {
    const [least, most] = statuses[status];
    query = query.where("status", ">=", least).where("status", "<=", most);
  }
  if (statusCode !== undefined) query = query.where("status", "=", statusCode);
  if (errorCode !== undefined) query = query.where("error_code", "=", errorCode);
  if (method !== undefined) query = query.where("method", "=", method);
  if (route !== undefined)
    query = query.where(({ fn, ref, val, eb }) => eb(fn<number>("strpos", [ref("route"), val(route)]), ">", 0));
  if (uuid !== undefined && !hasSubject) query = query.where("request_id", "=", uuid.toLowerCase());
  return query;
}

/** How many lines a count reads in a cell, at most `logSearchedMax`, and when the oldest of them was. */
export async function countSearched(deps: InCell, brandUuid: string, narrowed: Narrowed) {
  return await deps.db
    .selectFrom(sql<StoredLine>`${searched(deps, brandUuid, narrowed)}`.as("request_log"))
    .select(({ fn }) => [fn.countAll<number>().as("lines"), fn.min<number | null>("at").as("oldest")])
    .executeTakeFirstOrThrow();
}

export type LineCount = { at: number; status: number; lines: number };

/** The matching lines of a cell per bucket of time and hundred of the status. `at`: when a bucket begins. */
export async function countLines(
  deps: InCell,
  brandUuid: string,
  narrowed: Narrowed,
  sizeMs: number,
): Promise<LineCount[]> {
  const lines = matching(deps, searched(deps, brandUuid, narrowed), narrowed);
  return await lines
    .select(sql<number>`(at / ${sizeMs}::bigint * ${sizeMs}::bigint)::bigint`.as("at"))
    .select([sql<number>`status / 100`.as("status"), sql<number>`count(*)::int`.as("lines")])
    .groupBy([sql`1`, sql`2`])
    .execute();
}

/** A brand's API keys, by uuid. */
export type Keys = ReadonlyMap<string, { name: string; last_four: string }>;

export async function keysOf({ home, environment }: ReportingDeps, brandUuid: string): Promise<Keys> {
  const rows = await home
    .selectFrom("api_key")
    .select(["uuid", "name", "last_four"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .execute();
  return new Map(rows.map((key) => [key.uuid, key]));
}

/** Maximum number of people whose sealed digits a search by last digits opens. */
const peopleMax = 1_000;

/**
 * The people of a cell that a filter names by a phone or by last digits, without deleted ones. Undefined if it names
 * none.
 */
export async function peopleOf(
  deps: InCell,
  brandUuid: string,
  { phone, lastFour }: LogFilter,
): Promise<readonly string[] | undefined> {
  if (phone !== undefined) return await holdersOf(deps, phone);
  return lastFour === undefined ? undefined : await withDigits(deps, brandUuid, lastFour);
}

/** The current holder of a phone, if there is one. */
async function holdersOf({ db, vault, environment }: InCell, phone: string): Promise<string[]> {
  const rows = await db
    .selectFrom("person")
    .select("uuid")
    .where("environment", "=", environment)
    .where("phone_index", "=", vault.index("phone", environment, phone))
    .orderBy("generation", "desc")
    .limit(1)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

type Person = { uuid: string; data_key_uuid: string; sealed: Buffer | null; wrapped: Buffer | null };

async function withDigits(deps: InCell, brandUuid: string, lastFour: string): Promise<string[]> {
  const { rows } = await sql<Person>`
    select person.uuid, person.data_key_uuid, person.sealed, data_key.wrapped
      from (select person_uuid, max(id) as id
              from (select person_uuid, id from request_log
                     where brand_uuid = ${brandUuid} and environment = ${deps.environment}
                     order by id desc limit ${logSearchedMax}) as latest
             where person_uuid is not null
             group by person_uuid order by 2 desc limit ${peopleMax}) as called
      join person on person.uuid = called.person_uuid
      join data_key on data_key.uuid = person.data_key_uuid`.execute(deps.db);
  return rows.filter((row) => digitsOf(deps, row) === lastFour).map(({ uuid }) => uuid);
}
