/**
 * Pages of lines in several cells. In a cell, ids increase in the order of storage, but times do not: a line may be
 * stored after one with a later time. A page therefore starts at an id in each cell.
 */
import type { ReportedCell } from "../../store/failover/replica.ts";
import type { ReportingDeps } from "./deps.ts";

/** A boundary between lines: an id for each cell number. Lines up to that id are older. Missing cells have id 0. */
export type Cut = ReadonlyMap<number, number>;
/** Which lines of one cell: the first ones after an id, or the last ones, optionally up to and including an id. */
export type LineRange = { after?: number; until?: number; max: number };
/** Which page: the newest lines, the lines before `older`, or those after `newer`. */
export type PageQuery = { older?: Cut; newer?: Cut; max: number };
type Line = { id: number; at: number };
type Placed<Row> = { cell: ReportedCell; row: Row };
type Page<Row> = {
  rows: Placed<Row>[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** The two ends of the page. */
  cursors: { older: string; newer: string };
};

/** A page, newest first: by time, then by cell. Lines of one cell keep the order of their ids. */
export async function pageOf<Row extends Line>(
  { cells }: Pick<ReportingDeps, "cells">,
  { older, newer, max }: PageQuery,
  readLines: (cell: ReportedCell, range: LineRange) => Promise<Row[]>,
): Promise<Page<Row>> {
  const goesToNewer = newer !== undefined;
  const from = newer ?? older;
  const lists = await Promise.all(
    cells.map(async (cell) => {
      const id = from?.get(cell.number) ?? 0;
      const bound = from === undefined ? {} : goesToNewer ? { after: id } : { until: id };
      // All lines of the page may come from one cell. One line more shows whether there is another page.
      return (await readLines(cell, { ...bound, max: max + 1 })).map((row) => ({ cell, row }));
    }),
  );
  const start: Cut = from ?? new Map(cells.map(({ number }, at) => [number, lists[at]?.[0]?.row.id ?? 0]));
  const merged = merge(lists, goesToNewer ? 1 : -1);
  const rows = merged.slice(0, max);
  const hasMore = merged.length > max;
  const end = new Map(start);
  for (const { cell, row } of rows) end.set(cell.number, goesToNewer ? row.id : row.id - 1);
  return {
    rows: goesToNewer ? rows.reverse() : rows,
    // The page that the reader came from always exists.
    hasOlder: goesToNewer || hasMore,
    hasNewer: goesToNewer ? hasMore : older !== undefined,
    cursors: goesToNewer
      ? { older: cursorOf(start), newer: cursorOf(end) }
      : { older: cursorOf(end), newer: cursorOf(start) },
  };
}

/** Merges lists by repeatedly taking the next line. `direction`: 1 takes the oldest first, -1 the newest first. */
function merge<Row extends Line>(lists: readonly (readonly Placed<Row>[])[], direction: 1 | -1): Placed<Row>[] {
  const [only = []] = lists;
  if (lists.length < 2) return [...only];
  const merged: Placed<Row>[] = [];
  const taken = lists.map(() => 0);
  for (;;) {
    let next: { list: number; line: Placed<Row> } | null = null;
    for (const [list, lines] of lists.entries()) {
      const line = lines[taken[list] ?? 0];
      if (line !== undefined && (next === null || compare(line, next.line) * direction < 0)) next = { list, line };
    }
    if (next === null) return merged;
    merged.push(next.line);
    taken[next.list] = (taken[next.list] ?? 0) + 1;
  }
}

function compare<Row extends Line>(a: Placed<Row>, b: Placed<Row>): number {
  return a.row.at - b.row.at || a.cell.number - b.cell.number;
}

/** The id of a line among those of all cells. */
export function lineIdOf(cell: number, id: number): string {
  return `${cell}-${id}`;
}

/** The cell and the id of a line. The contract has validated the text. */
export function lineFrom(text: string): { cell: number; id: number } {
  const [cell, id] = text.split("-").map(Number);
  return { cell: cell ?? 0, id: id ?? 0 };
}

export function cutFrom(cursor: string): Cut {
  const places = cursor.split(".").map(lineFrom);
  return new Map(places.map(({ cell, id }) => [cell, id]));
}

function cursorOf(cut: Cut): string {
  return [...cut].map(([cell, id]) => lineIdOf(cell, id)).join(".");
}
