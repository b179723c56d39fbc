import type { Keyed } from "./database.ts";

/** The databases of keyed rows (see `store-kinds.ts`). Every row is in the database that its key selects. */
export type KeyedStores = {
  /** The database of the row with this key. */
  keyed(key: string): Keyed;
  /** Where the row was before its key got another database, for a day after that. Null otherwise. */
  formerly(key: string): Keyed | null;
  /** All of them: for lists, and for deletions by something else than the key, such as a person. */
  everyKeyed(): readonly Keyed[];
};

/** Finds a row where its key selects its database. In the day after the key got another database, looks in the former first. */
export async function findKeyed<Row>(
  { keyed, formerly }: Pick<KeyedStores, "keyed" | "formerly">,
  key: string,
  find: (keyed: Keyed) => Promise<Row | null>,
): Promise<Row | null> {
  const former = formerly(key);
  const earlier = former === null ? null : await find(former);
  return earlier ?? (await find(keyed(key)));
}
