import type { Keyed } from "./database.ts";

/** The databases of keyed rows (see `holders.ts`). Every row is in the database that its key selects. */
export type KeyedStores = {
  /** The database of the row with this key. */
  keyed(key: string): Keyed;
  /** Where the row was before its key got another database, for a day after that. Null otherwise. */
  formerly(key: string): Keyed | null;
  /** Those that are open: for lists, and for deletions by something else than the key, such as a person. */
  everyKeyed(): readonly Keyed[];
};
