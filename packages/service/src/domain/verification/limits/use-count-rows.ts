/**
 * Counters that all processes share: texts, answers, wrong codes and more. Their names, keys and time windows, and every
 * statement about their table `use_count`. Each statement locks its counters in the order of their keys, to avoid
 * deadlocks.
 */
import { dayMs } from "@countersign/contract/time";
import { type Selectable, sql } from "kysely";
import type { AnyReader, Trx } from "../../../store/database.ts";
import {
  type ColumnPlaceholders,
  columnsIn,
  columnsOf,
  insertedValues,
  recordsOf,
} from "../../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../../store/statements/statement.ts";
import type { Tables } from "../../../store/statements/tables.ts";
import type { Deps } from "../../deps.ts";
import type { OpenPage } from "../../journey.ts";
import type { Cap, Phone } from "../../ports.ts";

type Stored = Selectable<Tables["use_count"]>;
/** One increment of a counter. */
export type Use = Omit<Stored, "used">;

/**
 * A text and its brand. `brandUuid`: null for the service's own sign-in texts. `openPage`: the page on which a stranger
 * may have requested it; such texts have their own counters, so strangers cannot use up the brands' texts.
 */
export type Texted = { phone: Phone; brandUuid: string | null; openPage?: OpenPage | null };

/** Leading characters of a phone number that identify its block: `+1` and seven digits. */
const blockLength = 9;
/** Shards of a busy counter, so that transactions rarely wait for the same row lock. */
export const textParts = 16;

/**
 * The names of the counters of texts and of their answers. Each key is a shard of the counter, or a block of numbers.
 */
export const textScopes = {
  phone: (texted: Texted, windowMs: number) => `text.${of(texted)}phone.${windowMs}`,
  block: (texted: Texted) => `text.${of(texted)}block`,
  brand: (texted: Texted) => `text.${of(texted)}brand.${texted.brandUuid}`,
  all: (texted: Texted) => `text.${of(texted)}all`,
  signInBlock: "text.signIn.block",
  signIn: "text.signIn.all",
  verifiedInBlock: (texted: Texted) => `verified.${of(texted)}block`,
  verifiedOfBrand: (texted: Texted) => `verified.${of(texted)}brand.${texted.brandUuid}`,
  verifiedSignInBlock: "verified.signIn.block",
  verifiedSignIn: "verified.signIn",
};

const of = ({ openPage }: Texted) => (openPage ? `${openPage}.` : "");

/** Where a call comes from: its address and its network, as they are counted. */
export type CalledFrom = { address: string; network: string };

type Window = Pick<Cap, "windowMs">;

export const windowAt = (deps: Pick<Deps, "clock">, { windowMs }: Window) =>
  Math.floor(deps.clock.now() / windowMs) * windowMs;

/**
 * The key of a phone's counters. It differs from the index that finds a person, because counters outlive a deletion by
 * up to a day and must not identify anyone.
 */
export const phoneKey = (deps: Deps, phone: Phone) => deps.vault.keyedHash("caps", phone);

/** The key of a caller's address, network or session. A hash, so that none is stored in plain text. */
export const callerKey = (deps: Pick<Deps, "vault">, from: string) => deps.vault.keyedHash("caps", from);

/** The key of the alarm about a brand's texts. */
export const brandKey = (texted: Texted) => Buffer.from(`${of(texted)}${texted.brandUuid}`);

/**
 * The key of a text's block of a thousand numbers. SMS pumping usually uses a purchased block of numbers. Alarms are
 * found by this key, so texts of an open page have their own.
 */
export const blockKey = ({ vault }: Deps, texted: Texted): Buffer =>
  vault.keyedHash("caps", `${of(texted)}${texted.phone.slice(0, blockLength)}`);

/** How long a counter is kept, milliseconds: the longest window of any limit. */
export const countKeptMs = dayMs;

/** One increment of a counter in the current window. */
export function useOf(
  deps: Pick<Deps, "clock" | "environment">,
  { scope, key, window }: Pick<Use, "scope" | "key"> & { window: Window },
): Use {
  return { environment: deps.environment, scope, key, window_start: windowAt(deps, window) };
}

const names = ["environment", "scope", "key", "window_start"] as const;
const refs = sql.join(names.map((name) => sql.ref(name)));
const useTypes = columnsIn("use_count", names);
/** The order in which counters are locked, here and in `inOrder`. It is independent of the database's collation. */
const order = sql`environment collate "C", scope collate "C", key, window_start`;
const countTypes = columnsIn("use_count", [...names, "used"]);

/** Increments counters. Returns their new values. */
export async function countUses(
  on: AnyReader,
  uses: readonly Use[],
): Promise<Pick<Stored, "scope" | "key" | "used">[]> {
  if (uses.length === 0) return [];
  return (await countStatement(on, columnsOf("use", countTypes, inOrder(uses)))).rows;
}

/** Increments counters whose value is below `max`, and returns these. */
export async function countUsesBelow(
  on: AnyReader,
  uses: readonly Use[],
  max: number,
): Promise<Pick<Stored, "scope" | "key" | "used">[]> {
  if (uses.length === 0) return [];
  return (await countBelowStatement(on, { ...columnsOf("use", countTypes, inOrder(uses)), max })).rows;
}

/**
 * Locks counters until the transaction ends, including those without a row. Counters with the same key share a lock, so
 * the order is that of the keys alone.
 */
export async function lockUses(trx: Trx, uses: readonly Use[]): Promise<void> {
  const inKeyOrder = uses.map(({ key }) => key).toSorted(Buffer.compare);
  const keys = [...new Set(inKeyOrder.map((key) => key.readBigInt64BE(0).toString()))];
  if (keys.length > 0) await lockStatement(trx, { keys });
}

