import type { Keyed } from "../database.ts";

/** The databases of keyed rows (see `store-kinds.ts`). The key of a row selects its database. */
export type KeyedStores = {
  /** The database of the row with this key. */
  of(key: string): Keyed;
  /** The database that had the key before it moved, for a day after the move. Otherwise null. */
  formerly(key: string): Keyed | null;
  /** All databases: for lists, and for deletions by something other than the key, such as a person. */
  every(): readonly Keyed[];
};

/**
 * Finds a row in the database that its key selects. For a day after the key moved, looks in the former database first.
 */
export async function findKeyed<Row>(
  { keyed }: { keyed: Pick<KeyedStores, "of" | "formerly"> },
  key: string,
  find: (keyed: Keyed) => Promise<Row | null>,
): Promise<Row | null> {
  const former = keyed.formerly(key);
  const earlier = former === null ? null : await find(former);
  return earlier ?? (await find(keyed.of(key)));
}
