/** The statements about the lines of the request log, as a brand's members read them. */

import type { LogFilter } from "@countersign/contract/dashboard-reporting";
import { minuteMs } from "@countersign/contract/time";
import { sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import { digitsOf } from "../person-rows.ts";
import { ranges } from "./buckets.ts";
import type { InCell, ReportingDeps } from "./deps.ts";
import type { LineRange } from "./pages.ts";

/** Maximum audit entries of a call, and related ids. */
const actionsMax = 50;
const relatedMax = 20;
/** Maximum duration of a call. A line has the time of the answer, so the call's audit entries have earlier times. */
const callMaxMs = 10 * minuteMs;

function linesOf({ db, environment }: InCell, brandUuid: string) {
  const reader: Reader = db;
  return reader
    .selectFrom("request_log")
    .leftJoin("person", "person.uuid", "request_log.person_uuid")
    .leftJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .selectAll("request_log")
    .select(["person.sealed", "person.data_key_uuid", "data_key.wrapped"])
    .where("request_log.brand_uuid", "=", brandUuid)
    .where("request_log.environment", "=", environment);
}

type Lines = ReturnType<typeof linesOf>;
export type LineRow = Awaited<ReturnType<Lines["execute"]>>[number];
/** `people`: only lines about these. `hasSubject`: whether the filter's uuid is a subject instead of a request id. */
type Narrowed = { filter: LogFilter; people: readonly string[] | undefined; hasSubject: boolean };

/** The first lines of a cell after an id, oldest first, or its last lines, newest first. */
export async function listLines(
  deps: InCell,
  brandUuid: string,
  narrowed: Narrowed,
  { after, until, max }: LineRange,
): Promise<LineRow[]> {
  let query = filtered(deps, brandUuid, narrowed);
  if (after !== undefined) query = query.where("request_log.id", ">", after);
  if (until !== undefined) query = query.where("request_log.id", "<=", until);
  return await query
    .orderBy("request_log.id", after === undefined ? "desc" : "asc")
    .limit(max)
    .execute();
}

/** One line of a brand. */
export async function findLine(deps: InCell, brandUuid: string, id: number): Promise<LineRow | undefined> {
  return await linesOf(deps, brandUuid).where("request_log.id", "=", id).executeTakeFirst();
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

const statuses = { succeeded: [100, 399], refused: [400, 499], broken: [500, 599] } as const;

/** Request ids have no index, so a search reads only a brand's latest calls. */
function oldestSearched({ environment }: InCell, brandUuid: string) {
  return sql<number>`(
    select coalesce(min(id), 0)
      from (select id from request_log where brand_uuid = ${brandUuid} and environment = ${environment}
             order by id desc limit ${linesMax}) as latest)`;
}

function filtered(deps: InCell, brandUuid: string, { filter, people, hasSubject }: Narrowed): Lines {
  const { status, statusCode, errorCode, method, route, uuid, range, to } = filter;
  const from = filter.from ?? (range === undefined ? undefined : deps.clock.now() - ranges[range].ms);
  let query = linesOf(deps, brandUuid);
  if (status !== undefined) {
    const [least, most] = statuses[status];
    query = query.where("request_log.status", ">=", least).where("request_log.status", "<=", most);
  }
  if (statusCode !== undefined) query = query.where("request_log.status", "=", statusCode);
  if (errorCode !== undefined) query = query.where("request_log.error_code", "=", errorCode);
  if (method !== undefined) query = query.where("request_log.method", "=", method);
  if (route !== undefined)
    query = query.where(({ fn, ref, val, eb }) =>
      eb(fn<number>("strpos", [ref("request_log.route"), val(route)]), ">", 0),
    );
  if (uuid !== undefined)
    query = hasSubject
      ? query.where("request_log.subject_uuid", "=", uuid)
      : query
          .where("request_log.request_id", "=", uuid.toLowerCase())
          .where("request_log.id", ">=", oldestSearched(deps, brandUuid));
  if (from !== undefined) query = query.where("request_log.at", ">=", from);
  if (to !== undefined) query = query.where("request_log.at", "<", to);
  return people === undefined ? query : query.where("request_log.person_uuid", "in", people);
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

/**
 * Maximum number of a brand's latest calls, and of the people in them, that a search by last digits reads. The digits
 * are sealed, so each person must be decrypted.
 */
const linesMax = 20_000;
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
                     order by id desc limit ${linesMax}) as latest
             where person_uuid is not null
             group by person_uuid order by 2 desc limit ${peopleMax}) as called
      join person on person.uuid = called.person_uuid
      join data_key on data_key.uuid = person.data_key_uuid`.execute(deps.db);
  return rows.filter((row) => digitsOf(deps, row) === lastFour).map(({ uuid }) => uuid);
}
