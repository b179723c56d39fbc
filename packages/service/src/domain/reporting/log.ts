/** The request log, as a brand's members read it. */

import type { LogDetail, LogFilter, LogLine } from "@countersign/contract/dashboard-reporting";
import { catalog } from "@countersign/contract/errors";
import { dayMs } from "@countersign/contract/time";
import { deleteLines } from "../../store/request-log.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { digitsOf } from "../person-rows.ts";
import { ofEach, type ReportingDeps } from "./deps.ts";
import {
  findLine,
  isSubject,
  type Keys,
  keysOf,
  type LineRow,
  listActions,
  listLines,
  listRelated,
  peopleOf,
} from "./log-rows.ts";
import { lineIdOf, type PageQuery, pageOf } from "./pages.ts";

/** Maximum lines of a page. */
const pageMax = 50;
/** The uuid of no person. */
const nobody = "00000000-0000-0000-0000-000000000000";

export type LogPage = { brandUuid: string; filter: LogFilter } & Pick<PageQuery, "older" | "newer">;
type Found = { data: LogLine[]; hasOlder: boolean; hasNewer: boolean; cursors: { older: string; newer: string } };

/** A page of lines, newest first. New lines do not shift the pages. */
export async function searchLog(deps: ReportingDeps, { brandUuid, filter, ...cut }: LogPage): Promise<Found> {
  const { uuid } = filter;
  const hasSubject =
    uuid !== undefined && (await ofEach(deps, (db) => isSubject({ ...deps, db }, brandUuid, uuid))).includes(true);
  const { rows, ...page } = await pageOf(deps, { ...cut, max: pageMax }, async ({ db }, range) => {
    const cellDeps = { ...deps, db };
    const named = await peopleOf(cellDeps, brandUuid, filter);
    // If nobody has this phone, search for nobody. Otherwise, the time of the answer would tell whether somebody has it.
    const people = named?.length === 0 ? [nobody] : named;
    return await listLines(cellDeps, brandUuid, { filter, people, hasSubject }, range);
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
  const cellDeps = { ...deps, db };
  const row = await findLine(cellDeps, brandUuid, id);
  if (row === undefined) throw refuse(404, "No such line.");
  const actions = await listActions(cellDeps, brandUuid, row);
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
    related: row.person_uuid === null ? [] : await listRelated(cellDeps, brandUuid, row),
  };
}

const explanations: Readonly<Record<string, { cause: string; fix: string }>> = catalog;

/** The explanation of an error code. Null for a code that is no longer in the catalog. */
function explanationOf(errorCode: string | null): LogDetail["explanation"] {
  const found = errorCode === null ? undefined : explanations[errorCode];
  return found === undefined ? null : { cause: found.cause, fix: found.fix };
}

function lineOf(deps: ReportingDeps, { cell, row }: { cell: number; row: LineRow }, keys: Keys): LogLine {
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

/** How long a line of the request log is kept, by the environment's clock. */
export const logKeptMs = 30 * dayMs;

/** Deletes lines that are older than `logKeptMs`. */
export async function purgeLog({ db, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  // A line with a future time was written before the clock was set back.
  await deleteLines(db, environment, { before: now - logKeptMs, after: now + dayMs });
}
