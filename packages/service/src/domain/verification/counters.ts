/**
 * The counters in `use_count`, which all processes share: their names, and statements that change several of them at
 * once.
 */
import { type RawBuilder, sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import type { NewJob } from "../../store/queue.ts";
import { type ColumnPlaceholders, type ColumnTypes, columnsOf, recordsOf } from "../../store/rows.ts";
import type { Deps } from "../deps.ts";
import type { Cap, Phone } from "../ports.ts";

/** A text and its brand. `brandUuid`: null for the service's own sign-in texts. */
export type Texted = { phone: Phone; brandUuid: string | null };

/** Leading characters of a phone number that identify its block: `+1` and seven digits. */
const blockLength = 9;
/** Shards of a busy counter, so that transactions rarely wait for the same row lock. */
export const textParts = 16;

/**
 * The names of the counters of texts and of their answers. Each key is a shard of the counter, or a block of numbers.
 */
export const textScopes = {
  block: "text.block",
  brand: (uuid: string) => `text.brand.${uuid}`,
  signInBlock: "text.signIn.block",
  signIn: "text.signIn.all",
  verifiedInBlock: "verified.block",
  verifiedOfBrand: (uuid: string) => `verified.brand.${uuid}`,
  verifiedSignInBlock: "verified.signIn.block",
  verifiedSignIn: "verified.signIn",
};

/** Where a call comes from: what counts as one address, and as one network. */
export type CalledFrom = { address: string; network: string };

type Window = Pick<Cap, "windowMs">;

export const windowAt = (deps: Pick<Deps, "clock">, { windowMs }: Window) =>
  Math.floor(deps.clock.now() / windowMs) * windowMs;

/** Not the index that finds a person: a counter outlives a person's deletion by a day and must not identify anyone. */
export const phoneKey = (deps: Deps, phone: Phone) => deps.vault.codeHash("caps", phone);

/** The key of a caller's address or network, which is not stored in clear text. */
export const callerKey = (deps: Deps, from: string) => deps.vault.codeHash("caps", from);

/** The key of a block of a thousand numbers. SMS pumping usually uses a purchased block of numbers. */
export const blockKey = (deps: Deps, phone: Phone) => deps.vault.codeHash("caps", phone.slice(0, blockLength));

/** How long a counter is kept, milliseconds: the longest window of any limit. */
export const dayMs = 24 * 60 * 60_000;

/** The job that deletes old counters. Every transaction that counts asks for it, but only one is stored. */
export function nextPurge(deps: Pick<Deps, "clock" | "environment">): NewJob {
  const dueAt = deps.clock.now() + dayMs;
  return { environment: deps.environment, name: "verification.purgeCounts", subject: "all", dueAt, payload: {} };
}

/** One increment of a counter. `of`: the verification that causes it. */
export type Use = { environment: string; scope: string; key: Buffer; window_start: number; of: string | null };
export function useOf(
  deps: Pick<Deps, "clock" | "environment">,
  { scope, key, window, of }: Pick<Use, "scope" | "key" | "of"> & { window: Window },
): Use {
  return { environment: deps.environment, scope, key, window_start: windowAt(deps, window), of };
}

const useTypes: ColumnTypes<Use> = {
  environment: "text",
  scope: "text",
  key: "bytea",
  window_start: "bigint",
  of: "uuid",
};
const counter = ["environment", "scope", "key", "window_start"] as const;
const counterRefs = sql.join(counter.map((name) => sql.ref(name)));

/** `table`: the prefix of the columns, so that one statement can both count and uncount. */
export const useColumnsOf = (table: "use" | "guess", uses: readonly Use[]) => columnsOf(table, useTypes, uses);

/**
 * Increases counters: only for uses that match `which`, and not past `max`. Locks rows in the same order as
 * `uncountingGuesses`, to avoid deadlocks.
 */
export function countingUses(
  db: Pick<Reader, "insertInto">,
  columns: ColumnPlaceholders,
  { which, max }: { which?: RawBuilder<unknown>; max?: RawBuilder<number> } = {},
) {
  return db
    .insertInto("use_count")
    .columns([...counter, "used"])
    .expression(
      sql<Omit<Use, "of"> & { used: number }>`
        select ${counterRefs}, count(scope)::int from (${recordsOf("use", useTypes, columns, which)}) as "use"
         group by ${counterRefs} order by ${counterRefs}`,
    )
    .onConflict((conflict) => {
      const counted = conflict.columns(counter).doUpdateSet({ used: sql<number>`use_count.used + excluded.used` });
      return max === undefined ? counted : counted.where("use_count.used", "<", max);
    });
}

/** Takes guesses back. Locks rows in the same order as `countingUses`, to avoid deadlocks. */
export function uncountingGuesses(db: Pick<Reader, "updateTable">, columns: ColumnPlaceholders) {
  const guesses = recordsOf("guess", useTypes, columns);
  const taken = sql<number>`(select count(scope)::int from (${guesses}) as guess
    where (guess.scope, guess.key, guess.window_start) = (use_count.scope, use_count.key, use_count.window_start))`;
  return db
    .updateTable("use_count")
    .from(
      sql<Omit<Use, "of">>`(
        select ${counterRefs} from use_count
         where (${counterRefs}) in (select ${counterRefs} from (${guesses}) as guess)
         order by ${counterRefs} for no key update)`.as("locked"),
    )
    .set({ used: sql<number>`greatest(use_count.used - ${taken}, 0)` })
    .whereRef("use_count.environment", "=", "locked.environment")
    .whereRef("use_count.scope", "=", "locked.scope")
    .whereRef("use_count.key", "=", "locked.key")
    .whereRef("use_count.window_start", "=", "locked.window_start");
}