const lockStatement = statement((db, { keys }: Placeholders<{ keys: readonly string[] }>) => ({
  compile: () => sql`select pg_advisory_xact_lock(number) from unnest(${keys}::bigint[]) as number`.compile(db),
}));

/** Reads counters. Returns a function that finds the value of each. */
export async function readUses(on: AnyReader, uses: readonly Use[]): Promise<(use: Use) => number> {
  if (uses.length === 0) return () => 0;
  const { rows } = await readStatement(on, columnsOf("use", useTypes, uses));
  return ({ scope, key }) => rows.find((row) => row.scope === scope && row.key.equals(key))?.used ?? 0;
}

const readStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .selectFrom(sql<Use>`(${recordsOf("use", useTypes, columns)})`.as<"use">(sql`"use"`))
    .innerJoin("use_count", (join) =>
      join
        .onRef("use_count.environment", "=", "use.environment")
        .onRef("use_count.scope", "=", "use.scope")
        .onRef("use_count.key", "=", "use.key")
        .onRef("use_count.window_start", "=", "use.window_start"),
    )
    .select(["use_count.scope", "use_count.key", "use_count.used"]),
);

const countStatement = statement((db, columns: ColumnPlaceholders) =>
  counting(db, columns)
    .onConflict((conflict) => conflict.columns(names).doUpdateSet(increased))
    .returning(["scope", "key", "used"]),
);
const countBelowStatement = statement((db, columns: ColumnPlaceholders & Placeholders<{ max: number }>) =>
  counting(db, columns)
    .onConflict((conflict) => conflict.columns(names).doUpdateSet(increased).where("use_count.used", "<", columns.max))
    .returning(["scope", "key", "used"]),
);
const increased = { used: sql<number>`use_count.used + excluded.used` };

function counting(db: AnyReader, columns: ColumnPlaceholders) {
  return db.insertInto("use_count").values(insertedValues("use", countTypes, columns));
}

/** Sums the uses of each counter, in the order of locks. */
function inOrder(uses: readonly Use[]): Stored[] {
  const counted = new Map<string, Stored>();
  for (const use of uses) {
    const id = `${use.environment} ${use.scope} ${use.key.toString("hex")} ${use.window_start}`;
    counted.set(id, { ...use, used: (counted.get(id)?.used ?? 0) + 1 });
  }
  return [...counted.values()].sort(
    (a, b) =>
      compareTexts(a.environment, b.environment) ||
      compareTexts(a.scope, b.scope) ||
      Buffer.compare(a.key, b.key) ||
      a.window_start - b.window_start,
  );
}

const compareTexts = (a: string, b: string) => Number(a > b) - Number(a < b);

/** Subtracts uses. No counter goes below zero. */
export async function subtractUses(on: AnyReader, uses: readonly Use[]): Promise<void> {
  if (uses.length > 0) await subtractStatement(on, columnsOf("use", useTypes, uses));
}

const subtractStatement = statement((db, columns: ColumnPlaceholders) => {
  const times = sql`select ${refs}, count(*)::int as times from (${recordsOf("use", useTypes, columns)}) as "use" group by ${refs}`;
  return db
    .updateTable("use_count")
    .from(
      sql<Use & { times: number }>`(
        select ${refs}, times from use_count join (${times}) as taken using (${refs})
         order by ${order} for no key update of use_count)`.as("locked"),
    )
    .set({ used: sql<number>`greatest(use_count.used - locked.times, 0)` })
    .whereRef("use_count.environment", "=", "locked.environment")
    .whereRef("use_count.scope", "=", "locked.scope")
    .whereRef("use_count.key", "=", "locked.key")
    .whereRef("use_count.window_start", "=", "locked.window_start");
});

/** A counter, or all counters of a scope if `key` is null. */
export type Counter = { scope: string; key: Buffer | null };

/** Reads several counters. Returns a function that finds the value of each. */
export async function sumUses(
  reader: AnyReader,
  { environment, start, counters }: { environment: string; start: number; counters: readonly Counter[] },
): Promise<(counter: Counter) => number> {
  const scopes = counters.map(({ scope }) => scope);
  const keys = counters.map(({ key }) => key);
  const { rows } = await sumsStatement(reader, { environment, start, scopes, keys });
  return ({ scope, key }) => rows.find((row) => row.scope === scope && isSame(row.key, key))?.sum ?? 0;
}

const isSame = (a: Buffer | null, b: Buffer | null) => (a === null || b === null ? a === b : a.equals(b));

type Summing = { environment: string; start: number; scopes: string[]; keys: (Buffer | null)[] };
/** Forces one index lookup per counter. The table has millions of rows, and the planner may expect too many matches. */
const sumsStatement = statement((db, { environment, start, scopes, keys }: Placeholders<Summing>) => {
  const used = db
    .selectFrom("use_count")
    .where("environment", "=", environment)
    .where("window_start", "=", start)
    .where(sql<boolean>`scope = counter.scope`);
  const whole = used.select(sql<number>`sum(used)::int`.as("sum"));
  const one = used.select("used").where(sql<boolean>`key = counter.key`);
  return db
    .selectFrom(
      sql<{ scope: string; key: Buffer | null }>`unnest(${scopes}::text[], ${keys}::bytea[])`.as<"counter">(
        sql`counter (scope, key)`,
      ),
    )
    .select(["counter.scope", "counter.key"])
    .select(sql<number | null>`case when counter.key is null then (${whole}) else (${one}) end`.as("sum"));
});

/** Deletes the counters whose window began at `before` or earlier. */
export async function deleteUseCounts(on: AnyReader, environment: string, before: number): Promise<void> {
  await on.deleteFrom("use_count").where("environment", "=", environment).where("window_start", "<=", before).execute();
}
