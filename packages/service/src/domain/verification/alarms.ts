/**
 * Detects SMS pumping: fraudsters who earn money by receiving texts never type the codes. Brands' texts are watched per
 * brand and per block of numbers, sign-in texts per block and in total, all per hour. An alarm limits texts for the
 * rest of the hour and counts in the metrics; a brand's alarm is also shown on its dashboard.
 */
import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import { enqueueAhead } from "../../store/queue.ts";
import type { ColumnPlaceholders } from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { Deps } from "../deps.ts";
import type { Suspicion } from "../ports.ts";
import {
  blockKey,
  countingUses,
  nextPurge,
  type Texted,
  textScopes,
  type Use,
  useColumnsOf,
  useOf,
  windowAt,
} from "./counters.ts";

/** How long an alarm can be read, milliseconds. */
export const alarmKeptMs = 7 * 24 * 60 * 60_000;
/** How long an alarm counts in the metrics, milliseconds. */
const figuresMs = 60 * 60_000;
const listedMax = 200;

type BrandAlarmKind = "brand" | "block";
export type AlarmKind = BrandAlarmKind | "signIn" | "signInBlock";
/** An alarm about a brand's texts. Instants are Unix milliseconds. Texts are limited until `endsAt`. */
export type Alarm = {
  kind: BrandAlarmKind;
  raisedAt: number;
  endsAt: number;
  sent: number;
  verified: number;
};

type Watched = { kind: AlarmKind; key: Buffer; suspicion: Suspicion; sent: Counter; verified: Counter };
/** `key`: null for all keys of the scope, which are the shards of one counter. */
type Counter = { scope: string; key: Buffer | null };

function watchedBy(deps: Deps, { phone, brandUuid }: Texted): Watched[] {
  const { pumping } = deps.caps;
  if (pumping === null) return [];
  const block = blockKey(deps, phone);
  if (brandUuid === null)
    return [
      {
        kind: "signInBlock",
        key: block,
        suspicion: pumping.signInBlock,
        sent: { scope: textScopes.signInBlock, key: block },
        verified: { scope: textScopes.verifiedSignInBlock, key: block },
      },
      {
        kind: "signIn",
        key: Buffer.from("signIn"),
        suspicion: pumping.signIn,
        sent: { scope: textScopes.signIn, key: null },
        verified: { scope: textScopes.verifiedSignIn, key: null },
      },
    ];
  const ofBlock: Watched = {
    kind: "block",
    key: block,
    suspicion: pumping.block,
    sent: { scope: textScopes.block, key: block },
    verified: { scope: textScopes.verifiedInBlock, key: block },
  };
  const ofBrand: Watched = {
    kind: "brand",
    key: Buffer.from(brandUuid),
    suspicion: pumping.brand,
    sent: { scope: textScopes.brand(brandUuid), key: null },
    verified: { scope: textScopes.verifiedOfBrand(brandUuid), key: null },
  };
  return [ofBlock, ofBrand];
}

/** The hourly limit on texts that each kind of alarm sets; infinite without an alarm. */
export type Held = Record<AlarmKind, number>;

/** Returns the limits of each text, from the alarms of this hour. */
export async function heldTo(deps: Deps, trx: Trx, all: readonly Texted[]): Promise<(texted: Texted) => Held> {
  const keys = all.flatMap((texted) => watchedBy(deps, texted).map(({ key }) => key));
  const start = windowAt(deps, deps.caps.textsToBlock);
  const { rows } = await standingStatement(trx, { environment: deps.environment, start, keys });
  return (texted) => {
    const none = Number.POSITIVE_INFINITY;
    const held: Held = { brand: none, block: none, signIn: none, signInBlock: none };
    for (const { kind, key, suspicion } of watchedBy(deps, texted))
      if (rows.some((one) => one.kind === kind && one.key.equals(key))) held[kind] = suspicion.heldTo;
    return held;
  };
}

type Watching = { environment: string; start: number; keys: readonly Buffer[] };
const standingStatement = statement((db, { environment, start, keys }: Placeholders<Watching>) =>
  db
    .selectFrom("conversion_alarm")
    .select(["kind", "key"])
    .where("environment", "=", environment)
    .where("window_start", "=", start)
    .where(({ eb, fn }) => eb("key", "=", fn.any(keys))),
);

