import type { Deps, HomeDeps } from "./deps.ts";

/** Asks all cells at once. Answers are in the order of the cells. Throws 503 if a cell cannot be reached. */
export async function everyCell<Answer>(
  { cells }: Pick<HomeDeps, "cells">,
  ask: (cell: Deps) => Promise<Answer>,
): Promise<Answer[]> {
  return await Promise.all(cells.all().map(ask));
}

/** Merges the lists of several cells, each newest first. Rows of one cell keep their order. */
export function newest<Row>(lists: readonly Row[][], at: (row: Row) => number, max: number): Row[] {
  const [only = []] = lists;
  if (lists.length < 2) return only.slice(0, max);
  return lists
    .flat()
    .sort((a, b) => at(b) - at(a))
    .slice(0, max);
}
