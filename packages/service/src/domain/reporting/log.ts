/** The request log, as a brand's members read it. */

import {
  type LogDetail,
  type LogFilter,
  type LogHistogram,
  type LogLine,
  logSearchedMax,
} from "@countersign/contract/dashboard-reporting";
import { catalog } from "@countersign/contract/errors";
import { dayMs } from "@countersign/contract/time";
import { deleteLines } from "../../store/request-log.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { digitsOf } from "../person-rows.ts";
import { type InCell, ofEach, type ReportingDeps } from "./deps.ts";
import {
  countLines,
  countSearched,
  findLine,
  isSubject,
  type Keys,
  keysOf,
  type LineRow,
  listActions,
  listLines,
  listRelated,
  peopleOf,
  timesOf,
} from "./log-rows.ts";
import { lineIdOf, type PageQuery, pageOf } from "./pages.ts";

/** Maximum lines of a page. */
const pageMax = 50;
/** The uuid of no person. */
const nobody = "00000000-0000-0000-0000-000000000000";

export type LogPage = { brandUuid: string; filter: LogFilter } & Pick<PageQuery, "older" | "newer">;
type Found = { data: LogLine[]; hasOlder: boolean; hasNewer: boolean; cursors: { older: string; newer: string } };

/** What a filter of the log names, in one cell. */
async function narrowedBy(
  cell: InCell,
  brandUuid: string,
  { filter, hasSubject }: { filter: LogFilter; hasSubject: boolean },
) {
  const named = await peopleOf(cell, brandUuid, filter);
  // If nobody has this phone, search for nobody. Otherwise, the time of the answer would tell whether somebody has it.
  return { filter, hasSubject, people: named?.length === 0 ? [nobody] : named };
}

async function isSubjectAnywhere(deps: ReportingDeps, brandUuid: string, { uuid }: LogFilter): Promise<boolean> {
  if (uuid === undefined) return false;
  return (await ofEach(deps, (db) => isSubject({ ...deps, db }, brandUuid, uuid))).includes(true);
}

/** Lengths of a bar, in milliseconds, and the most bars that a histogram has. */
const seconds = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400];
const barSizes = seconds.map((one) => one * 1_000);
const barsMax = 60;
const kinds = ["succeeded", "refused", "broken"] as const;

/** How many calls match a filter, over time. It reads a bounded number of lines in each cell. */
export async function countLog(
  deps: ReportingDeps,
  { brandUuid, filter }: { brandUuid: string; filter: LogFilter },
): Promise<LogHistogram> {
  const hasSubject = await isSubjectAnywhere(deps, brandUuid, filter);
  const cells = await ofEach(deps, async (db) => {
    const cell = { ...deps, db };
    const narrowed = await narrowedBy(cell, brandUuid, { filter, hasSubject });
    return { cell, narrowed, ...(await countSearched(cell, brandUuid, narrowed)) };
  });
  const now = deps.clock.now();
  const asked = timesOf(deps, filter);
  const to = asked.to ?? now + 1;
  const oldest = (some: typeof cells) => some.flatMap((one) => one.oldest ?? []);
  // A cell that has more lines is counted from its oldest one on, so all cells are.
  const full = oldest(cells.filter(({ lines }) => lines >= logSearchedMax));
  const isWhole = full.length === 0;
  const since = isWhole ? (asked.from ?? Math.min(to - 1, ...oldest(cells))) : Math.max(...full);
  const bucketMs = barSizes.find((size) => (to - since) / size < barsMax) ?? Math.ceil((to - since) / barsMax);
  const from = Math.floor(since / bucketMs) * bucketMs;
  const bars = new Map<number, LogHistogram["bars"][number]>();
  const counts = await Promise.all(cells.map((one) => countLines(one.cell, brandUuid, one.narrowed, bucketMs)));
  for (const { at, status, lines } of counts.flat()) {
    if (at < from) continue;
    const bar = bars.get(at) ?? { at, succeeded: 0, refused: 0, broken: 0 };
    bar[kinds[Math.max(0, status - 3)] ?? "broken"] += lines;
    bars.set(at, bar);
  }
  const inOrder = [...bars.values()].sort((a, b) => a.at - b.at);
  return { from, to: Math.ceil(to / bucketMs) * bucketMs, bucketMs, bars: inOrder, isWhole };
}

/** A page of lines, newest first. New lines do not shift the pages. */
export async function searchLog(deps: ReportingDeps, { brandUuid, filter, ...cut }: LogPage): Promise<Found> {
  const hasSubject = await isSubjectAnywhere(deps, brandUuid, filter);
  const { rows, ...page } = await pageOf(deps, { ...cut, max: pageMax }, async ({ db }, range) => {
    const cell = { ...deps, db };
    return await listLines(cell, brandUuid, await narrowedBy(cell, brandUuid, { filter, hasSubject }), range);
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
