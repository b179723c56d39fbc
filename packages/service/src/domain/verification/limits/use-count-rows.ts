/**
 * Every statement about the table `use_count`: counters that all processes share. Each statement locks its counters in
 * the order of their keys, to avoid deadlocks.
 */
import { type Selectable, sql } from "kysely";
import type { AnyReader, Trx } from "../../../store/database.ts";
import { type ColumnPlaceholders, columnsIn, columnsOf, recordsOf, valuesOf } from "../../../store/rows.ts";
import { type Placeholders, statement } from "../../../store/statement.ts";
import type { Tables } from "../../../store/tables.ts";

type Stored = Selectable<Tables["use_count"]>;
/** One increment of a counter. */
export type Use = Omit<Stored, "used">;

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

/** Locks counters until the transaction ends, including those without a row. */
export async function lockUses(trx: Trx, uses: readonly Use[]): Promise<void> {
  const keys = inOrder(uses).map(({ key }) => key.readBigInt64BE(0).toString());
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
  return db.insertInto("use_count").values(valuesOf("use", countTypes, columns));
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