/** Sums up the counters of the texts that were just counted, and stores the alarms that they raise. */
export async function raiseAlarms(deps: Deps, trx: Trx, all: readonly Texted[]): Promise<void> {
  const { pumping } = deps.caps;
  if (pumping === null) return;
  const start = windowAt(deps, deps.caps.textsToBlock);
  const watched = all.flatMap((texted) => watchedBy(deps, texted).map((one) => ({ ...one, texted })));
  const sentOf = await sums(deps, trx, { start, counters: watched.map(({ sent }) => sent) });
  const many = watched.filter(({ sent, suspicion }) => sentOf(sent) >= suspicion.textsMin);
  if (many.length === 0) return;
  const verifiedOf = await sums(deps, trx, { start, counters: many.map(({ verified }) => verified) });
  // Insert each alarm once, always in the same order, to avoid deadlocks.
  const suspects = new Map(many.map((one) => [`${one.kind} ${one.key.toString("hex")}`, one]));
  for (const [, { kind, key, texted, ...counters }] of [...suspects].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [sent, verified] = [sentOf(counters.sent), verifiedOf(counters.verified)];
    if (verified >= sent * pumping.verifiedShareMin) continue;
    await trx
      .insertInto("conversion_alarm")
      .values({
        environment: deps.environment,
        kind,
        key,
        window_start: start,
        brand_uuid: texted.brandUuid,
        raised_at: deps.clock.now(),
        sent,
        verified,
      })
      .onConflict((conflict) =>
        conflict.columns(["environment", "kind", "key", "window_start"]).doUpdateSet({ sent, verified }),
      )
      .execute();
  }
}

/** Reads the sums of several counters in one query. */
async function sums(
  deps: Deps,
  trx: Trx,
  { start, counters }: { start: number; counters: readonly Counter[] },
): Promise<(counter: Counter) => number> {
  const { rows } = await sumsStatement(trx, {
    environment: deps.environment,
    start,
    scopes: counters.map(({ scope }) => scope),
    keys: counters.map(({ key }) => key),
  });
  return ({ scope, key }) => rows.find((row) => row.scope === scope && isSame(row.key, key))?.sum ?? 0;
}

const isSame = (a: Buffer | null, b: Buffer | null) => (a === null || b === null ? a === b : a.equals(b));

type Summed = Omit<Watching, "keys"> & { scopes: string[]; keys: (Buffer | null)[] };
/** One index lookup per counter, whatever row count the planner expects: the table has millions of rows. */
const sumsStatement = statement((db, { environment, start, scopes, keys }: Placeholders<Summed>) => {
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

/** The counters to increase when a text is answered by a correct code or a followed link. */
export function answeredUses(deps: Deps, texted: Texted, of: string | null): Use[] {
  if (deps.phones.isFixed(texted.phone) || deps.caps.pumping === null) return [];
  const window = deps.caps.textsToBlock;
  return watchedBy(deps, texted).map(({ verified, key }) =>
    useOf(deps, { scope: verified.scope, key: verified.key ?? key, window, of }),
  );
}

/** Counts a text that was answered. */
export async function countAnswered(deps: Deps, trx: Trx, texted: Texted): Promise<void> {
  const uses = answeredUses(deps, texted, null);
  if (uses.length === 0) return;
  await enqueueAhead(trx, nextPurge(deps), deps.clock.now());
  await countStatement(trx, useColumnsOf("use", uses));
}

const countStatement = statement((db, columns: ColumnPlaceholders) => countingUses(db, columns));

/**
 * The brand's alarms of the last week, newest first. The block of numbers is stored only as a hash, so it is not shown.
 */
export async function listAlarms(deps: Deps, brandUuid: string): Promise<Alarm[]> {
  const rows = await deps.db
    .selectFrom("conversion_alarm")
    .selectAll()
    .where("environment", "=", deps.environment)
    .where("brand_uuid", "=", brandUuid)
    .orderBy("raised_at", "desc")
    .limit(listedMax)
    .execute();
  return rows.map(({ kind, raised_at, window_start, sent, verified }) => ({
    kind: kind === "brand" ? "brand" : "block",
    raisedAt: raised_at,
    endsAt: window_start + deps.caps.textsToBlock.windowMs,
    sent,
    verified,
  }));
}

/** The number of alarms raised in the last hour, by kind, for the metrics. */
export async function countAlarms(deps: Deps): Promise<Record<AlarmKind, number>> {
  const rows = await deps.db
    .selectFrom("conversion_alarm")
    .select(["kind", sql<number>`count(*)::int`.as("count")])
    .where("environment", "=", deps.environment)
    .where("window_start", ">", deps.clock.now() - 2 * figuresMs)
    .where("raised_at", ">", deps.clock.now() - figuresMs)
    .groupBy("kind")
    .execute();
  const of = (kind: AlarmKind) => rows.find((one) => one.kind === kind)?.count ?? 0;
  return { brand: of("brand"), block: of("block"), signIn: of("signIn"), signInBlock: of("signInBlock") };
}

/** The share of this hour's sign-in texts that is used, for the metrics: 0 to 1. */
export async function shareOfSignInsUsed(deps: Deps): Promise<number> {
  const { inAll } = deps.caps.signIns;
  const { used } = await deps.db
    .selectFrom("use_count")
    .select(sql<number>`coalesce(sum(used), 0)::int`.as("used"))
    .where("environment", "=", deps.environment)
    .where("scope", "=", textScopes.signIn)
    .where("window_start", "=", windowAt(deps, inAll))
    .executeTakeFirstOrThrow();
  return used / inAll.max;
}
