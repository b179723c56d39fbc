/** The request log, as a brand's members read it. */
import type { LogDetail, LogFilter, LogLine } from "@countersign/contract/dashboard-reporting";
import { catalogue } from "@countersign/contract/errors";
import { sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import { refuse } from "../failure.ts";
import { digitsOf } from "../person-rows.ts";
import { ranges } from "./buckets.ts";
import { type InCell, ofEach, type ReportingDeps } from "./deps.ts";
import { linesMax, peopleOf } from "./log-people.ts";
import { lineIdOf, type PageQuery, pageOf } from "./pages.ts";

/** Maximum lines of a page, audit entries of a call, and related ids. */
const pageMax = 50;
const actionsMax = 50;
const relatedMax = 20;
/** Maximum duration of a call. A line has the time of the answer, so the call's audit entries have earlier times. */
const callMaxMs = 10 * 60_000;

export type LogPage = { brandUuid: string; filter: LogFilter } & Pick<PageQuery, "older" | "newer">;
type Found = { data: LogLine[]; hasOlder: boolean; hasNewer: boolean; cursors: { older: string; newer: string } };

/** A page of lines, newest first. New lines do not shift the pages. */
export async function searchLog(deps: ReportingDeps, { brandUuid, filter, ...cut }: LogPage): Promise<Found> {
  const { uuid } = filter;
  const hasSubject =
    uuid !== undefined && (await ofEach(deps, (db) => isSubject({ ...deps, db }, brandUuid, uuid))).includes(true);
  const { rows, ...page } = await pageOf(deps, { ...cut, max: pageMax }, async ({ db }, { after, until, max }) => {
    const cell = { ...deps, db };
    const people = await peopleOf(cell, brandUuid, filter);
    // Nobody in this cell has this phone, so no line can match.
    if (people?.length === 0) return [];
    let query = filtered(cell, brandUuid, filter, { people, hasSubject });
    if (after !== undefined) query = query.where("request_log.id", ">", after);
    if (until !== undefined) query = query.where("request_log.id", "<=", until);
    return await query
      .orderBy("request_log.id", after === undefined ? "desc" : "asc")
      .limit(max)
      .execute();
  });
  const keys = await keysOf(deps, brandUuid);
  return { data: rows.map(({ cell, row }) => lineOf(deps, { cell: cell.number, row }, keys)), ...page };
}

/** One call with its audit entries, and the other ids of its person. All of them are in the cell of the line. */
export async function readLogLine(
  deps: ReportingDeps,
  brandUuid: string,
  { cell, id }: { cell: number; id: number },
): Promise<LogDetail> {
  const db = deps.cells.find(({ number }) => number === cell)?.db;
  if (db === undefined) throw refuse(404, "No such line.");
  const here = { ...deps, db };
  const row = await linesOf(here, brandUuid).where("request_log.id", "=", id).executeTakeFirst();
  if (row === undefined) throw refuse(404, "No such line.");
  const actions = await db
    .selectFrom("audit")
    .select(["action", "one_click_uuid", "verification_uuid"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", deps.environment)
    .where("at", ">=", row.at - callMaxMs)
    .where("at", "<=", row.at)
    .where("request_id", "=", row.request_id)
    .orderBy("id")
    .limit(actionsMax)
    .execute();
  const keys = await keysOf(deps, brandUuid);
  return {
    line: lineOf(deps, { cell, row }, keys),
    requestId: row.request_id,
    keyLastFour: keys.get(row.api_key_uuid ?? "")?.last_four ?? null,
    explanation: explanationOf(row.error_code),
    warnings: row.warnings ?? [],
    actions: actions.map(({ action, one_click_uuid, verification_uuid }) => ({
      action,
      oneClickUuid: one_click_uuid,
      verificationUuid: verification_uuid,
    })),
    related: row.person_uuid === null ? [] : await relatedTo(here, brandUuid, row),
  };
}

async function relatedTo(
  deps: InCell,
  brandUuid: string,
  { person_uuid, subject_uuid }: { person_uuid: string | null; subject_uuid: string | null },
): Promise<LogDetail["related"]> {
  const rows = await deps.db
    .selectFrom("request_log")
    .select(({ fn }) => ["subject_uuid", fn.max("id").as("id"), fn.max("at").as("at"), fn.max("route").as("route")])
    .where("person_uuid", "=", person_uuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", deps.environment)
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

const explanations: Readonly<Record<string, { cause: string; fix: string }>> = catalogue;

/** The explanation of an error code. Null for a code that is no longer in the catalog. */
function explanationOf(errorCode: string | null): LogDetail["explanation"] {
  const found = errorCode === null ? undefined : explanations[errorCode];
  return found === undefined ? null : { cause: found.cause, fix: found.fix };
}

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
type Row = Awaited<ReturnType<Lines["execute"]>>[number];

/** Whether a uuid is the subject of a brand's call. If not, it may be a request id, which has no index. */
async function isSubject({ db, environment }: InCell, brandUuid: string, uuid: string): Promise<boolean> {
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

function filtered(
  deps: InCell,
  brandUuid: string,
  filter: LogFilter,
  { people, hasSubject }: { people: readonly string[] | undefined; hasSubject: boolean },
): Lines {
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

type Keys = ReadonlyMap<string, { name: string; last_four: string }>;

async function keysOf({ home, environment }: ReportingDeps, brandUuid: string): Promise<Keys> {
  const rows = await home
    .selectFrom("api_key")
    .select(["uuid", "name", "last_four"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .execute();
  return new Map(rows.map((key) => [key.uuid, key]));
}

function lineOf(deps: ReportingDeps, { cell, row }: { cell: number; row: Row }, keys: Keys): LogLine {
  const { person_uuid: uuid, data_key_uuid, wrapped, sealed } = row;
  const isKnown = uuid !== null && data_key_uuid !== null;
  return {
    id: lineIdOf(cell, row.id),
    at: row.at,
    method: row.method,
    route: row.route,
    status: row.status,
    errorCode: row.error_code,
    latencyMs: row.latency_ms,
    phoneLastFour: isKnown ? digitsOf(deps, { uuid, data_key_uuid, wrapped, sealed }) : null,
    subjectUuid: row.subject_uuid,
    keyName: keys.get(row.api_key_uuid ?? "")?.name ?? null,
  };
}
